import type { INodeExecutionData } from 'n8n-workflow';
import { brokenEverywhere } from '../invariants.mts';
import type { Begun } from '../../support/n8n/installation.mts';
import type { Process } from '../n8n.mts';
import type { Accepted } from '../service.mts';
import { callTrigger } from '../webhooks.mts';
import { inARow, node } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * The service sends events of completed campaigns, of single messages and of SMS: early, late, twice, in any order and in
 * lists. It redelivers events that were not accepted. Strangers call, too. Meanwhile n8n is killed, its database fails, and
 * the service's logs lag.
 */

const WORKFLOW = 'receiving';

/** A campaign that nobody has sent. */
const FORGED = 'c9999999-0000-4000-8000-000000000000';

/** The most deliveries of an event that is not accepted. */
const MOST_TRIES = 9;

/** Times between two deliveries of an event that is not accepted, in ms. */
const WAITS = [1000, 5000, 20_000, 60_000];

interface Plan {
	isAnyEvent: boolean;
	isConfirmed: boolean;
	isDeduplicated: boolean;
	processes: number;
}

const planOf = ({ choices: c }: World): Plan => ({
	isAnyEvent: c.chance('all events', 0.5),
	isConfirmed: !c.chance('without Confirm', 0.15),
	isDeduplicated: !c.chance('without Deduplicate', 0.1),
	processes: c.oneOf('processes', [1, 1, 1, 2, 3]),
});

const workflowOf = ({ isAnyEvent, isConfirmed, isDeduplicated }: Plan) =>
	inARow(WORKFLOW, [
		node(
			'Trigger',
			'n8n-nodes-messaging.messagingTrigger',
			{
				events: isAnyEvent
					? ['campaignCompleted', 'smsDeliveryReport', 'other']
					: ['campaignCompleted'],
				confirm: isConfirmed,
				deduplicate: isDeduplicated,
			},
			{ webhookId: 'hook' },
		),
		node('After', 'simulated.after'),
	]);

/** Payloads that the small rule knows: the interface documents none. */
const completionOf = (shape: number, id: string): object =>
	[
		{ event: 'done', campaign_id: id },
		{ event: 'campaign.completed', data: { campaign_id: id } },
		{ type: 'CampaignFinished', campaign: { id } },
		{
			data: [
				{ campaign_id: id, status: 'delivered' },
				{ campaign_id: id, status: 'completed' },
			],
		},
		{ event: 'campaign.status', campaign: { id, status: 'completed' } },
		{ campaignId: id, status: 'DONE', sent: 5 },
		{ action: 'ended', campaign_id: id },
	][shape];

/** A report about one message, or an earlier status of the campaign: neither is a completion. */
const statusOf = (shape: number, { campaignId, id }: Accepted, status: string): object =>
	[
		{ event: 'messageStatus', campaign_id: campaignId, id, status },
		{ type: 'message.sent', data: { campaign_id: campaignId, id, status } },
		{ campaign_id: campaignId, id, externalId: id, to: '447700900211', status },
		{ message_id: id, status: 'completed', campaign_id: campaignId },
		{ event: 'campaign.status', campaign: { id: campaignId, status: 'scheduled' } },
		{ campaignId, status: 'SENDING', sent: 1 },
	][shape];

