import type { INodeExecutionData } from 'n8n-workflow';
import type { Begun, Process } from './n8n.mts';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';
import { promise, violation } from './promises.mts';

/* Checks of the promises about the Messaging Trigger (invariants.mts). */

/** An event that the service, or a stranger, sends to n8n. */
export interface SentEvent {
	kind: 'completed' | 'other' | 'forged';
	key: string;
	/** The messages of the completed campaign. */
	campaign: Accepted[] | undefined;
	/** The sender has stopped to redeliver it. */
	isGivenUp?: boolean;
}

/** A webhook call. */
export interface Delivery {
	name: string;
	events: SentEvent[];
	process: Process;
	beganAt: number;
	endedAt?: number;
	/** The status of the answer; undefined if the connection broke. */
	status?: number;
	message?: string;
}

export interface Played {
	isAnyEvent: boolean;
	isConfirmed: boolean;
	isDeduplicated: boolean;
	processes: number;
	deliveries: Delivery[];
	sentEvents: SentEvent[];
}

const ACCEPTED = 'Accepted.';
const DUPLICATE = 'Duplicate: this event was accepted before.';
const UNKNOWN = 'Ignored: the logs know no such campaign.';
const NOT_WANTED = 'Ignored: this workflow does not start on it.';

/** Returns the key of the event that an item is about. `body` is the whole call, which may be a list. */
function keyOf({ json }: INodeExecutionData): string {
	if (json.event === 'campaignCompleted') return `completed ${String(json.campaign_id)}`;
	const calls = [json.body].flat() as Array<{ event?: string }>;
	return JSON.stringify(calls.find(({ event }) => event === 'smsDeliveryReport') ?? json.body);
}

/** An execution, with the keys of the events that started it. */
interface Started extends Begun {
	keys: Set<string>;
}

const startedIn = ({ n8n }: World): Started[] =>
	n8n.begun.map((begun) => ({ ...begun, keys: new Set(begun.items.map(keyOf)) }));

/** Whether no other call was handled in the process while this one was: n8n saves the memory of a burst in any order. */
const wasAlone = (call: Delivery, deliveries: Delivery[]) =>
	!deliveries.some(
		(other) =>
			other !== call &&
			other.process === call.process &&
			other.beganAt <= call.endedAt! &&
			// n8n goes on with a call whose caller has left.
			(other.status === undefined || other.endedAt! >= call.beganAt),
	);

const STARTS_ONCE = promise(
	'an event starts an execution once',
	'The same event starts one execution, however often it is delivered: within a process always, and across a restart as n8n last saved the memory.',
);

/**
 * An event starts one execution: within a process always. Across a restart, if a call was answered 200 for it that no other
 * call was handled beside, and n8n could save.
 */
export function startedOnce(
	world: World,
	{ isDeduplicated, sentEvents, deliveries, processes }: Played,
): Violation[] {
	if (!isDeduplicated) return [];
	const { n8n } = world;
	const started = startedIn(world);
	const isRemembered = (event: SentEvent, process: Process) =>
		processes === 1 &&
		n8n.lostSaves === 0 &&
		deliveries.some(
			(call) =>
				call.process === process &&
				call.events.includes(event) &&
				(call.message === ACCEPTED || call.message === DUPLICATE) &&
				wasAlone(call, deliveries),
		);
	return sentEvents.flatMap((event) => {
		const mine = started.filter(({ keys, hasRun }) => hasRun && keys.has(event.key));
		return mine.flatMap((second, index) => {
			const first = mine
				.slice(0, index)
				.find(
					({ process, keys }) =>
						process === second.process || (keys.size === 1 && isRemembered(event, process)),
				);
			return first
				? [
						violation(
							STARTS_ONCE,
							`${event.key}: executions ${first.id} in ${first.process} and ${second.id} in ${second.process}`,
						),
					]
				: [];
		});
	});
}

const ACCEPTED_HAS_STARTED = promise(
	'an event answered with Accepted has started an execution',
	'Accepted means that n8n has stored the execution.',
);
const NO_EVENT_IS_LOST = promise(
	'no event is lost',
	'Duplicate is the answer only to an event that has started an execution before.',
);

/** *Accepted* means that n8n has stored the execution, and *Duplicate* that the event has started one before. */
export function nothingLost(
	world: World,
	{ deliveries, sentEvents, isAnyEvent, isConfirmed }: Played,
): Violation[] {
	const started = startedIn(world);
	const isStarted = ({ key }: SentEvent) => started.some(({ keys }) => keys.has(key));
	const lost = deliveries
		.filter((delivery) => delivery.message === ACCEPTED)
		.filter(({ endedAt, events }) => {
			const keys = events.map(({ key }) => key);
			return !started.some(
				({ at, keys: own }) => at <= endedAt! && keys.some((key) => own.has(key)),
			);
		})
		.map(({ name }) => violation(ACCEPTED_HAS_STARTED, `${name} has started none`));
	const vanished = sentEvents
		.filter(({ kind }) => isAnyEvent || kind !== 'other')
		.filter((event) => !event.isGivenUp && !isStarted(event))
		.filter((event) => {
			const ends = deliveries.filter(
				({ events, status }) => events.includes(event) && status === 200,
			);
			return (
				ends.length > 0 &&
				ends.every(({ name, message, events }) => {
					if (events.length === 1) return message === DUPLICATE || message === ACCEPTED;
					// The answer to a list is about its most important event: others may have been ignored, because the logs
					// did not know them when the call last asked.
					const asked = world.exchanges.filter(({ owner }) => String(owner) === name);
					const lastAsked = Math.max(0, ...asked.map(({ startedAt }) => startedAt));
					const isKnown = event.campaign?.some(({ loggedAt }) => loggedAt <= lastAsked);
					return (isKnown ?? true) || !isConfirmed;
				})
			);
		})
		.map(({ key }) =>
			violation(NO_EVENT_IS_LOST, `${key}: everybody was told that it was accepted before`),
		);
	return [...lost, ...vanished];
}

