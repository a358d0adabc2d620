import { publicContract, type Contract } from './contract';
import { Summary } from '../../nodes/Messaging/logs/summary';
import { useHarness } from '../support/harness';
import { runMessaging, sending } from '../support/runMessaging';
import { filesIn, readText } from './files';

/*
 * Checks the files of examples/. test/real-n8n/nodes runs them in the real n8n, but n8n ignores parameters that do not
 * exist, so only these tests notice them.
 */

type ExampleNode = {
	name: string;
	type: string;
	parameters: { [name: string]: unknown };
	credentials?: object;
};
type Example = { id: string; name: string; nodes: ExampleNode[]; connections: object };

const EXAMPLES = filesIn('examples', '.json').map((file): [string, Example] => [
	file,
	JSON.parse(readText(file)) as Example,
]);
const harness = useHarness();

const { nodes: NODES, operations: OPERATIONS } = publicContract() as { [part: string]: Contract };

const isOurs = ({ type }: ExampleNode) => type.startsWith('n8n-nodes-messaging.');
const ownNodes = EXAMPLES.flatMap(([file, { nodes }]) =>
	nodes.filter(isOurs).map((node): [string, ExampleNode] => [`${file}: ${node.name}`, node]),
);

/** The parameters of a node's operation. n8n derives the variants for agents (`Tool`, `HitlTool`) from the node. */
function parametersOf({ type, parameters: set }: ExampleNode): Contract {
	const { parameters, polling } = NODES[type.replace(/(Hitl)?Tool$/, '')] as {
		parameters: Contract;
		polling?: true;
	};
	// n8n itself adds the field for the poll interval.
	if (!('resource' in parameters)) return { ...parameters, ...(polling && { pollTimes: {} }) };
	return {
		...(OPERATIONS[`${String(set.resource)} ${String(set.operation)}`] as Contract),
		resource: parameters.resource,
		operation: parameters[`${String(set.resource)} operation`],
	};
}

const isNote = ({ type }: ExampleNode) => type.endsWith('.stickyNote');

const noteOf = (nodes: ExampleNode[]) => String(nodes.find(isNote)?.parameters.content);

/** The mode of a node that sends; undefined if it has none, and so always sends. */
const modeOf = (node: ExampleNode) =>
	'sendMode' in parametersOf(node) ? (node.parameters.sendMode ?? 'send') : undefined;

/** Names of nodes that are never switched to another mode. */
const STAYS_DRY = /^(Read the numbers?|Dry run)$/;

test('there are examples, and their ids and names are unique', () => {
	expect(EXAMPLES.length).toBeGreaterThanOrEqual(8);
	for (const field of ['id', 'name'] as const) {
		const all = EXAMPLES.map(([, example]) => example[field]);
		expect(all).toEqual([...new Set(all)]);
	}
});

test('nodes find a data table by its id, because by name n8n finds any table whose name contains it', () => {
	const isTable = ({ type }: ExampleNode) => type === 'n8n-nodes-base.dataTable';
	const names = EXAMPLES.flatMap(([, { nodes }]) => {
		const makers = nodes.filter(({ parameters }) => parameters.tableName !== undefined);
		const byId = makers.map(({ name }) => `={{ $('${name}').first().json.id }}`);
		const used = nodes.filter(isTable).flatMap(({ parameters }) => parameters.dataTableId ?? []);
		for (const table of used as Contract[]) expect(byId).toContain(table.value);
		expect(used.map((table) => (table as Contract).mode)).toEqual(used.map(() => 'id'));
		// Two nodes of one workflow may make the same table.
		return [...new Set(makers.map(({ parameters }) => parameters.tableName as string))];
	});
	expect(names.length).toBeGreaterThan(3);
	const alike = (name: string) => names.filter((other) => other.includes(name));
	expect(names.map(alike)).toEqual(names.map((name) => [name]));
});

