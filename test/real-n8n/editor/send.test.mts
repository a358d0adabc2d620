import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestsDuring } from '../nodes/world/counting.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { BAKERY, people, workflowWithPeople } from './world/people.mts';
import { Panel } from './world/panel.mts';

const from = { __rl: true, mode: 'list', value: BAKERY };

const campaign = {
	resource: 'campaign',
	operation: 'send',
	from,
	to: '={{ $json.phone }}',
	template: { __rl: true, mode: 'list', value: 'opening_hours' },
};

const text = {
	resource: 'message',
	operation: 'sendText',
	from,
	to: '={{ $json.phone }}',
	message: '=Hello {{ $json.name }}',
};

async function refuse(match: object, message: string): Promise<void> {
	const { sandbox } = await world();
	const answer = await fetch(`${sandbox.url}/_sandbox/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify([
			{ match, times: 1, fault: { kind: 'successFalse', status: 400, message } },
		]),
	});
	assert.ok(answer.ok, await answer.text());
}

/** Executes the node, and waits until its output shows the sentence. */
async function executed(parameters: Record<string, unknown>, sentence: string): Promise<Panel> {
	const { credential } = await world();
	const panel = await Panel.open(await editor(), await workflowWithPeople(parameters, credential));
	await panel.execute();
	await panel.output.getByText(sentence).first().waitFor();
	return panel;
}

describe('the output before and after sending', () => {
	it('Dry Run begins with the recipients and their texts, and says that nothing was sent', async () => {
		const { requests } = await requestsDuring(async () => {
			const panel = await executed(
				{ ...campaign, mode: 'dryRun' },
				'Dry run: nothing was sent. It would be 3 messages in 1 request.',
			);
			await panel.output.getByText('We are open').first().waitFor();
			assert.match(
				await panel.output.innerText(),
				/dryRun\s+to\s+text\s+identifier\s+message[\s\S]*447700900211\s+We are open/,
			);
			await picture('send dry run');
		});
		assert.equal(requests.sendCampaign, undefined);
	});

	it('a test sends one message, to that number', async () => {
		const me = '447700900299';
		const { accepted } = await requestsDuring(async () => {
			const panel = await executed(
				{ ...campaign, mode: 'test', testRecipient: me },
				`Only a test was sent, to ${me}.`,
			);
			const reason = panel.output.getByText('Not sent: this was a test, to one number only.');
			await reason.first().waitFor();
			assert.equal(await reason.count(), people.length - 1);
			assert.deepEqual(await panel.redInTable(), []);
			await picture('send test');
		});
		assert.equal(accepted, 1);
	});

	it('a test without a number sends nothing', async () => {
		const { accepted, requests } = await requestsDuring(async () => {
			await executed({ ...campaign, mode: 'test' }, "'My Number' is empty, so nothing was sent.");
			await picture('send test without number');
		});
		assert.deepEqual([accepted, requests.sendCampaign], [0, undefined]);
	});

	it('a refused question names the 24 hours and the way out', async () => {
		await refuse({ endpoint: 'sendText' }, 'Outside the window');
		const question = {
			...text,
			operation: 'sendAndWait',
			to: people[0].phone,
			message: 'Shall we?',
		};
		const { credential } = await world();
		const node = await workflowWithPeople(question, credential, { executeOnce: true });
		const panel = await Panel.open(await editor(), node);
		await panel.execute();
		await panel.output.getByText("set 'Send As' to Template").first().waitFor();
		assert.doesNotMatch(await panel.output.innerText(), /\[item/);
		await picture('send refused question');
	});

	it('a column name that no item has is reported once', async () => {
		await executed(
			{ ...campaign, to: '={{ $json.mobile }}' },
			"'To' is empty for all 3 recipients: check the exact name of the column or field.",
		);
		await picture('send empty column');
	});

	it('many invalid recipients are listed on separate lines', async () => {
		const list = Array.from({ length: 30 }, (_, index) => ({
			to: index === 3 ? '' : index < 26 ? `x${index}` : people[0].phone,
		}));
		const panel = await executed(
			{ ...campaign, recipients: 'list', recipientList: JSON.stringify(list) },
			'In all, 26 of 30 messages cannot be sent.',
		);
		const description = panel.part('node-error-description');
		const lines = (await description.innerText()).split('\n');
		assert.equal(lines.length, 4);
		assert.match(lines[2], /^recipient 1 \(x0\), .* and 6 more: This is not a phone number/);
		await picture('send invalid recipients');
	});

	it('the error of a refused campaign has no advice that does not help', async () => {
		await refuse({ endpoint: 'sendCampaign' }, 'No credit left');
		const panel = await executed(
			campaign,
			'Not sent to 3 recipients: The service refused: No credit left.',
		);
		assert.doesNotMatch(await panel.output.innerText(), /On Error|\[item/);
		await picture('send refused campaign');
	});

	it('the error of a refused text names the 24 hours and Send Template', async () => {
		await refuse({ endpoint: 'sendText' }, 'Outside the window');
		await executed({ ...text, options: { batchSize: 1 } }, 'older than 24 hours');
		await picture('send refused text');
	});

	it('the error of an empty list says that it is empty', async () => {
		await executed(
			{ ...campaign, recipients: 'list', recipientList: '={{ [] }}' },
			"'Recipient List' is empty: there is nobody to send to.",
		);
		await picture('send empty list');
	});

	it('a skipped duplicate leaves nothing in red', async () => {
		const to = `={{ $itemIndex === 2 ? "${people[0].phone}" : $json.phone }}`;
		const panel = await executed(
			{ ...campaign, to, options: { onDuplicateRecipient: 'skip' } },
			'2 messages accepted as one campaign, 1 skipped.',
		);
		assert.deepEqual(await panel.redInTable(), []);
		await picture('send skipped');
	});

	it('On Error: Continue counts the outcomes of the messages', async () => {
		const { credential } = await world();
		await refuse({ endpoint: 'sendText', recipient: people[1].phone }, 'Outside the window');
		const node = await workflowWithPeople(text, credential, { onError: 'continueRegularOutput' });
		const panel = await Panel.open(await editor(), node);
		await panel.execute();
		await panel.output
			.getByText('2 of 3 messages were accepted, 1 was not sent.')
			.first()
			.waitFor();
		assert.deepEqual(await panel.redInTable(), []);
		await picture('send failures counted');
	});
});
