import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { itemsOf } from '../../../demo/n8n/rest/executions.mts';
import { activateWorkflow, changeNode, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { hintsOf } from '../../../demo/story/code.mts';
import { world } from '../world/installation.mts';
import {
	byHand,
	byWebhook,
	CAMPAIGN,
	inARow,
	into,
	items,
	messaging,
	MESSAGING,
	node,
	nothing,
	QUESTION,
	START,
	TEXT,
	type Json,
} from '../world/nodes.mts';
import { newPeople, timesAccepted, type Person } from '../world/service.mts';
import { enterCodes } from '../world/sendByHand.mts';
import { call, ended, errorOf, latest, save } from '../world/workflows.mts';

/*
 * What people do in the editor with a list: after each press, the messages of each person are counted. Nobody gets the same again
 * unless a dry run has said so.
 */

const stage = await world();
const LIST = 'List of People';
const ASKED = /^Nothing was sent\. .*only with a code from its dry run/;

const nodesFor = (people: Person[], parameters: Json, settings: Json = {}) => [
	...items('People', people),
	messaging(stage.credential, parameters, settings),
	nothing('After'),
];

/** The presses of a person in a saved workflow that sends to a list. */
function pressesIn(id: string) {
	const press = async () => await ended(stage, await runWorkflow(stage.session, id, START));
	const refusal = async () => {
		const error = errorOf(await press()) ?? '';
		assert.match(error, ASKED);
		return error;
	};
	return {
		press,
		/** Presses *Execute workflow*, which must be refused. @returns the error */
		refusal,
		/** Makes the dry run, and enters the code. @returns what the dry run says in its last line */
		async enterCode() {
			return hintsOf(await enterCodes(stage, id), MESSAGING).at(-1) ?? '';
		},
		/** Presses *Execute workflow*, which must send. */
		async sends() {
			const execution = await press();
			assert.equal(execution.status, 'success', errorOf(execution));
		},
		change: async (parameters: Json) => await changeNode(stage.session, id, MESSAGING, parameters),
		setList: async (people: Person[]) =>
			await changeNode(stage.session, id, LIST, {
				jsonOutput: JSON.stringify({ elements: people }),
			}),
	};
}

const workflowFor = async (people: Person[], parameters: Json = TEXT, settings?: Json) =>
	pressesIn(await save(stage, [byHand(), ...nodesFor(people, parameters, settings)]));

/** Asserts how many messages each of these people has. */
const have = (people: Person[], times: number) =>
	assert.deepEqual(
		timesAccepted(stage.sandbox, people),
		people.map(() => times),
	);

const refuseAll = (endpoint: 'sendText' | 'sendCampaign') =>
	stage.sandbox.world.faults.add([
		{ match: { endpoint }, times: 0, fault: { kind: 'status', status: 400 } },
	]);

describe('By hand', () => {
	afterEach(() => stage.sandbox.world.faults.clear());

	for (const [name, parameters, count, said] of [
		['texts', TEXT, 20, /At least 5 of these 20 messages were sent from the editor before/],
		['a campaign', CAMPAIGN, 100, /Some of these 100 messages were sent .*: at least 5\./],
	] as const) {
		it(`${name}: the first 5 of ${count}, then all: refused, said by the dry run, and sent to the others`, async () => {
			const people = newPeople(count);
			const [first, others] = [people.slice(0, 5), people.slice(5)];
			const { refusal, enterCode, sends, setList } = await workflowFor(first, parameters);
			await refusal();
			await enterCode();
			await sends();
			have(first, 1);
			await setList(people);
			assert.match(await refusal(), said);
			assert.match(await enterCode(), said);
			await setList(others);
			await sends();
			have(people, 1);
			await refusal();
			have(people, 1);
		});
	}

	it('a workflow that was published in the morning: Execute workflow sends nothing', async () => {
		const people = newPeople(5);
		const nodes = nodesFor(people, TEXT);
		const path = `by-hand-${people[0].phone}`;
		const [webhook, manual] = [byWebhook(path), byHand()];
		const id = await save(stage, [webhook, manual, ...nodes], {
			connections: {
				...inARow(nodes),
				[webhook.name]: { main: [[into(LIST)]] },
				[manual.name]: { main: [[into(LIST)]] },
			},
		});
		await activateWorkflow(stage.session, id);
		assert.equal((await call(`${stage.url}/webhook/${path}`, {})).status, 200);
		assert.equal((await ended(stage, await latest(stage, id))).status, 'success');
		have(people, 1);
		await pressesIn(id).refusal();
		have(people, 1);
	});

	it('a run that reached nobody gives its code back, and forgets nothing that was sent before', async () => {
		const people = newPeople(30);
		const [first, shown] = [people.slice(0, 10), people.slice(1)];
		const { refusal, enterCode, sends, press, setList } = await workflowFor(first, CAMPAIGN);
		await enterCode();
		await sends();
		have(first, 1);
		await setList(shown);
		assert.match(await enterCode(), /At least 9 of these 29 messages were sent/);
		refuseAll('sendCampaign');
		assert.equal((await press()).status, 'error');
		stage.sandbox.world.faults.clear();
		await setList(first);
		assert.match(await refusal(), /^Nothing was sent\. 10 of these 10 .* said fewer/);
		have(first, 1);
		await setList(people.slice(10));
		await sends();
		have(people, 1);
	});

	it('Language is named, with the same text: a used code sends nothing', async () => {
		const people = newPeople(4);
		const { refusal, enterCode, sends, change } = await workflowFor(people, CAMPAIGN);
		await enterCode();
		await sends();
		await change({ options: { language: 'en_US' } });
		const error = await refusal();
		assert.match(error, /^Nothing was sent\. 4 of these 4 messages were sent/);
		assert.match(error, /does not count\. Perhaps it was used before/);
		have(people, 1);
	});

	for (const onError of ['continueRegularOutput', 'continueErrorOutput']) {
		it(`On Error: ${onError}: a refusal outputs no items, and stands above the output`, async () => {
			const people = newPeople(3);
			const { press } = await workflowFor(people, TEXT, { onError });
			const execution = await press();
			assert.equal(execution.status, 'success');
			assert.match(hintsOf(execution, MESSAGING).join(), ASKED);
			for (const output of [0, 1]) assert.deepEqual(itemsOf(execution, MESSAGING, output), []);
			assert.equal(execution.runs.After, undefined);
			have(people, 0);
		});
	}

	it('Execute workflow from the trigger of an evaluation sends nothing, and asks nobody', async () => {
		const people = newPeople(2);
		const { id: project } = await stage.session.get<Json>('/rest/projects/personal');
		const tables = `/rest/projects/${project}/data-tables`;
		const name = `Evaluation ${people[0].phone}`;
		const columns = [{ name: 'phone', type: 'string' }];
		const { id: value } = await stage.session.post<Json>(tables, { name, columns });
		await stage.session.post(`${tables}/${value}/insert`, { data: people });
		for (const parameters of [TEXT, QUESTION]) {
			const rows = node('Rows', 'n8n-nodes-base.evaluationTrigger', 4.7, {
				source: 'dataTable',
				dataTableId: { __rl: true, mode: 'id', value },
			});
			const id = await save(stage, [rows, messaging(stage.credential, parameters)]);
			const execution = await ended(stage, await runWorkflow(stage.session, id, 'Rows'));
			assert.match(errorOf(execution) ?? '', /^Nothing was sent\. In an evaluation, this node/);
		}
		have(people, 0);
	});

	it('of two presses at the same moment, one sends', async () => {
		for (let times = 0; times < 2; times++) {
			const people = newPeople(4);
			const { press, enterCode } = await workflowFor(people);
			await enterCode();
			const both = await Promise.all([press(), press()]);
			assert.deepEqual(both.map(({ status }) => status).sort(), ['error', 'success']);
			have(people, 1);
		}
	});
});
