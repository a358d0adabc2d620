import type { INodeExecutionData } from 'n8n-workflow';
import type { Begun, Process } from './n8n.mts';
import type { Accepted } from './service.mts';
import type { Violation, World } from './world.mts';

/* What must hold of the Messaging Trigger in every world, in the words of the README. */

/** An event that is told to n8n. */
export interface Told {
	kind: 'completed' | 'other' | 'forged';
	key: string;
	/** The messages of the campaign that is complete. */
	campaign: Accepted[] | undefined;
	/** Its sender has stopped trying. */
	isGivenUp?: boolean;
}

/** One call, from its first byte to its answer. */
export interface Delivery {
	name: string;
	events: Told[];
	process: Process;
	beganAt: number;
	endedAt?: number;
	/** Undefined when the connection broke. */
	status?: number;
	message?: string;
}

interface Played {
	output: 'event' | 'report' | 'recipients';
	isAnyEvent: boolean;
	isConfirmed: boolean;
	isDeduplicated: boolean;
	processes: number;
	deliveries: Delivery[];
	told: Told[];
}

const violation = (promise: string, seen: string): Violation => ({ promise, seen });

const ACCEPTED = 'Accepted.';
const DUPLICATE = 'Duplicate: this event was accepted before.';
const UNKNOWN = 'Ignored: the logs know no such campaign.';
const NOT_WANTED = 'Ignored: this workflow does not start on it.';

/** ms after which *Report* and *Recipients* answer, whether the logs are read or not. */
const ANSWERED_BEFORE = 5000;

/** The event that an item stands for. */
function keyOf({ json }: INodeExecutionData): string {
	const isCompletion = json.event === 'campaignCompleted' || json.event === undefined;
	return isCompletion ? `completed ${String(json.campaign_id)}` : JSON.stringify(json.body);
}

/** An execution, with the events that it was started for. */
interface Started extends Begun {
	keys: Set<string>;
}

const startedIn = ({ n8n }: World): Started[] =>
	n8n.begun.map((begun) => ({ ...begun, keys: new Set(begun.items.map(keyOf)) }));

/** Everything that holds for the trigger. */
export function triggerPromises(world: World, played: Played): Violation[] {
	const started = startedIn(world);
	return [
		...startedOnce(world, played, started),
		...nothingLost(played, started),
		...nothingThatWasNotTold(played, started),
		...onlyWhatIsConfirmed(world, played, started),
		...askedOnceMore(played),
		...answeredInTime(world, played),
		...reportsAreTrue(world, played, started),
	];
}