export const trigger: Scenario = {
	name: 'trigger',
	async play(world) {
		const { choices: c, n8n, service, clock } = world;
		const plan = planOf(world);
		n8n.workflows.set(WORKFLOW, workflowOf(plan));
		world.tell(
			`the trigger starts on ${plan.isAnyEvent ? 'all events' : 'completions'}${plan.isConfirmed ? '' : ', without Confirm'}${plan.isDeduplicated ? '' : ', without Deduplicate'}, in ${plan.processes} processes`,
		);
		const hosts = Array.from({ length: plan.processes }, () => n8n.startProcess());
		disturb(world, hosts);

		const deliveries: Delivery[] = [];
		let calls = 0;
		/** Delivers events in one call, and redelivers them until they are accepted. */
		const deliver = async (question: string, events: SentEvent[], body: object): Promise<void> => {
			for (let nth = 1; nth <= MOST_TRIES; nth++) {
				const process = hosts[c.int(`${question}/try ${nth}/process`, 0, 2) % hosts.length];
				const name = `call ${++calls}`;
				const delivery: Delivery = { name, events, process, beganAt: clock.now };
				deliveries.push(delivery);
				world.tell(`${name} to ${process}: ${JSON.stringify(body)}`);
				const calling = callTrigger(n8n, process, WORKFLOW, body, name);
				if (c.chance(`${question}/try ${nth}/leaves`, 0.12)) {
					const after = c.oneOf(
						`${question}/try ${nth}/leaves after ms`,
						[1, 20, 100, 4000, 10_000],
					);
					void world.wait(after).then(calling.leave);
				}
				const reply = await calling.reply;
				delivery.endedAt = clock.now;
				if (reply === 'broken') {
					world.tell(`${name} breaks`);
				} else {
					delivery.status = reply.status;
					delivery.message = String(reply.body?.message);
					world.tell(`${name} is answered ${reply.status}: ${delivery.message}`);
					if (reply.status < 300) return;
				}
				await world.wait(c.oneOf(`${question}/try ${nth}/again after ms`, WAITS));
			}
			for (const event of events) event.isGivenUp = true;
		};
		/** Delivers the same call more than once. */
		const deliverOften = async (question: string, events: SentEvent[], body: object) => {
			const times = 1 + c.int(`${question}/repeated`, 0, 2);
			await Promise.all(
				Array.from({ length: times }, async (_, at) => {
					const after = c.oneOf(
						`${question}/time ${at + 1}/after ms`,
						[0, 0, 3, 200, 4000, 20_000, 3_600_000],
					);
					await world.wait(after);
					await deliver(`${question}/time ${at + 1}`, events, body);
				}),
			);
		};

		const sentEvents = new Map<string, SentEvent>();
		const event = (kind: SentEvent['kind'], body: object, campaign?: Accepted[]): SentEvent => {
			const id = campaign?.[0].campaignId ?? (kind === 'forged' && FORGED);
			const key = id ? `completed ${id}` : JSON.stringify(body);
			const made = sentEvents.get(key) ?? { kind, key, campaign };
			sentEvents.set(key, made);
			return made;
		};
		const campaigns = Array.from({ length: c.int('campaigns', 1, 4) }, (_, index) => ({
			question: `campaign ${index + 1}`,
			messages: c.int(`campaign ${index + 1}/messages`, 1, 5),
		}));
		const isTogether = c.chance('all completions in one list', 0.4);
		const sent: Accepted[][] = [];
		const working = campaigns.map(async ({ question, messages }) => {
			await world.wait(c.oneOf(`${question}/sent after ms`, [0, 0, 30, 2000]));
			const taken = service.takeFromElsewhere(messages);
			sent.push(taken);
			world.tell(`the service takes campaign ${taken[0].campaignId} of ${messages} messages`);
			const statuses = c.int(`${question}/status events`, 0, 2);
			const others = Array.from({ length: statuses }, async (_, at) => {
				const name = `${question}/status event ${at + 1}`;
				await world.wait(c.oneOf(`${name}/after ms`, [0, 50, 1000, 30_000]));
				const message = taken[at % taken.length];
				const body = statusOf(c.int(`${name}/shape`, 0, 5), message, 'sent');
				await deliverOften(name, [event('other', body)], body);
			});
			await world.wait(c.oneOf(`${question}/complete after ms`, [100, 0, 3000, 20_000, 70_000]));
			if (!isTogether) {
				const body = completionOf(c.int(`${question}/shape`, 0, 6), taken[0].campaignId);
				others.push(
					deliverOften(`${question}/completion`, [event('completed', body, taken)], body),
				);
			}
			await Promise.all(others);
		});
		if (isTogether) {
			await world.wait(c.oneOf('list/after ms', [3000, 80_000]));
			// All of one shape: campaigns further down than the others of a call are not looked for.
			const shape = c.oneOf('list/shape 1', [0, 1, 2, 4, 5, 6]);
			const bodies = sent.map((taken) => completionOf(shape, taken[0].campaignId));
			const events = sent.map((taken, index) => event('completed', bodies[index], taken));
			if (c.chance('list/with an SMS', 0.5)) {
				const report = { event: 'smsDeliveryReport', conversation: { id: 'sms-1' } };
				bodies.push(report);
				events.push(event('other', report));
			}
			await deliverOften('list', events, bodies);
		}
		if (c.chance('a stranger calls', 0.3)) {
			const body = { event: 'done', campaign_id: FORGED };
			await deliver('stranger', [event('forged', body)], body);
		}
		if (c.chance('an SMS is reported', 0.3)) {
			const body = { event: 'smsDeliveryReport', message: null, conversation: { id: 'sms-2' } };
			await deliverOften('sms', [event('other', body)], body);
		}
		await Promise.all(working);
		// Calls wait for each other, and n8n may take half a minute for each.
		await world.wait(600_000);
		return [
			...brokenIn(world, { ...plan, deliveries, sentEvents: [...sentEvents.values()] }),
			...brokenEverywhere(world),
		];
	},
};

