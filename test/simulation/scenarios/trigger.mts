import type { INodeExecutionData } from 'n8n-workflow';
import { brokenEverywhere } from '../invariants.mts';
import type { Begun } from '../../support/n8n/installation.mts';
import type { Process } from '../n8n.mts';
import { callTrigger } from '../webhooks.mts';
import { inARow, node } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * The service tells of completed campaigns: early, late, twice, alone and in a list. It redelivers a call that was not
 * answered with 200. Meanwhile n8n is killed, its database fails, callers leave, and the service's logs lag and fail. Which
 * calls are completions, and what is answered to the others, is tested in test/nodes/trigger.
 */

const WORKFLOW = 'receiving';

/** The most deliveries of a call that is not accepted. */
const MOST_TRIES = 9;

/** Times between two deliveries of a call that is not accepted, in ms. */
const WAITS = [1000, 5000, 20_000, 60_000];

const receiving = inARow(WORKFLOW, [
	node(
		'Trigger',
		'n8n-nodes-messaging.messagingTrigger',
		{ events: ['campaignCompleted'] },
		{ webhookId: 'hook' },
	),
	node('After', 'simulated.after'),
]);

const completionOf = (id: string) => ({ event: 'done', campaign_id: id });

export const trigger: Scenario = {
	name: 'trigger',
	async play(world) {
		const { choices: c, n8n, service, clock } = world;
		n8n.workflows.set(WORKFLOW, receiving);
		const processes = c.oneOf('processes', [1, 1, 1, 2, 3]);
		const hosts = Array.from({ length: processes }, () => n8n.startProcess());
		world.tell(`the trigger runs in ${processes} processes`);
		disturb(world, hosts);

		const deliveries: Delivery[] = [];
		const givenUp = new Set<string>();
		/** Delivers a call about campaigns, and redelivers it until it is accepted. */
		const deliver = async (question: string, campaigns: string[], body: object) => {
			for (let nth = 1; nth <= MOST_TRIES; nth++) {
				const process = hosts[c.int(`${question}/try ${nth}/process`, 0, 2) % hosts.length];
				const name = `call ${deliveries.length + 1}`;
				const delivery: Delivery = { name, campaigns };
				deliveries.push(delivery);
				world.tell(`${name} to ${process}: ${JSON.stringify(body)}`);
				const calling = callTrigger(n8n, process, WORKFLOW, body, name);
				if (c.chance(`${question}/try ${nth}/leaves`, 0.12)) {
					const after = c.oneOf(`${question}/try ${nth}/leaves after ms`, [1, 20, 100, 4000]);
					void world.wait(after).then(calling.leave);
				}
				const reply = await calling.reply;
				delivery.endedAt = clock.now;
				if (reply !== 'broken') {
					delivery.message = reply.status === 200 ? String(reply.body?.message) : undefined;
					world.tell(`${name} is answered ${reply.status}: ${String(reply.body?.message)}`);
					if (reply.status === 200) return;
				} else world.tell(`${name} breaks`);
				await world.wait(c.oneOf(`${question}/try ${nth}/again after ms`, WAITS));
			}
			for (const id of campaigns) givenUp.add(id);
		};
		/** Delivers the same call more than once. */
		const deliverOften = async (question: string, campaigns: string[], body: object) => {
			const times = 1 + c.int(`${question}/repeated`, 0, 2);
			await Promise.all(
				Array.from({ length: times }, async (_, at) => {
					const afters = [0, 0, 3, 200, 4000, 20_000, 3_600_000];
					await world.wait(c.oneOf(`${question}/time ${at + 1}/after ms`, afters));
					await deliver(`${question}/time ${at + 1}`, campaigns, body);
				}),
			);
		};

		const isTogether = c.chance('all completions in one list', 0.4);
		const campaigns = await Promise.all(
			Array.from({ length: c.int('campaigns', 1, 4) }, async (_, index) => {
				const question = `campaign ${index + 1}`;
				await world.wait(c.oneOf(`${question}/sent after ms`, [0, 0, 30, 2000]));
				const [{ campaignId }] = service.takeFromElsewhere(1);
				world.tell(`the service takes campaign ${campaignId}`);
				await world.wait(c.oneOf(`${question}/complete after ms`, [100, 0, 3000, 70_000]));
				if (!isTogether) await deliverOften(question, [campaignId], completionOf(campaignId));
				return campaignId;
			}),
		);
		if (isTogether) await deliverOften('list', campaigns, campaigns.map(completionOf));
		// Calls wait for each other, and n8n may take half a minute for each.
		await world.wait(600_000);
		return [
			...startedOnce(world, campaigns),
			...nothingLost(world, deliveries, campaigns, givenUp),
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

/** A webhook call. */
interface Delivery {
	name: string;
	/** The ids of its campaigns. */
	campaigns: string[];
	endedAt?: number;
	/** The sentence of an answer with 200. */
	message?: string | undefined;
}

/** An execution, with the ids of the campaigns that started it. */
interface Started extends Begun<Process> {
	campaigns: Set<string>;
}

const campaignOf = ({ json }: INodeExecutionData) => String(json.campaign_id);

const startedIn = ({ n8n }: World): Started[] =>
	n8n.begun.map((begun) => ({ ...begun, campaigns: new Set(begun.items.map(campaignOf)) }));

const STARTS_ONCE = 'within a process, an event starts an execution once';

/** Nothing is kept across a restart (docs/triggers.md#started-once). */
function* startedOnce(world: World, campaigns: string[]): Generator<Violation> {
	const started = startedIn(world);
	for (const id of campaigns) {
		const mine = started.filter((each) => each.hasRun && each.campaigns.has(id));
		for (const [index, second] of mine.entries()) {
			const first = mine.slice(0, index).find(({ process }) => process === second.process);
			if (!first) continue;
			const both = `${first.id} and ${second.id} in ${second.process}`;
			yield violation(STARTS_ONCE, `${id}: executions ${both}`);
		}
	}
}

const ACCEPTED_HAS_STARTED = 'an event answered with Accepted has started an execution';
const NO_EVENT_IS_LOST = 'Duplicate is answered only to an event that has started an execution';

function* nothingLost(
	world: World,
	deliveries: Delivery[],
	campaigns: string[],
	givenUp: Set<string>,
): Generator<Violation> {
	const started = startedIn(world);
	for (const { name, message, endedAt, campaigns: about } of deliveries) {
		const isStarted = started.some(
			(each) => each.at <= endedAt! && about.some((id) => each.campaigns.has(id)),
		);
		if (message === 'Accepted.' && !isStarted)
			yield violation(ACCEPTED_HAS_STARTED, `${name} has started none`);
	}
	for (const id of campaigns) {
		if (givenUp.has(id) || started.some((each) => each.campaigns.has(id))) continue;
		// The answer to a list is about its most important event: others may have been left out, because the logs did not know
		// them (docs/triggers.md#what-the-service-is-answered).
		const answers = deliveries
			.filter(({ campaigns: about, message }) => message && about.length === 1 && about[0] === id)
			.map(({ message }) => message!);
		if (answers.length > 0 && answers.every((message) => /^(Accepted|Duplicate)/.test(message)))
			yield violation(NO_EVENT_IS_LOST, `${id}: everybody was told that it was accepted before`);
	}
}
