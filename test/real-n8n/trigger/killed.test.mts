import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../world/workflows.mts';
import { receiver, stage, type Receiver } from './receiver.mts';

const { restart } = stage;

/** How often n8n is killed in a burst: by night three times (KILLS=3). */
const KILLS = Number(process.env.KILLS ?? 1);

/** Events of a burst in whose middle n8n is killed. A thousand at once (KILL_BURST=1000) need a machine with nothing else to do. */
const MANY = Number(process.env.KILL_BURST ?? 100);

const newEvents = (count: number) => Array.from({ length: count }, () => `sms-${randomUUID()}`);

type Told = 'accepted' | 'duplicate' | 'come again';

/** Delivers an event once. */
async function deliver({ url }: Receiver, event: string): Promise<Told> {
	const body = { event: 'smsDeliveryReport', message: { id: event } };
	// No answer: n8n has been killed.
	const answer = await call(url, body).catch(() => ({ status: 0, text: '' }));
	// While n8n starts, it answers 200 with a sentence of its own, before the trigger gets the call.
	if (answer.status !== 200 || !answer.text.startsWith('{')) return 'come again';
	return answer.text.includes('Duplicate') ? 'duplicate' : 'accepted';
}

/** Delivers an event again and again, until it is answered 200, as the service does. */
async function deliverUntilTaken(to: Receiver, event: string): Promise<Told> {
	for (;;) {
		const told = await deliver(to, event);
		if (told !== 'come again') return told;
		await sleep(500);
	}
}

const all = async (to: Receiver, events: string[]) =>
	await Promise.all(events.map(async (event) => await deliverUntilTaken(to, event)));

describe('n8n is killed', () => {
	it('in a burst: no event is lost, and each starts at most once before and once after', async (context) => {
		const to = await receiver({ events: ['smsDeliveryReport'] });
		const events: string[] = [];
		for (let round = 1; round <= KILLS; round++) {
			const fresh = newEvents(20);
			events.push(...fresh);
			let killing: Promise<void> | undefined;
			await Promise.all(
				[...fresh, ...fresh, ...fresh].map(async (event) => {
					const told = await deliver(to, event);
					if (told === 'duplicate') killing ??= restart({ isKilled: true });
				}),
			);
			assert.ok(killing, `round ${round}: nobody was told Duplicate, so n8n was not killed`);
			await killing;
			const again = await all(to, fresh);
			const redelivered = again.filter((told) => told === 'accepted').length;
			context.diagnostic(`round ${round}: ${redelivered} of 20 events started after the kill`);
		}
		const found = await to.startedBy();
		assert.deepEqual(
			events.filter((event) => !found.has(event)),
			[],
			'these events have no execution',
		);
		const twice = [...found.values()].filter((count) => count > 1).length;
		context.diagnostic(`${twice} of ${events.length} events started twice, as the documents say`);
		assert.deepEqual(
			[...found].filter(([, count]) => count > 1 + KILLS),
			[],
			'these events started more than once in an n8n',
		);
	});

	it(`in the middle of a burst of ${MANY}: each is accounted for, and starts at most once in an n8n`, async (context) => {
		const to = await receiver({ events: ['smsDeliveryReport'] });
		const events = newEvents(MANY);
		const before: string[] = [];
		let killing: Promise<void> | undefined;
		await Promise.all(
			events.map(async (event) => {
				const told = await deliver(to, event);
				if (told === 'accepted' && !killing) before.push(event);
				if (before.length >= MANY / 2) killing ??= restart({ isKilled: true });
			}),
		);
		assert.ok(killing, 'n8n was not killed');
		await killing;
		// The service delivers again what was not answered; of the others nothing may be missing.
		const answered = new Set(before);
		const again = events.filter((event) => !answered.has(event));
		const told = await all(to, again);
		const found = await to.startedBy();
		const twice = [...found.values()].filter((count) => count > 1).length;
		const accepted = told.filter((each) => each === 'accepted').length;
		context.diagnostic(
			`${before.length} accepted before the kill, ${accepted} after it; ${found.size} events have an execution, ${twice} of them two`,
		);
		assert.deepEqual([...found.keys()].sort(), [...events].sort());
		assert.deepEqual(
			[...found].filter(([, count]) => count > 2),
			[],
			'these events started more than once in an n8n',
		);
		assert.deepEqual(
			before.filter((event) => found.get(event) !== 1),
			[],
			'these were answered before the kill, and have not one execution',
		);
	});

	it('while executions wait for capacity: every event starts', async (context) => {
		await restart({ env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' } });
		const to = await receiver({ events: ['smsDeliveryReport'] }, { seconds: 2 });
		const events = newEvents(10);
		const told = await all(to, events);
		context.diagnostic(`${told.filter((each) => each === 'accepted').length} of 10 accepted`);
		await restart({ isKilled: true, env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' } });
		const found = await to.startedBy();
		assert.deepEqual([...found].sort(), events.map((event) => [event, 1]).sort());
		await restart();
	});
});
