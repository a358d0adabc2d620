import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { world } from '../world/installation.mts';
import { byHand, CAMPAIGN, messaging, named, node, type Json, type Node } from '../world/nodes.mts';
import { requestsDuring } from '../world/service.mts';
import { startToSend } from '../world/sendByHand.mts';
import { start, succeeded } from '../world/workflows.mts';

const stage = await world();

/* The journey with a list of one's own: a file as other programs export it, a dry run, the sending, the report. */

const set = (name: string, json: Json): Node =>
	node(name, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(json) });

const toFile = (operation: string, parameters: Json): Node =>
	node('File', 'n8n-nodes-base.convertToFile', 1.1, { operation, ...parameters });

const fromFile = (operation: string, options: Json = {}): Node =>
	node('List', 'n8n-nodes-base.extractFromFile', 1, { operation, options });

/** A list, and the offer to each person of it. */
async function run(list: Node[], more: Json = {}, behind: Node[] = []) {
	const campaign = messaging(
		stage.credential,
		{
			...CAMPAIGN,
			template: named('spring_offer'),
			templateParameters: {
				mappingMode: 'defineBelow',
				value: { 1: '={{ $json.name }}', 2: '={{ $json.offer }}' },
			},
			...more,
		},
		{ name: 'Campaign' },
	);
	const nodes = [byHand(), ...list, campaign, ...behind];
	const begin = more.sendMode === 'dryRun' ? start : startToSend;
	const { result, accepted } = await requestsDuring(
		stage.sandbox,
		async () => await succeeded(stage, await begin(stage, nodes)),
	);
	return { items: outputOf(result, 'Campaign'), result, accepted };
}

const DRY_RUN = { sendMode: 'dryRun' };

/** To read a file, n8n needs date-fns, which only demo/n8n installs beside it. */
const options = { skip: process.env.MESSAGING_N8N === 'oldest' && 'n8n cannot read files here' };

describe('a list of one’s own', options, () => {
	it('a sheet with several countries: the dry run shows the row that cannot be sent; corrected, all get it, and the report has their names', async () => {
		const people = [
			{ name: 'Ada', phone: '+1 202 555 0111', offer: '20%' },
			{ name: 'Ben', phone: 491713920020, offer: '25%' },
			{ name: 'Chloe', phone: '+61 491 570 156', offer: '30%' },
			{ name: 'Dora', phone: '020 7946 0114', offer: '35%' },
		];
		const sheet = (rows: Json[]): Node[] => [
			set('Rows', { rows }),
			node('Row', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			toFile('xlsx', { options: {} }),
			fromFile('xlsx'),
		];
		const tried = await run(sheet(people), DRY_RUN);
		assert.equal(tried.accepted, 0);
		assert.deepEqual(
			tried.items.map(({ to, status, country }) =>
				status === 'invalid' ? 'refused' : [to, country],
			),
			[['12025550111', '+1'], ['491713920020', '+49'], ['61491570156', '+61'], 'refused'],
		);
		assert.match(tried.items[3].reason, /country code/i);

		people[3].phone = '+44 20 7946 0114';
		const report = messaging(
			stage.credential,
			{
				resource: 'campaign',
				operation: 'getReport',
				output: 'recipients',
				options: { waitForCompletion: { values: { longestWait: 1, interval: 1 } } },
			},
			{ name: 'Report' },
		);
		const who = node('Who', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: '={{ { name: $("List").item.json.name, status: $json.status } }}',
		});
		const sent = await run(sheet(people), {}, [report, who]);
		assert.equal(sent.accepted, 4);
		assert.deepEqual(
			outputOf(sent.result, 'Who'),
			people.map(({ name }) => ({ name, status: 'delivered' })),
		);
	});
});
