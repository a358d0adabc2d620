import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../demo/n8n/until.mts';
import { campaigns } from './world/campaigns.mts';
import { triggered, type Triggered } from './world/triggered.mts';
import { world, type World } from './world/world.mts';

const MANY = 200;
/** Calls that the service has open at the same time. */
const AT_ONCE = 20;

interface Delivery {
	campaign: string;
	answeredAt: number;
	/** The answer or error of each call, until the trigger answers one with 200. */
	answers: string[];
}

describe(`${MANY} campaigns complete while the webhook processor restarts`, () => {
	let stage: World;

	before(async () => {
		stage = await world();
	});

	/**
	 * Delivers all calls, and repeats those that are not answered with 200: one half in a burst while the webhook
	 * processor shuts down, the other half while it is unavailable and starts again.
	 */
	async function burst(how: 'stop' | 'kill') {
		const { stack, sandbox } = stage;
		const receiver = await triggered(stage);
		const ids = await campaigns(sandbox, MANY);
		const deliveries: Delivery[] = [];
		const firstHalf = send(receiver.url, ids.slice(0, MANY / 2), deliveries);
		await until(
			'some are delivered',
			async () => (deliveries.length >= MANY / 4 ? true : undefined),
			{ everyMs: 5 },
		);
		await stack.webhook[how]();
		const endedAt = Date.now();
		const secondHalf = send(receiver.url, ids.slice(MANY / 2), deliveries);
		await Promise.all([firstHalf, secondHalf, stack.webhook.start()]);
		const answeredBefore = deliveries.filter(({ answeredAt }) => answeredAt <= endedAt);
		return { receiver, ids, deliveries, answeredBefore };
	}

	for (const [how, words] of [
		['stop', 'gracefully'],
		['kill', 'by a crash'],
	] as const) {
		it(`${words}: each call that was answered started one execution, and none started two`, async (context) => {
			const { receiver, ids, deliveries, answeredBefore } = await burst(how);
			const executions = await settled(receiver, ids, deliveries);
			// The service redelivers a call when the process died before it answered, even if the execution had started.
			const mayBeTwice = deliveries
				.filter(({ answers }) => answers.length > 1)
				.map(({ campaign }) => campaign);
			const twice = startedTwice(executions);
			// The answers to each campaign's calls, and how its executions ended.
			const historyOf = (id: string) => [
				executions.get(id),
				deliveries.find(({ campaign }) => campaign === id)!.answers,
			];
			assert.ok(
				twice.length <= (how === 'kill' ? MOST_AT_ONCE : 0),
				`twice: ${JSON.stringify(twice.map(historyOf), null, 1)}`,
			);
			assert.deepEqual(
				twice.filter((id) => !mayBeTwice.includes(id)),
				[],
			);
			context.diagnostic(
				`${answeredBefore.length} of ${MANY} events were answered before it ended; ` +
					`${mayBeTwice.length} were redelivered, ${twice.length} of them started twice; ${answersOf(deliveries)}`,
			);

			// A redelivered call that n8n remembers does not start a second execution.
			const again: Delivery[] = [];
			await send(receiver.url, ids, again);
			const afterwards = await settled(receiver, ids, again);
			context.diagnostic(`redelivered: ${answersOf(again)}`);
			// n8n may answer while it closes its database: then it starts an execution, but does not remember the call.
			const moreThanOnce = startedTwice(afterwards).filter((id) => !twice.includes(id));
			assert.ok(moreThanOnce.length <= MOST_AT_ONCE, `started again: ${moreThanOnce.join(', ')}`);
			context.diagnostic(`started again: ${moreThanOnce.length}`);
		});
	}
});

/** The most executions that one crash can repeat: as many as n8n handles for a trigger at the same time (begin.ts). */
const MOST_AT_ONCE = 8;

const startedTwice = (executions: Map<string, string[]>) =>
	[...executions].filter(([, statuses]) => statuses.length > 1).map(([id]) => id);

/** The number of calls for each answer. */
function answersOf(deliveries: Delivery[]): string {
	const counts = new Map<string, number>();
	for (const { answers } of deliveries) {
		const answer = answers.at(-1)!;
		counts.set(answer, (counts.get(answer) ?? 0) + 1);
	}
	return [...counts].map(([answer, count]) => `${count} × ${answer}`).join(', ');
}

/** Delivers all calls, AT_ONCE at a time. */
async function send(url: string, campaigns: string[], deliveries: Delivery[] = []): Promise<void> {
	const queue = [...campaigns];
	const sender = async () => {
		for (let id = queue.shift(); id; id = queue.shift()) deliveries.push(await deliver(url, id));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

/** Repeats a call until it is answered with 200, as a service that redelivers its webhooks does. */
async function deliver(url: string, campaign: string): Promise<Delivery> {
	const answers: string[] = [];
	for (;;) {
		const call = fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ campaign_id: campaign }),
		});
		const { status, said } = await call.then(
			async (response) => ({ status: response.status, said: await response.text() }),
			(error: Error) => ({ status: 0, said: String(error.cause ?? error) }),
		);
		answers.push(`${status} ${said}`);
		// While n8n starts, it answers 200 with other text before the trigger gets the call.
		if (status === 200 && said.startsWith('{')) {
			return { campaign, answeredAt: Date.now(), answers };
		}
		await sleep(500);
	}
}

/**
 * Returns how the executions of each campaign ended, once every delivered campaign has one and no more start.
 *
 * @throws Trouble that names the campaigns without an execution, with the answers to their calls
 */
async function settled(
	receiver: Triggered,
	campaigns: string[],
	deliveries: Delivery[],
): Promise<Map<string, string[]>> {
	const byCampaign = async () => {
		const found = new Map<string, string[]>();
		for (const { campaign, status } of await receiver.executions()) {
			found.set(campaign, [...(found.get(campaign) ?? []), status]);
		}
		return found;
	};
	let before = -1;
	let without: string[] = [];
	const all = until(
		`each of ${campaigns.length} events has an execution, and no more start`,
		async () => {
			const found = await byCampaign();
			without = campaigns.filter((id) => !found.has(id));
			const isSettled = found.size === before && without.length === 0;
			before = found.size;
			return isSettled ? found : undefined;
		},
		{ withinMs: 120_000, everyMs: 3_000 },
	);
	return await all.catch((error: unknown) => {
		const answers = answersOf(deliveries.filter(({ campaign }) => without.includes(campaign)));
		throw new Error(`${without.length} events have no execution; they were answered: ${answers}`, {
			cause: error,
		});
	});
}
