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

test('there are examples, and their ids and names are unique', () => {
	expect(EXAMPLES.length).toBeGreaterThanOrEqual(8);
	for (const field of ['id', 'name'] as const) {
		const all = EXAMPLES.map(([, example]) => example[field]);
		expect(all).toEqual([...new Set(all)]);
	}
});

test('nodes find a data table by its id, because by name n8n finds any table whose name contains it', () => {
	const isTable = ({ type }: ExampleNode) => type === 'n8n-nodes-base.dataTable';
	const tables = EXAMPLES.flatMap(([, { nodes }]) => nodes.filter(isTable));
	const made = tables.flatMap(({ parameters: { tableName } }) => tableName ?? []) as string[];
	expect(made).not.toEqual([]);
	const alike = (name: string) => made.filter((other) => other.includes(name));
	expect(made.map(alike)).toEqual(made.map((name) => [name]));

	const used = tables.flatMap(({ parameters: { dataTableId } }) => dataTableId ?? []);
	expect(used.length).toBeGreaterThanOrEqual(made.length);
	for (const table of used)
		expect(table).toMatchObject({ mode: 'id', value: "={{ $('Table').first().json.id }}" });
});

describe.each(EXAMPLES)('%s', (file, { id, nodes, connections, ...rest }) => {
	const [, name] = /([\w-]+)\.json$/.exec(file)!;

	test('has a sticky note that explains it', () => {
		const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		expect(notes.map(({ parameters }) => parameters.content)).toEqual([
			expect.stringMatching(/^## .+\n\n.{100}/s),
		]);
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