/** "Within one n8n process: never more than one execution for an event. Across a restart: …remembered." */
function startedOnce(
	{ n8n }: World,
	{ isDeduplicated, told, deliveries, processes }: Played,
	started: Started[],
): Violation[] {
	if (!isDeduplicated) return [];
	/** Of a list that was answered 503, also to a caller who had left, what has begun may begin again after a crash. */
	const isOpen = (event: Told, process: Process) =>
		deliveries.some(
			(each) =>
				each.process === process &&
				each.events.length > 1 &&
				each.events.includes(event) &&
				each.status !== 200,
		);
	return told.flatMap((event) => {
		const mine = started.filter(({ keys, hasRun }) => hasRun && keys.has(event.key));
		return mine.flatMap((second, index) => {
			const first = mine.slice(0, index).find(
				(earlier) =>
					earlier.process === second.process ||
					// What was never answered may come again after a restart, and so may what could not be saved.
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

/** "Accepted means that n8n has written the execution down", and a duplicate is one of something that was accepted. */
function nothingLost(
	{ deliveries, told, output, isAnyEvent, isConfirmed }: Played,
	started: Started[],
): Violation[] {
	const isEarly = ({ beganAt, endedAt }: Delivery) =>
		output !== 'event' && endedAt! - beganAt >= ANSWERED_BEFORE;
	const isStarted = ({ key }: Told) => started.some(({ keys }) => keys.has(key));
	const lost = deliveries
		.filter((delivery) => delivery.message === ACCEPTED && !isEarly(delivery))
		.filter(({ endedAt, events }) => {
			const keys = events.map(({ key }) => key);
			return !started.some(
				({ at, keys: own }) => at <= endedAt! && keys.some((key) => own.has(key)),
			);
		})
		.map(({ name }) =>
			violation('what is answered Accepted has started an execution', `${name} has started none`),
		);
	const vanished = told
		.filter(({ kind }) => isAnyEvent || kind !== 'other')
		.filter((event) => !event.isGivenUp && !isStarted(event))
		.filter((event) => {
			const ends = deliveries.filter(
				({ events, status }) => events.includes(event) && status === 200,
			);
			return (
				ends.length > 0 &&
				!deliveries.some((each) => each.events.includes(event) && isEarly(each)) &&
				ends.every(({ message, events, endedAt }) => {
					if (events.length === 1) return message === DUPLICATE || message === ACCEPTED;
					// The answer to a list is about its most important event; others of it were ignored.
					const isKnown = event.campaign?.some(({ loggedAt }) => loggedAt <= endedAt!);
					return (isKnown ?? true) || !isConfirmed;
				})
			);
		})
		.map(({ key }) =>
			violation('no event is lost', `${key}: everybody was told that it was accepted before`),
		);
	return [...lost, ...vanished];
}

/** "A status of one message completes nothing." */
function nothingThatWasNotTold({ told, isAnyEvent }: Played, started: Started[]): Violation[] {
	return started.flatMap(({ id, keys, at }) =>
		[...keys]
			.filter((key) => {
				const event = told.find((each) => each.key === key);
				return !event || (event.kind === 'other' && !isAnyEvent);
			})
			.map((key) =>
				violation(
					'only what was told starts an execution',
					`execution ${id} starts at ${at} for ${key}`,
				),
			),
	);
}

/** "A completion counts only when the service's logs know the campaign." */
function onlyWhatIsConfirmed(
	_: World,
	{ told, isConfirmed }: Played,
	started: Started[],
): Violation[] {
	if (!isConfirmed) return [];
	return told
		.filter(({ kind }) => kind !== 'other')
		.flatMap(({ key, campaign = [] }) =>
			started
				.filter(({ keys, at }) => keys.has(key) && !campaign.some(({ loggedAt }) => loggedAt <= at))
				.map(({ id }) =>
					violation(
						'only a completion that the logs know starts an execution',
						`execution ${id}: ${key}`,
					),
				),
		);
}

/** "Logs that do not know it yet are asked once more, some seconds later." */
function askedOnceMore({ deliveries, isConfirmed }: Played): Violation[] {
	if (!isConfirmed) return [];
	return deliveries
		.filter(({ message, endedAt, beganAt }) => message === UNKNOWN && endedAt! - beganAt < 4000)
		.map(({ name }) =>
			violation(
				'logs that do not know a completion are asked once more',
				`${name} is ignored at once`,
			),
		);
}

/** "When very many events come at once, each is answered when its turn has come": ms for each of the others. */
const TURN = 150;

/** "After 15 seconds at most." */
function answeredInTime({ clock }: World, { deliveries, output }: Played): Violation[] {
	const isWithOthers = deliveries.length > 20 ? deliveries.length : 0;
	const limit = 15_000 + (output === 'event' ? 0 : ANSWERED_BEFORE) + 1500 + isWithOthers * TURN;
	const slow = deliveries
		.filter(({ process, endedAt }) => process.isAlive || endedAt !== undefined)
		.filter(({ beganAt, endedAt = clock.now }) => endedAt - beganAt > limit)
		.map(({ name, beganAt, endedAt }) =>
			violation(
				'every call is answered in time',
				`${name} ${endedAt === undefined ? 'is not answered' : `is answered after ${endedAt - beganAt} ms`}`,
			),
		);
	const strange = deliveries
		.filter(({ status = 200 }) => ![200, 500, 503].includes(status))
		.map(({ name, status, message }) =>
			violation('every call is understood', `${name} is answered ${status}: ${message}`),
		);
	const wrong = deliveries
		.filter(({ status }) => status === 200)
		.filter(({ message }) => ![ACCEPTED, DUPLICATE, UNKNOWN, NOT_WANTED].includes(message!))
		.map(({ name, message }) => violation('every call is understood', `${name}: ${message}`));
	return [...slow, ...strange, ...wrong];
}

/** A report, or the recipients, are what the service has. */
function reportsAreTrue(world: World, { told, output, deliveries }: Played, started: Started[]) {
	if (output === 'event') return [];
	const promise = 'what a report says of a campaign is what the service has';
	return started.flatMap(({ id, at, items, process }) => {
		const found: Violation[] = [];
		for (const { key, campaign } of told) {
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