describe.each(EXAMPLES)('%s', (file, { id, nodes, connections, ...rest }) => {
	const [, name] = /([\w-]+)\.json$/.exec(file)!;

	test('has a sticky note that explains it', () => {
		expect(nodes.filter(isNote)).toHaveLength(1);
		expect(noteOf(nodes)).toMatch(/^## .+\n\n.{100}/s);
	});

	const own = nodes.filter(isOurs);
	const sending = own.filter(({ parameters: { operation } }) => /^send/.test(String(operation)));
	const [first, ...others] = noteOf(nodes).split('\n\n').slice(1);

	test('its note begins with whether it sends, and what it costs; it starts in Dry Run if it can', () => {
		const modes = sending.map((node) => [node, modeOf(node)] as const);
		if (sending.length === 0) {
			expect(first).toMatch(/^\*\*Sends (nothing|no message to your customers).* costs nothing/);
		} else if (modes.every(([, mode]) => mode === 'dryRun')) {
			expect(first).toMatch(/^\*\*Starts in \*Dry Run\*: it sends nothing until/);
		} else {
			expect(first).toMatch(
				/^\*\*(This workflow sends|Sends a message|Asks one person by a message)/,
			);
			expect(first).toMatch(/Change the|\(change the/);
		}
		if (sending.length > 0) expect(first).toContain('charge');
		// Every node that has to be switched is named, the others are left as they are.
		const toSwitch = modes.filter(([{ name: sender }, mode]) => mode && !STAYS_DRY.test(sender));
		for (const [{ name: sender }, mode] of toSwitch)
			if (mode === 'dryRun') expect(first).toContain(`*${sender}*`);
	});

	test('its note says what to change, and in which nodes', () => {
		const change = others.find((part) => part.startsWith('**Change:**')) ?? '';
		for (const { name: changed, parameters } of own) {
			expect(change).toContain(`**${changed}**`);
			for (const field of ['from', 'template'].filter((each) => each in parameters))
				expect(change).toContain(field === 'from' ? 'sender' : field);
		}
		expect(change).toContain('credential');
	});

	test('can be imported: a valid id, links between its own nodes, no data of a run', () => {
		expect(id).toMatch(/^\w{1,21}$/);
		const names = nodes.map((node) => node.name);
		const linked = [...JSON.stringify(connections).matchAll(/"node":"([^"]+)"/g)].map(
			([, node]) => node,
		);
		expect(
			[...Object.keys(connections), ...linked].filter((each) => !names.includes(each)),
		).toEqual([]);
		expect(Object.keys(rest).sort()).toEqual(['name', 'settings']);
	});

	test('is run in the end-to-end tests, and listed in examples/README.md', () => {
		const runs = [...filesIn('test/real-n8n/nodes', '.mts'), 'demo/story/examples.mts'].filter(
			(tests) => new RegExp(`['"/]${name}(\\.json)?['"]`).test(readText(tests)),
		);
		expect(runs).not.toEqual([]);
		expect(readText('examples/README.md')).toContain(`(${name}.json)`);
	});
});

describe.each(ownNodes)('%s', (_, node) => {
	test('has only parameters and values that exist', () => {
		const known = parametersOf(node);
		expect(Object.keys(node.parameters).filter((name) => !(name in known))).toEqual([]);
		const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');
		for (const [name, value] of Object.entries(node.parameters)) {
			const { values } = known[name] as { values?: unknown[] };
			if (values && !isExpression(value)) {
				for (const chosen of [value].flat()) expect(values).toContain(chosen);
			}
		}
		const options = Object.keys((node.parameters.options ?? {}) as object);
		expect(options.filter((name) => !(`options › ${name}` in known))).toEqual([]);
	});

	test('a sender, a template and a campaign are chosen as the editor saves them', () => {
		const { from, template, campaignId } = node.parameters as { [name: string]: Contract };
		for (const chosen of [from, template].filter((each) => each !== undefined))
			expect(chosen).toMatchObject({ mode: 'list', cachedResultName: expect.any(String) });
		if (campaignId)
			expect(campaignId).toMatchObject({ __rl: true, mode: expect.stringMatching(/^(id|list)$/) });
	});

	test('values are not sent with another template than the one for which they were entered', () => {
		const { template, templateParameters } = node.parameters as { [name: string]: Contract };
		if (!templateParameters) return;
		const ids = (templateParameters.schema as Contract[]).map(({ id }) => id);
		expect(ids).toEqual([
			...Object.keys(templateParameters.value as Contract),
			`template:${String(template.value)}`,
		]);
	});

	test('has the credential of the sandbox, and no other', () => {
		expect(node.credentials).toEqual({
			messagingApi: { id: 'messagingSandbox', name: 'Messaging sandbox' },
		});
	});
});

test('completed-report-alert: a delivered message with a reason is not counted as failed', async () => {
	const [, { nodes }] = EXAMPLES.find(([, { id }]) => id === 'completedReportAlert')!;
	const [, failures] = /"leftValue":"=({{[^"]+)"/.exec(JSON.stringify(nodes))!;
	const summary = new Summary();
	const record = { createdAt: '2026-01-01T00:00:00Z', units: 1 };
	for (const [status, reason, delivered] of [
		['delivered', 'Message delivered', '2026-01-01T00:00:01Z'],
		['delivered', 'Message delivered', '2026-01-01T00:00:01Z'],
		['failed', 'No such number', null],
		['sent', null, null],
	]) {
		summary.add({ ...record, status, reason, delivered_time: delivered } as never);
	}
	const { outputs, error } = await runMessaging(
		harness,
		sending('sendText', { to: '385911000001', message: `=${failures} failed`, sendMode: 'dryRun' }),
		{ items: [summary.result('c-1', 4, {}, String) as never] },
	);
	expect(error).toBeUndefined();
	expect(JSON.stringify(outputs[0][0].json)).toContain('"1 failed"');
});
