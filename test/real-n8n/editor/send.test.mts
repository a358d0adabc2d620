import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FaultRule } from '../../../sandbox/faults/rules.mts';
import { world } from '../world/installation.mts';
import { CAMPAIGN, QUESTION, TEXT, type Json } from '../world/nodes.mts';
import { requestsDuring } from '../world/service.mts';
import { openMessaging, people, picture, testSaid } from './world/editor.mts';
import type { Panel } from './world/panel.mts';

async function refuse(match: FaultRule['match'], message: string): Promise<void> {
	const { sandbox } = await world();
	sandbox.world.faults.add([{ match, fault: { kind: 'successFalse', status: 400, message } }]);
}

/** Executes the node, and waits until its output shows the sentence. */
async function executed(parameters: Json, sentence: string, settings?: Json): Promise<Panel> {
	const panel = await openMessaging(parameters, settings);
	await panel.execute();
	await panel.output.getByText(sentence).first().waitFor();
	return panel;
}

describe('the output before and after sending', () => {
	it('Dry Run begins with the recipients and their texts', async () => {
		const panel = await executed({ ...CAMPAIGN, sendMode: 'dryRun' }, 'Dry run: nothing was sent.');
		await panel.output.getByText('We are open').first().waitFor();
		assert.match(
			await panel.output.innerText(),
			/dryRun\s+to\s+text\s+identifier\s+message[\s\S]*447700900211\s+We are open/,
		);
	});

	it('a test has nothing in red, and says of everybody else why they got nothing', async () => {
		const me = '447700900299';
		const panel = await executed(
			{ ...CAMPAIGN, sendMode: 'test', testRecipient: me },
			testSaid(me),
		);
		const reason = panel.output.getByText('Not sent: this was a test, to one number only.');
		await reason.first().waitFor();
		assert.equal(await reason.count(), people.length - 1);
		assert.deepEqual(await panel.redInTable(), []);
	});

	it('before it is executed, the node says that it sends, but not in a dry run', async () => {
		const says = 'Executing this step sends real messages';
		const sending = await openMessaging(CAMPAIGN);
		await sending.output.getByText(says).waitFor();
		await picture('before sending');
		await sending.chooseOption('resource', 'Log');
		await sending.output.getByText(says).waitFor({ state: 'hidden' });
		const byExpression = await openMessaging({ ...CAMPAIGN, sendMode: '={{ $json.mode }}' });
		await byExpression.output.getByText("'Mode' is an expression: unless").waitFor();
		const trying = await openMessaging({ ...CAMPAIGN, sendMode: 'dryRun' });
		await trying.output.getByText('No output data').waitFor();
		assert.equal(await trying.output.getByText(says).count(), 0);
	});

	it('a test without a number sends nothing, and says so', async () => {
		const { sandbox } = await world();
		const { accepted, requests } = await requestsDuring(sandbox, async () => {
			const panel = await executed(
				{ ...CAMPAIGN, sendMode: 'test' },
				"'My Number' is empty. Fill it in",
			);
			await panel.output.getByText('Nothing was sent.').waitFor();
		});
		assert.deepEqual([accepted, requests.sendCampaign], [0, undefined]);
	});

	it('a refused question names the 24 hours and the way out', async () => {
		await refuse({ endpoint: 'sendText' }, 'Outside the window');
		const question = { ...QUESTION, to: people[0].phone };
		const panel = await executed(question, "set 'Send As' to Template", { executeOnce: true });
		assert.doesNotMatch(await panel.output.innerText(), /\[item/);
	});

	it('a column name that no item has is reported once', async () => {
		await executed(
			{ ...CAMPAIGN, to: '={{ $json.mobile }}' },
			"'To' is empty for all 3 recipients: check the exact name of the column or field.",
		);
	});

	it('many invalid recipients are listed on separate lines', async () => {
		const list = Array.from({ length: 30 }, (_, index) => ({
			to: index === 3 ? '' : index < 26 ? `x${index}` : people[0].phone,
		}));
		const panel = await executed(
			{ ...CAMPAIGN, recipients: 'list', recipientList: JSON.stringify(list) },
			'In all, 26 of 30 messages cannot be sent, so the others were not sent either.',
		);
		const description = panel.part('node-error-description');
		const lines = (await description.innerText()).split('\n');
		assert.match(lines[2], /^recipient 1 \(x0\), recipient 2 .*: This is not a phone number/);
		assert.deepEqual(lines.slice(3), ['recipient 4: The recipient is empty.', 'And 6 more.']);
	});

	it('the error of a refused campaign has no advice that does not help', async () => {
		await refuse({ endpoint: 'sendCampaign' }, 'No credit left');
		const panel = await executed(
			CAMPAIGN,
			'Not sent to 3 recipients: The service refused: No credit left.',
		);
		assert.doesNotMatch(await panel.output.innerText(), /On Error|\[item/);
	});

	it('a skipped duplicate leaves nothing in red', async () => {
		const to = `={{ $itemIndex === 2 ? "${people[0].phone}" : $json.phone }}`;
		const panel = await executed(
			{ ...CAMPAIGN, to, options: { onDuplicateRecipient: 'skip' } },
			'2 messages accepted as one campaign, 1 duplicate skipped',
		);
		assert.deepEqual(await panel.redInTable(), []);
	});

	it('On Error: Continue counts the outcomes of the messages', async () => {
		await refuse({ endpoint: 'sendText', recipient: people[1].phone }, 'Outside the window');
		const panel = await executed(TEXT, '2 of 3 messages were accepted, 1 was not sent.', {
			onError: 'continueRegularOutput',
		});
		assert.deepEqual(await panel.redInTable(), []);
	});
});
