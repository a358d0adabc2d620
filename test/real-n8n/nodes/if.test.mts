import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { itemsOf } from '../../../demo/n8n/rest/executions.mts';
import { world } from '../world/installation.mts';
import {
	byHand,
	CAMPAIGN,
	into,
	items,
	type Json,
	messaging,
	node,
	TEXT,
} from '../world/nodes.mts';
import { newPeople } from '../world/service.mts';
import { errorOf, ended, start } from '../world/workflows.mts';

/*
 * n8n's own If node behind the output. An item has only the fields that it has: with an invented `error: false`, the usual If
 * ended the execution after sending (strict), or counted everybody as failed (loose), as soon as one message had failed.
 */

const stage = await world();

type Question = [left: string, type: string, operation: string];

/** Asks n8n's If node, strict as it is by default, or with *Convert types where required*. */
function question(name: string, [leftValue, type, operation]: Question, isLoose: boolean) {
	const condition = {
		id: name,
		leftValue,
		rightValue: '',
		operator: { type, operation, singleValue: true },
	};
	return node(name, 'n8n-nodes-base.if', 2.2, {
		conditions: {
			options: {
				caseSensitive: true,
				leftValue: '',
				typeValidation: isLoose ? 'loose' : 'strict',
				version: 2,
			},
			conditions: [condition],
			combinator: 'and',
		},
		looseTypeValidation: isLoose,
		options: {},
	});
}

/**
 * Runs a workflow that ends with several If nodes beside each other, each strict and loose.
 *
 * @returns for each question the input items, from 0, for which the answer was yes
 */
async function answers(nodes: Json[], questions: Question[]): Promise<Array<[number[], number[]]>> {
	const nameOf = (nth: number, isLoose: boolean) =>
		`Question ${nth} ${isLoose ? 'loose' : 'strict'}`;
	const asked = questions.flatMap((each, nth) =>
		[false, true].map((isLoose) => question(nameOf(nth, isLoose), each, isLoose)),
	);
	const names = nodes.map(({ name }) => name as string);
	const connections = Object.fromEntries(
		names.map((name, index) => [
			name,
			{
				main: [
					index + 1 < names.length
						? [into(names[index + 1])]
						: asked.map((each) => into(each.name)),
				],
			},
		]),
	);
	const all = [...nodes, ...asked] as Parameters<typeof start>[1];
	const execution = await ended(stage, await start(stage, all, { connections }));
	assert.equal(execution.status, 'success', errorOf(execution));
	const yes = (name: string) =>
		itemsOf(execution, name, 0).map(({ pairedItem }) => {
			const [first] = [pairedItem].flat();
			return typeof first === 'object' ? (first as { item: number }).item : Number(first);
		});
	return questions.map((_, nth) => [yes(nameOf(nth, false)), yes(nameOf(nth, true))]);
}

const both = (...yes: number[]): [number[], number[]] => [yes, yes];

describe("n8n's If behind the node", () => {
	afterEach(() => stage.sandbox.world.faults.clear());

	it('with On Error: Continue, of two people of whom one fails, each is on the side where they belong', async () => {
		const people = newPeople(2);
		stage.sandbox.world.faults.add([
			{
				match: { endpoint: 'sendText', recipient: people[0].phone as string },
				fault: { kind: 'status', status: 400 },
			},
		]);
		const send = messaging(stage.credential, TEXT, { onError: 'continueRegularOutput' });
		const error = '={{ $json.error }}';
		const found = await answers(
			[byHand(), ...items('People', people), send],
			[
				[error, 'string', 'exists'],
				[error, 'string', 'notEmpty'],
				[error, 'string', 'notExists'],
				[error, 'string', 'empty'],
				['={{ $json.id }}', 'string', 'exists'],
				['={{ !!$json.error }}', 'boolean', 'true'],
				['={{ $json.details }}', 'object', 'exists'],
			],
		);
		assert.deepEqual(found, [both(0), both(0), both(1), both(1), both(1), both(0), both(0)]);
	});

	it('behind a test, the test and the skipped are told apart', async () => {
		const parameters = { ...CAMPAIGN, sendMode: 'test', testRecipient: '447700900299' };
		const send = messaging(stage.credential, parameters);
		const found = await answers(
			[byHand(), ...items('People', newPeople(2)), send],
			[
				['={{ $json.skipped }}', 'boolean', 'exists'],
				['={{ $json.skipped }}', 'boolean', 'true'],
				['={{ $json.test }}', 'boolean', 'exists'],
				['={{ $json.campaign_id }}', 'string', 'exists'],
			],
		);
		assert.deepEqual(found, [both(1), both(1), both(0), both(0)]);
	});

	it('behind a report with somebody who is not in the logs', async () => {
		const send = messaging(stage.credential, CAMPAIGN);
		const rows = node('Rows', 'n8n-nodes-base.code', 2, {
			jsCode:
				"const sent = $input.all(); return [sent[0], { json: { ...sent[1].json, identifier: 'nobody' }, pairedItem: 1 }];",
		});
		const report = messaging(
			stage.credential,
			{ resource: 'campaign', operation: 'getReport', output: 'recipients' },
			{ name: 'Report' },
		);
		const found = await answers(
			[byHand(), ...items('People', newPeople(2)), send, rows, report],
			[
				['={{ $json.status }}', 'string', 'exists'],
				['={{ $json.missing }}', 'boolean', 'exists'],
				['={{ $json.missing }}', 'boolean', 'true'],
			],
		);
		// Third, the record of whom no row names.
		assert.deepEqual(found, [both(0, 2), both(1), both(1)]);
	});
});
