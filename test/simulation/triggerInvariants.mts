import type { INodeExecutionData } from 'n8n-workflow';
import type { Begun, Process } from './n8n.mts';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';

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
	output: 'event' | 'report' | 'recipients';
	isAnyEvent: boolean;
	isConfirmed: boolean;
	isDeduplicated: boolean;
	processes: number;
	deliveries: Delivery[];
	sentEvents: SentEvent[];
}

const violation = (promise: string, seen: string): Violation => ({ promise, seen });

const ACCEPTED = 'Accepted.';
const DUPLICATE = 'Duplicate: this event was accepted before.';
const UNKNOWN = 'Ignored: the logs know no such campaign.';
const NOT_WANTED = 'Ignored: this workflow does not start on it.';

/** ms after which the trigger answers with *Output* *Report* or *Recipients*, even if the logs are not read yet. */
const ANSWERED_BEFORE = 5000;

/** Returns the key of the event that an item is about. */
function keyOf({ json }: INodeExecutionData): string {
	const isCompletion = json.event === 'campaignCompleted' || json.event === undefined;
	return isCompletion ? `completed ${String(json.campaign_id)}` : JSON.stringify(json.body);
}

/** An execution, with the keys of the events that started it. */
interface Started extends Begun {
	keys: Set<string>;
}

const startedIn = ({ n8n }: World): Started[] =>
	n8n.begun.map((begun) => ({ ...begun, keys: new Set(begun.items.map(keyOf)) }));

/** An event starts one execution: within a process always, across a restart if it was answered with *Accepted* and saved. */
export function startedOnce(
	world: World,
	{ isDeduplicated, sentEvents, deliveries, processes }: Played,
): Violation[] {
	if (!isDeduplicated) return [];
	const { n8n } = world;
	const started = startedIn(world);
	/** A list was answered with 503, or its caller had left: after a crash, those of its events that had started may start again. */
	const isOpen = (event: SentEvent, process: Process) =>
		deliveries.some(
			(each) =>
				each.process === process &&
				each.events.length > 1 &&
				each.events.includes(event) &&
				each.status !== 200,
		);
	return sentEvents.flatMap((event) => {
		const mine = started.filter(({ keys, hasRun }) => hasRun && keys.has(event.key));
		return mine.flatMap((second, index) => {
			const first = mine.slice(0, index).find(
				(earlier) =>
					earlier.process === second.process ||
					// After a restart, an event may start again if it was never answered, or if n8n could not save.
					(processes === 1 &&
						n8n.lostSaves === 0 &&
						!isOpen(event, earlier.process) &&
						deliveries.some(
							({ events, process, message }) =>
								process === earlier.process &&
								events.includes(event) &&
								(message === ACCEPTED || (message === DUPLICATE && events.length === 1)),
						)),
			);
			return first
				? [
						violation(
							'an event starts an execution once',
							`${event.key}: executions ${first.id} in ${first.process} and ${second.id} in ${second.process}`,
						),
					]
				: [];
		});
	});
}

/** *Accepted* means that n8n has stored the execution, and *Duplicate* that the event has started one before. */
export function nothingLost(
	world: World,
	{ deliveries, sentEvents, output, isAnyEvent, isConfirmed }: Played,
): Violation[] {
	const started = startedIn(world);
	const isEarly = ({ beganAt, endedAt }: Delivery) =>
		output !== 'event' && endedAt! - beganAt >= ANSWERED_BEFORE;
	const isStarted = ({ key }: SentEvent) => started.some(({ keys }) => keys.has(key));
	const lost = deliveries
		.filter((delivery) => delivery.message === ACCEPTED && !isEarly(delivery))
		.filter(({ endedAt, events }) => {
			const keys = events.map(({ key }) => key);
			return !started.some(
				({ at, keys: own }) => at <= endedAt! && keys.some((key) => own.has(key)),
			);
		})
		.map(({ name }) =>
			violation(
				'an event answered with Accepted has started an execution',
				`${name} has started none`,
			),
		);
	const vanished = sentEvents
		.filter(({ kind }) => isAnyEvent || kind !== 'other')
		.filter((event) => !event.isGivenUp && !isStarted(event))
		.filter((event) => {
			const ends = deliveries.filter(
				({ events, status }) => events.includes(event) && status === 200,
			);
			return (
				ends.length > 0 &&
				!deliveries.some((each) => each.events.includes(event) && isEarly(each)) &&
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
			violation('no event is lost', `${key}: everybody was told that it was accepted before`),
		);
	return [...lost, ...vanished];
}

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
			.map((key) =>
				violation(
					'only a delivered event starts an execution',
					`execution ${id} starts at ${at} for ${key}`,
				),
			),
	);
}

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
				.map(({ id }) =>
					violation(
						'a completion starts an execution only if the logs know its campaign',
						`execution ${id}: ${key}`,
					),
				),
		);
}

