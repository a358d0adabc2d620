import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { outputOf } from '../../../demo/n8n/rest/executions.mts';
import { activateWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { type Change, imported, live, played, withList } from '../world/examples.mts';
import { world } from '../world/installation.mts';
import { into, type Json } from '../world/nodes.mts';
import { fillIn } from '../world/questions.mts';

const stage = await world();

/* The recipe "Let people opt out", "In your own workflow" (docs/recipes.md), done step by step in the workflow of the first campaign. */

const example = JSON.parse(
	readFileSync(new URL('../../../examples/opt-out-page.json', import.meta.url), 'utf8'),
) as { nodes: Json[]; connections: Json };

/** Copies nodes of the opt-out page, as a person does who has both workflows open: with the connections between them. */
function copied(workflow: Json, ...names: string[]) {
	const isCopied = ({ node }: Json) => names.includes(node);
	for (const name of names) {
		const node = structuredClone(example.nodes.find((each) => each.name === name)!);
		if (node.credentials) node.credentials = { messagingApi: stage.credential };
		workflow.nodes.push({ ...node, id: randomUUID() });
		const outputs: Json[][] = example.connections[name]?.main ?? [];
		workflow.connections[name] = { main: outputs.map((each) => each.filter(isCopied)) };
	}
}

const recipe: Change = (_, name, workflow) => {
	// Once, with the first node.
	if (name !== workflow.nodes[0].name) return;
	const { nodes, connections } = workflow;
	const nodeOf = (wanted: string) => nodes.find((each: Json) => each.name === wanted);
	// 1
	copied(workflow, 'Opt-outs');
	connections['When you press Execute'] = { main: [[into('Opt-outs')]] };
	connections['Opt-outs'] = { main: [[into('People')]] };
	// 2
	copied(
		workflow,
		...['Read the numbers', 'Is it a number?', 'Has not opted out', 'Opted out'],
		...['Look at these', 'Not everybody got it'],
	);
	connections['Has anybody agreed?'].main[0] = [into('Read the numbers')];
	connections['Has not opted out'] = { main: [[into('Send campaign')]] };
	// 3
	const { parameters } = nodeOf('Send campaign');
	parameters.to = '={{ $json.to }}';
	parameters.templateParameters.value['1'] = "={{ $('Only those who agreed').item.json.name }}";
};

/** People of a list of one's own, to whom no other test sends. */
const people = Array.from({ length: 25 }, (_, index) => ({
	name: `Person ${index}`,
	phone: `+1 415 555 02${String(index).padStart(2, '0')}`,
	agreed: 'yes',
}));
const digits = ({ phone }: Json) => String(phone).replace(/\D/g, '');
const gone = [people[3], people[11], people[24]];

/** Executes the first campaign with the recipe in it. */
async function sent(rows: Json[], mode: Change = live) {
	const workflow = await imported(
		stage,
		'first-campaign',
		...[recipe, withList('People', rows), mode],
	);
	const { execution, accepted, error } = await played(stage, workflow);
	const named = (node: string) => outputOf(execution, node).map(({ to }) => String(to));
	return { to: accepted.map(({ to }) => String(to)), error, named, execution };
}

describe('the recipe "Let people opt out", in the workflow of the first campaign', () => {
	before(async () => {
		const path = randomUUID();
		const ofItsOwn: Change = (parameters, node) => {
			if (node === 'Opt-out page') parameters.options = { ...parameters.options, path };
		};
		await activateWorkflow(stage.session, await imported(stage, 'opt-out-page', ofItsOwn));
		for (const { phone } of gone) {
			assert.match(await fillIn(`${stage.url}/form/${path}`, phone), /We will not write to/);
		}
	});

	it('of 25 people 3 have opted out: 22 get it, and the 3 are named', async () => {
		const { to, named, execution, error } = await sent(people);
		assert.equal(execution.status, 'success', error);
		assert.equal(to.length, 22);
		assert.deepEqual(named('Opted out'), gone.map(digits));
		assert.deepEqual([...to, ...named('Opted out')].sort(), people.map(digits).sort());
		assert.equal(outputOf(execution, 'Report')[0].recipients, 22);
	});

	it('a dry run shows 22, and sends nothing', async () => {
		const { to, named } = await sent(people, () => undefined);
		assert.deepEqual([to.length, named('Send campaign').length], [0, 22]);
	});

	it('with bad rows in the list, everybody else gets it, and the execution names them', async () => {
		const bad = [
			{ name: 'Nora Empty', phone: '', agreed: 'yes' },
			{ name: 'Nils Words', phone: 'ask her husband', agreed: 'yes' },
		];
		const { to, named, error } = await sent([bad[0], ...people, bad[1]]);
		assert.equal(to.length, 22);
		assert.deepEqual(named('Opted out'), gone.map(digits));
		assert.match(error ?? '', /^Not everybody got the message: Nora Empty \(.*Nils Words \(/);
	});
});