/** Kills n8n and starts it again, and lets its database fail for a while. */
function disturb(world: World, hosts: Process[]): void {
	const { choices: c, n8n } = world;
	const placeOf = (nth: number) => c.int(`kill ${nth}/which`, 0, 2) % hosts.length;
	world.killAtEvents(
		0.5,
		150,
		(nth) => hosts[placeOf(nth)],
		(nth) => {
			const place = placeOf(nth);
			const after = c.oneOf(`kill ${nth}/starts again after ms`, [500, 10, 8000]);
			void world.wait(after).then(() => n8n.startAgain(hosts, place));
		},
	);
	if (!c.chance('the database fails', 0.25)) return;
	const from = world.time + c.oneOf('database fails/after ms', [20, 60, 150, 400, 3000, 9000]);
	const until = from + c.oneOf('database fails/for ms', [10, 60, 2000, 30_000]);
	n8n.database.isBroken = () => world.time >= from && world.time < until;
	world.tell(`the database will fail from ${from} to ${until} ms`);
}

/** An event that the service, or a stranger, sends to n8n. */
interface SentEvent {
	kind: 'completed' | 'other' | 'forged';
	key: string;
	/** The messages of the completed campaign. */
	campaign: Accepted[] | undefined;
	/** The sender has stopped to redeliver it. */
	isGivenUp?: boolean;
}

/** A webhook call. */
interface Delivery {
	name: string;
	events: SentEvent[];
	process: Process;
	beganAt: number;
	endedAt?: number;
	/** The status of the answer; undefined if the connection broke. */
	status?: number;
	message?: string;
}

