import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../../demo/setup/paths.mjs';
import type { FaultRule } from '../../../sandbox/faults/rules.mts';
import { world } from '../world/installation.mts';
import {
	byHand,
	CAMPAIGN,
	items,
	messaging,
	node,
	TEXT,
	type Json,
	type Node,
} from '../world/nodes.mts';
import { acceptedIn, openMessaging, openNode, people, picture } from './world/editor.mts';
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
			/to\s+status\s+reason\s+country\s+text\s+identifier\s+dryRun\s+message[\s\S]*12025550111\s+ready\s+-\s+\+1\s+We are open/,
		);
	});

	it('Dry Run shows rows that cannot be sent beside the others, low enough to read', async () => {
		const to = "={{ $json.name === 'Ben' ? '0770 090' : $json.phone }}";
		const panel = await executed(
			{ ...CAMPAIGN, to, sendMode: 'dryRun' },
			'Dry run: nothing was sent. 2 messages in 1 request; 1 of 3 rows cannot be sent: ',
		);
		await panel.output.getByText('Destinations: 2 to +1 (United States and others).').waitFor();
		await panel.output.getByText('This is not a phone number').first().waitFor();
		const rows = await panel.output.locator('tbody tr').allInnerTexts();
		assert.equal(rows.length, 3);
		assert.match(rows[1], /^0770 090\s.*This is not a phone number/s);
		assert.doesNotMatch(await panel.output.innerText(), /were not sent either|retry/);
		const row = (await panel.output.locator('tbody tr').first().boundingBox())!;
		assert.ok(row.height < 200, `${row.height}`);
	});

	it('before it is executed, the node says that it sends, but not in a dry run', async () => {
		const says = 'Executing this step sends real messages';
		const sending = await openMessaging(CAMPAIGN);
		await sending.output.getByText(says).waitFor();
		await picture('before sending');
		// Mode is directly below Operation.
		const fields = await sending.part('node-parameters').innerText();
		assert.match(fields, /Operation\s+Mode\s/);
		await sending.chooseOption('resource', 'Log');
		await sending.output.getByText(says).waitFor({ state: 'hidden' });
		const trying = await openMessaging({ ...CAMPAIGN, sendMode: 'dryRun' });
		await trying.output.getByText('No output data').waitFor();
		assert.equal(await trying.output.getByText(says).count(), 0);
	});

	it('many invalid recipients are listed on separate lines', async () => {
		const list = Array.from({ length: 30 }, (_, index) => ({
			phone: index === 3 ? '' : index < 26 ? `x${index}` : people[0].phone,
		}));
		const { credential } = await world();
		const panel = await openNode([
			byHand(),
			...items('People', list),
			messaging(credential, CAMPAIGN),
		]);
		await panel.execute();
		await panel.output.getByText('26 of 30 rows cannot be sent.').first().waitFor();
		const description = panel.part('node-error-description');
		const lines = (await description.innerText()).split('\n');
		assert.match(lines[1], /^item 1 \(x0\), item 2 .*: This is not a phone number/);
		assert.deepEqual(lines.slice(2), ['item 4: The recipient is empty.', 'And 6 more.']);
	});

	const { nodes: imported } = JSON.parse(
		readFileSync(join(root, 'examples', 'first-campaign.json'), 'utf8'),
	) as { nodes: Node[] };
	const sender = imported.find(({ name }) => name === 'Send campaign')!;
	const SENDERS: Array<[name: string, parameters: Json]> = [
		['of a template without placeholders', CAMPAIGN],
		['that was imported', { ...sender.parameters, sendMode: 'send' }],
	];
	for (const [name, parameters] of SENDERS) {
		it(`looking at a sender ${name} for the first time does not make the next node send again`, async () => {
			const { credential } = await world();
			// One recipient: the same messages to several would be refused.
			const list = items('People', people.slice(0, 1));
			const next = node('Next', 'n8n-nodes-base.set', 3.4, {});
			const panel = await openNode([byHand(), ...list, messaging(credential, parameters), next]);
			assert.equal(await acceptedIn(panel), 1);
			await panel.output.getByText('1 item').first().waitFor();
			await panel.openAgain();
			await panel.preview.getByText(/^Preview of/).waitFor();
			await panel.openAgain('Next');
			assert.equal(await acceptedIn(panel), 0);
		});
	}

	it('a partial failure says whom it concerns, what not to do, and how it ends', async () => {
		await refuse({ endpoint: 'sendText', recipient: people[1].phone }, 'Outside the window');
		const panel = await executed(TEXT, 'Do not execute again.', { withCode: true });
		const said = await panel.output.innerText();
		assert.match(said, /3 messages: 2 accepted, 1 not sent\. Not sent to 12025550112: /);
		assert.match(said, /press its arrow 'Retry execution' \(not 'Debug in editor'\)/);
		assert.match(said, /first set 'On Error' to 'Continue'/);
	});
});
