import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { world } from '../world/installation.mts';
import { ask, limitWaitTime, open, press } from '../world/questions.mts';
import { isWaiting } from '../world/workflows.mts';

const stage = await world();

const message = 'May we ship <order 12> & "more" today?';

describe('send and wait for a response', () => {
	it('approve: opening the link decides nothing, the button decides, and a second answer is refused', async () => {
		const values = { approvalType: 'double', approveLabel: 'Ship it', disapproveLabel: 'Not yet' };
		const asked = await ask(stage, { message, approvalOptions: { values } });
		const { execution, link, outcome } = asked;
		assert.equal(asked.message, `${message}\n\nAnswer here: ${link}`);

		for (let times = 0; times < 2; times++) {
			const { status, html, headers } = await open(link);
			assert.equal(status, 200, html);
			assert.match(html, /May we ship &lt;order 12&gt; &amp; &quot;more&quot; today\?/);
			assert.match(html, /Ship it[\s\S]*Not yet/);
			assert.doesNotMatch(html, /<script|https?:\/\//);
			assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
		}
		assert.ok(await isWaiting(stage, execution));
		// A POST without the button's value decides nothing either.
		await press(link, {});
		assert.ok(await isWaiting(stage, execution));

		const { status, html } = await press(link, { decision: 'approve' });
		assert.equal(status, 200);
		assert.match(html, /recorded/);
		const { approved, sentAs, respondedAt } = await outcome();
		assert.deepEqual([approved, sentAs], [true, 'session']);
		assert.match(respondedAt, /^\d{4}-/);

		assert.doesNotMatch((await press(link, { decision: 'disapprove' })).html, /recorded/);
		assert.equal((await outcome()).approved, true);
	});

	it('free text is returned as it was written', async () => {
		const { execution, link, outcome } = await ask(stage, { responseType: 'freeText' });
		assert.match((await open(link)).html, /<textarea/);
		await press(link, { answer: '  ' });
		assert.ok(await isWaiting(stage, execution));
		await press(link, { answer: 'Tomorrow, <please> & thanks ✓' });
		assert.equal((await outcome()).text, 'Tomorrow, <please> & thanks ✓');
	});

	it('nobody answers in time: the workflow continues, its item says so, and n8n has a page for who comes late', async () => {
		const { to, link, outcome } = await ask(stage, { options: limitWaitTime(0.03) });
		assert.match((await open(link)).html, /You can answer until /);
		assert.deepEqual(await outcome(), { timedOut: true, approved: false, to, sentAs: 'session' });
		assert.doesNotMatch((await press(link, { decision: 'approve' })).html, /recorded/);
	});
});