/** The trigger looks a campaign up once more, some seconds later, if the logs do not know it. */
export function askedOnceMore(_: World, { deliveries, isConfirmed }: Played): Violation[] {
	if (!isConfirmed) return [];
	return deliveries
		.filter(({ message, endedAt, beganAt }) => message === UNKNOWN && endedAt! - beganAt < 4000)
		.map(({ name }) =>
			violation('an unknown campaign is looked up once more', `${name} is ignored at once`),
		);
}

/** In a burst, calls are answered one after the other: ms for each. */
const TURN = 150;

/** Without Deduplicate, a call waits for n8n's capacity: the longest of these waits in ms, and of writing before it. */
const CAPACITY = 2 * (12_000 + 30_000);

/** As long as n8n begins executions of the trigger in this time, in ms, its calls wait. */
const BUSY = 10_000;

/**
 * Every call is answered within 15 seconds, or within ten seconds after n8n has begun one of the calls that it was busy
 * with, and with a documented answer.
 */
export function answeredInTime(
	{ clock, n8n }: World,
	{ deliveries, output, isDeduplicated }: Played,
): Violation[] {
	const isWithOthers = deliveries.length > 20 ? deliveries.length : 0;
	const reading = output === 'event' ? 0 : ANSWERED_BEFORE;
	const extra = reading + 1500 + isWithOthers * TURN + (isDeduplicated ? 0 : CAPACITY);
	const answerUntil = ({ beganAt, process }: Delivery): number => {
		let until = beganAt + 15_000 + extra;
		for (const begun of n8n.begunForWebhooks) {
			const isMeanwhile = begun.process === process && begun.at > beganAt && begun.at < until;
			if (isMeanwhile) until = Math.max(until, begun.at + BUSY + extra);
		}
		return until;
	};
	const slow = deliveries
		.filter(({ process, endedAt }) => process.isAlive || endedAt !== undefined)
		.filter((delivery) => (delivery.endedAt ?? clock.now) > answerUntil(delivery))
		.map(({ name, beganAt, endedAt }) =>
			violation(
				'every call is answered in time',
				`${name} ${endedAt === undefined ? 'is not answered' : `is answered after ${endedAt - beganAt} ms`}`,
			),
		);
	const strange = deliveries
		.filter(({ status = 200 }) => ![200, 500, 503].includes(status))
		.map(({ name, status, message }) =>
			violation('every answer is a documented one', `${name} is answered ${status}: ${message}`),
		);
	const wrong = deliveries
		.filter(({ status }) => status === 200)
		.filter(({ message }) => ![ACCEPTED, DUPLICATE, UNKNOWN, NOT_WANTED].includes(message!))
		.map(({ name, message }) =>
			violation('every answer is a documented one', `${name}: ${message}`),
		);
	return [...slow, ...strange, ...wrong];
}

/** The report, or the recipients, in the output are what the logs have. */
export function reportsAreTrue(
	world: World,
	{ sentEvents, output, deliveries }: Played,
): Violation[] {
	if (output === 'event') return [];
	const promise = 'a report says what the service has';
	return startedIn(world).flatMap(({ id, at, items, process }) => {
		const found: Violation[] = [];
		for (const { key, campaign } of sentEvents) {
			const mine = items.filter((item) => campaign && keyOf(item) === key).map(({ json }) => json);
			if (mine.length === 0 || mine[0].error !== undefined || mine[0].incomplete) continue;
			const from = Math.min(
				...deliveries
					.filter(
						(call) => call.process === process && call.events.some((each) => each.key === key),
					)
					.map(({ beganAt }) => beganAt),
			);
			const tell = (seen: string) =>
				found.push(violation(promise, `execution ${id}, ${key}: ${seen}`));
			const least = campaign!.filter(({ loggedAt }) => loggedAt <= from).length;
			const most = campaign!.filter(({ loggedAt }) => loggedAt <= at).length;
			const statuses: Record<string, number> = {};
			if (output === 'report') Object.assign(statuses, mine[0].statuses);
			else
				for (const { status } of mine)
					statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
			const count = output === 'report' ? Number(mine[0].recipients) : mine.length;
			if (count < least || count > most)
				tell(`${count} recipients, and the logs had ${least} to ${most}`);
			if (output === 'recipients' && new Set(mine.map((json) => json.id)).size !== mine.length)
				tell('a recipient comes twice');
			for (const [status, number] of Object.entries(statuses)) {
				const can = campaign!.filter((message) =>
					world.service.log.statusesBetween(message, from, at).has(status),
				).length;
				if (number > can) tell(`${number} are ${status}, and ${can} can have been`);
			}
		}
		return found;
	});
}