const ONLY_DELIVERED_STARTS = promise(
	'only a delivered event starts an execution',
	'Only an event that was delivered, and that the workflow wants, starts an execution. The status of one message completes no campaign.',
);

/** Only delivered events start executions, and the status of one message completes no campaign. */
export function nothingThatWasNotTold(
	world: World,
	{ sentEvents, isAnyEvent }: Played,
): Violation[] {
	return startedIn(world).flatMap(({ id, keys, at }) =>
		[...keys]
			.filter((key) => {
				const event = sentEvents.find((each) => each.key === key);
				return !event || (event.kind === 'other' && !isAnyEvent);
			})
			.map((key) => violation(ONLY_DELIVERED_STARTS, `execution ${id} starts at ${at} for ${key}`)),
	);
}

const CONFIRMED_BY_THE_LOGS = promise(
	'a completion starts an execution only if the logs know its campaign',
	'With Confirm, a completion starts an execution only if the logs know its campaign.',
);

/** With *Confirm*, a completion counts only if the logs know the campaign. */
export function onlyWhatIsConfirmed(
	world: World,
	{ sentEvents, isConfirmed }: Played,
): Violation[] {
	if (!isConfirmed) return [];
	const started = startedIn(world);
	return sentEvents
		.filter(({ kind }) => kind !== 'other')
		.flatMap(({ key, campaign = [] }) =>
			started
				.filter(({ keys, at }) => keys.has(key) && !campaign.some(({ loggedAt }) => loggedAt <= at))
				.map(({ id }) => violation(CONFIRMED_BY_THE_LOGS, `execution ${id}: ${key}`)),
		);
}

const LOOKED_UP_ONCE_MORE = promise(
	'an unknown campaign is looked up once more',
	'A completion that the logs do not know is looked up again, for seven seconds.',
);

/** The trigger asks the logs for seven seconds if they do not know a campaign. */
export function askedOnceMore(_: World, { deliveries, isConfirmed }: Played): Violation[] {
	if (!isConfirmed) return [];
	return deliveries
		.filter(({ message, endedAt, beganAt }) => message === UNKNOWN && endedAt! - beganAt < 6_900)
		.map(({ name }) => violation(LOOKED_UP_ONCE_MORE, `${name} is ignored at once`));
}

/** The longest time in ms that the logs are asked about a call: the last question begins within nine seconds. */
const ASKING = 14_000;

/** The longest time in ms that n8n takes to write an execution, and to have capacity for it. */
const STARTING = 12_000 + 30_000;

/** Calls of a trigger that are handled at once. */
const AT_ONCE = 8;

const ANSWERED_IN_TIME = promise(
	'every call is answered in time',
	'Every call is answered when the logs were asked and n8n has started the execution; eight calls are handled at once.',
);
const ANSWER_IS_DOCUMENTED = promise(
	'every answer is a documented one',
	'Every answer is one of those that the README lists.',
);

/**
 * Every call is answered: after the logs were asked and n8n has started the execution, and after the calls before it, of
 * which eight are handled at once. And with a documented answer.
 */
export function answeredInTime({ clock }: World, { deliveries }: Played): Violation[] {
	const waitOf = (call: Delivery): number => {
		const before = deliveries.filter(
			({ process, beganAt, endedAt, status }) =>
				process === call.process &&
				beganAt <= call.beganAt &&
				(status === undefined || endedAt! >= call.beganAt),
		);
		return Math.ceil(before.length / AT_ONCE) * (ASKING + STARTING + 1_500);
	};
	const slow = deliveries
		.filter(({ process, endedAt }) => process.isAlive || endedAt !== undefined)
		.filter((call) => (call.endedAt ?? clock.now) > call.beganAt + waitOf(call))
		.map(({ name, beganAt, endedAt }) =>
			violation(
				ANSWERED_IN_TIME,
				`${name} ${endedAt === undefined ? 'is not answered' : `is answered after ${endedAt - beganAt} ms`}`,
			),
		);
	const strange = deliveries
		.filter(({ status = 200 }) => ![200, 500, 503].includes(status))
		.map(({ name, status, message }) =>
			violation(ANSWER_IS_DOCUMENTED, `${name} is answered ${status}: ${message}`),
		);
	const wrong = deliveries
		.filter(({ status }) => status === 200)
		.filter(({ message }) => ![ACCEPTED, DUPLICATE, UNKNOWN, NOT_WANTED].includes(message!))
		.map(({ name, message }) => violation(ANSWER_IS_DOCUMENTED, `${name}: ${message}`));
	return [...slow, ...strange, ...wrong];
}