/** What was played. */
interface Played extends Plan {
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
interface Started extends Begun<Process> {
	keys: Set<string>;
}

const startedIn = ({ n8n }: World): Started[] =>
	n8n.begun.map((begun) => ({ ...begun, keys: new Set(begun.items.map(keyOf)) }));

const STARTS_ONCE = 'an event starts an execution once';

/** Within a process: nothing is kept across a restart (docs/triggers.md#started-once). */
function* startedOnce(world: World, { isDeduplicated, sentEvents }: Played) {
	if (!isDeduplicated) return;
	const started = startedIn(world);
	for (const event of sentEvents) {
		const mine = started.filter(({ keys, hasRun }) => hasRun && keys.has(event.key));
		for (const [index, second] of mine.entries()) {
			const first = mine.slice(0, index).find(({ process }) => process === second.process);
			if (!first) continue;
			const both = `${first.id} and ${second.id} in ${second.process}`;
			yield violation(STARTS_ONCE, `${event.key}: executions ${both}`);
		}
	}
}

const ACCEPTED_HAS_STARTED = 'an event answered with Accepted has started an execution';
const NO_EVENT_IS_LOST = 'Duplicate is answered only to an event that has started an execution';

function* nothingLost(world: World, played: Played) {
	const { deliveries, sentEvents, isAnyEvent, isConfirmed } = played;
	const started = startedIn(world);
	for (const { name, message, endedAt, events } of deliveries) {
		const isStarted = started.some(
			({ at, keys }) => at <= endedAt! && events.some(({ key }) => keys.has(key)),
		);
		if (message === ACCEPTED && !isStarted)
			yield violation(ACCEPTED_HAS_STARTED, `${name} has started none`);
	}
	for (const event of sentEvents) {
		const isStarted = started.some(({ keys }) => keys.has(event.key));
		if (isStarted || event.isGivenUp || (event.kind === 'other' && !isAnyEvent)) continue;
		const ends = deliveries.filter(
			({ events, status }) => events.includes(event) && status === 200,
		);
		const isLost = ends.every(({ name, message, events }) => {
			if (events.length === 1) return message === DUPLICATE || message === ACCEPTED;
			// docs/triggers.md#what-the-service-is-answered: the answer to a list is about its most important event. Others may have
			// been left out, because the logs did not know them when the call last asked.
			const asked = world.exchanges.filter(({ owner }) => String(owner) === name);
			const lastAsked = Math.max(0, ...asked.map(({ startedAt }) => startedAt));
			const isKnown = event.campaign?.some(({ loggedAt }) => loggedAt <= lastAsked);
			return (isKnown ?? true) || !isConfirmed;
		});
		if (ends.length > 0 && isLost)
			yield violation(
				NO_EVENT_IS_LOST,
				`${event.key}: everybody was told that it was accepted before`,
			);
	}
}

const ONLY_DELIVERED_STARTS =
	'only a delivered event that the workflow wants starts an execution; the status of one message completes no campaign';
const CONFIRMED_BY_THE_LOGS =
	'with Confirm, a completion counts only if the logs know its campaign';

function* onlyWhatWasTold(world: World, { sentEvents, isAnyEvent, isConfirmed }: Played) {
	for (const { id, keys, at } of startedIn(world)) {
		for (const key of keys) {
			const event = sentEvents.find((each) => each.key === key);
			if (!event || (event.kind === 'other' && !isAnyEvent))
				yield violation(ONLY_DELIVERED_STARTS, `execution ${id} starts at ${at} for ${key}`);
			const isKnown = event?.campaign?.some(({ loggedAt }) => loggedAt <= at);
			if (isConfirmed && event && event.kind !== 'other' && !isKnown)
				yield violation(CONFIRMED_BY_THE_LOGS, `execution ${id}: ${key}`);
		}
	}
}

const LOOKED_UP_ONCE_MORE = 'an unknown campaign is looked up again for seven seconds';

/** The longest time in ms that the logs are asked about a call: the last question begins within nine seconds. */
const ASKING = 14_000;

/** The longest time in ms that n8n takes to write an execution, and to have capacity for it. */
const STARTING = 12_000 + 30_000;

/** Calls of a trigger that are handled at once. */
const AT_ONCE = 8;

const ANSWERED_IN_TIME =
	'every call is answered when the logs were asked and n8n has started the execution';
const ANSWER_IS_DOCUMENTED = 'every answer is a documented one';

/** docs/triggers.md#what-the-service-is-answered; a call waits for those before it, of which eight are handled at once. */
function* answeredInTime({ clock }: World, { deliveries, isConfirmed }: Played) {
	for (const call of deliveries) {
		const { name, process, beganAt, endedAt, status, message } = call;
		const took = (endedAt ?? clock.now) - beganAt;
		const before = deliveries.filter(
			(other) =>
				other.process === process &&
				other.beganAt <= beganAt &&
				(other.status === undefined || other.endedAt! >= beganAt),
		);
		const most = Math.ceil(before.length / AT_ONCE) * (ASKING + STARTING + 1_500);
		if ((process.isAlive || endedAt !== undefined) && took > most)
			yield violation(ANSWERED_IN_TIME, `${name} took ${took} ms`);
		const isKnown = [ACCEPTED, DUPLICATE, UNKNOWN, NOT_WANTED].includes(message!);
		if (status === 200 ? !isKnown : ![undefined, 500, 503].includes(status))
			yield violation(ANSWER_IS_DOCUMENTED, `${name} is answered ${status}: ${message}`);
		if (isConfirmed && message === UNKNOWN && took < 6_900)
			yield violation(LOOKED_UP_ONCE_MORE, `${name} is ignored at once`);
	}
}

const brokenIn = (world: World, played: Played): Violation[] => [
	...startedOnce(world, played),
	...nothingLost(world, played),
	...onlyWhatWasTold(world, played),
	...answeredInTime(world, played),
];
