import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { install, type Installation } from '../world/installation.mts';
import { byHand, inALoop, items, messaging, QUESTION, wait, type Json } from '../world/nodes.mts';
import { asked, asking, limitWaitTime, open, press } from '../world/questions.mts';
import { newPeople, newPhone, untilAccepted } from '../world/service.mts';
import {
	isWaiting,
	publishForCalls,
	start,
	succeeded,
	type Callable,
} from '../world/workflows.mts';

/* An n8n of its own, which runs one production execution at a time. */
describe('answers to a question whose execution n8n continues late', () => {
	let stage: Installation;
	/** Takes the only place for ten seconds. */
	let busy: Callable;
	/** Started before the first test, because it has to wait for n8n's timers. */
	let loop: ReturnType<typeof askInALoop>;

	before(async () => {
		stage = await install({ env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } });
		loop = askInALoop();
		loop.catch(() => {});
		busy = await publishForCalls(stage, [wait(10)]);
	});

	after(async () => await stage?.end());

	/** Asks in a production execution. */
	async function ask(parameters: Json = {}) {
		const to = newPhone();
		const { start } = await publishForCalls(stage, asking(stage, { to, ...parameters }));
		return await asked(stage, await start(), to);
	}

	/** The heading of the page. */
	const said = ({ html }: { html: string }) => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? html;

	it('of two answers while n8n is busy, only the one that counts is confirmed', async () => {
		const { execution, link, outcome } = await ask();
		await busy.start();
		const first = await press(link, { decision: 'disapprove' });
		const second = await press(link, { decision: 'approve' });
		const opened = await open(link);
		assert.ok(await isWaiting(stage, execution), 'n8n continued too early for this test');
		assert.match(said(first), /has been recorded/);
		for (const page of [second, opened]) assert.match(said(page), /no longer open/);
		assert.equal((await outcome()).approved, false);
	});

	it('after Limit Wait Time no answer is taken, however late n8n continues', async () => {
		const { execution, to, link, outcome } = await ask({ options: limitWaitTime(0.05) });
		await busy.start();
		await sleep(3500);
		const late = await press(link, { decision: 'approve' });
		assert.ok(await isWaiting(stage, execution), 'n8n continued too early for this test');
		assert.match(said(late), /no longer open/);
		assert.deepEqual(await outcome(), { answered: false, approved: false, to, sentAs: 'session' });
	});

	it('in a loop, neither the link nor the limit of an answered question ends the next one', async () => {
		// On a busy machine the tests before this one may take so long that the time for the first answer is over.
		if ((await loop).askedAt + 60_000 < Date.now()) loop = askInALoop();
		const { execution, askedAt, people } = await loop;
		const first = await asked(stage, execution, people[0].phone);
		// n8n looks every minute for executions whose time is up soon, and sets a timer for them.
		await sleep(Math.max(0, askedAt + 61_000 - Date.now()));
		assert.match(said(await press(first.link, { decision: 'approve' })), /has been recorded/);
		await untilAccepted(stage.sandbox, people, 2);
		const second = await asked(stage, execution, people[1].phone);
		assert.match(said(await press(first.link, { decision: 'disapprove' })), /no longer open/);
		await sleep(Math.max(0, askedAt + 72_000 - Date.now()));
		await press(second.link, { decision: 'approve' });
		const answers = outputOf(await succeeded(stage, execution), 'After');
		assert.deepEqual(
			answers.map(({ data: { approved, answered } }) => ({ approved, answered })),
			[1, 2].map(() => ({ approved: true, answered: true })),
		);
	});

	it('an answer that n8n had no capacity for is lost when n8n is killed, and the question open again', async () => {
		const done = await ask();
		await press(done.link, { decision: 'approve' });
		await done.outcome();
		const { execution, link, outcome } = await ask();
		await busy.start();
		assert.match(said(await press(link, { decision: 'approve' })), /has been recorded/);
		await stage.restart({ isKilled: true });

		assert.ok(await isWaiting(stage, execution));
		assert.match(said(await press(link, { decision: 'disapprove' })), /has been recorded/);
		assert.equal((await outcome()).approved, false);
		// Questions that were answered before the restart are still known as answered.
		assert.doesNotMatch((await press(done.link, { decision: 'disapprove' })).html, /recorded/);
		assert.equal((await done.outcome()).approved, true);
	});

	/** Asks two people, one after the other, each for a little more than a minute. */
	async function askInALoop() {
		const people = newPeople(2);
		const question = messaging(stage.credential, { ...QUESTION, options: limitWaitTime(1.1) });
		const { nodes, connections } = inALoop([byHand(), ...items('People', people)], question);
		const askedAt = Date.now();
		// By hand: the limit of production executions does not apply.
		return { people, askedAt, execution: await start(stage, nodes, { connections }) };
	}
});
