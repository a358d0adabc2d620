import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { failedExpression } from '../../../nodes/Messaging/n8n/failedExpression';
import { ItemParameters } from '../../../nodes/Messaging/n8n/itemParameters';
import { credentials } from '../../support/mockService';
import { useHarness } from '../../support/harness';

const harness = useHarness();
/** Calls `work` with the context of a node that is running with these items. */
async function inExecution(items: IDataObject[], work: (context: IExecuteFunctions) => void) {
	const nodeType = harness.nodeTypes.getByNameAndVersion(harness.type('messaging'));
	let worked = false;
	const spy = jest.spyOn(nodeType, 'execute').mockImplementation(async function (
		this: IExecuteFunctions,
	) {
		work(this);
		worked = true;
		return [[]];
	});
	const parameters = {
		resource: 'message',
		operation: 'sendText',
		from: 'x',
		to: 'x',
		message: 'x',
	};
	const { error } = await harness.run('messaging', parameters, { items, credentials });
	spy.mockRestore();
	if (error) throw error;
	expect(worked).toBe(true);
}

/** Returns the value that `read` returns, or the message of its error. */
function outcome(read: () => unknown, messageOf = (error: unknown) => (error as Error).message) {
	try {
		return { value: read() };
	} catch (error) {
		return { error: messageOf(error) };
	}
}

const explained = (error: unknown) => failedExpression(error, 'message');

/** Reads the expression for every item, once with the node's code and once with n8n's. */
function bothWays(context: IExecuteFunctions, message: unknown) {
	const { node } = context as unknown as { node: INode };
	node.parameters.message = message as string;
	const items = context.getInputData();
	const parameters = new ItemParameters(context, items);
	return items.map((_, item) => ({
		ours: outcome(() => parameters.read('message', item)),
		theirs: outcome(() => context.getNodeParameter('message', item), explained),
	}));
}

/** Values that n8n's evaluation may copy, change or refuse. */
const VALUES: unknown[] = [
	...['text', '', ' ', '=x', '={{ 1 + 1 }}', '{{ $json.a }}', 'null', '\u0000', '\ud800'],
	...[0, -0, 1.5, NaN, Infinity, 1e21, 2 ** 53, true, false, null, undefined],
	...[new Date(0), {}, [], { a: 1 }, [{ a: 1 }, 'x', null]],
];

/** An item with a value at every kind of place. */
const itemWith = (value: unknown) =>
	({ a: value, b: { 'a b': value, list: [value, { a: value }] }, 0: value }) as IDataObject;

/** Plain paths, and expressions that look like them. */
const EXPRESSIONS = [
	...['={{ $json.a }}', '={{$json.a}}', '={{  $json["a"]  }}', "={{ $json.b['a b'] }}"],
	...['={{ $json.b.list["1"].a }}', '={{ $json["0"] }}', '={{ $json.none }}', '={{ $json.a.a }}'],
	...['={{ $json }}', '={{ $json.b }}', '={{ $json.b.list }}', '={{ $json.b.list.length }}'],
	...['= {{ $json.a }}', '={{ $json.a }} ', '={{ $json.a }}{{ $json.b }}', '=x {{ $json.a }}'],
	...['={{ $json.a + $json.b }}', '={{ $json\n.a }}', '={{ $json.a; }}', '={{ $json.a /* x */ }}'],
	...["={{ $json['a\\'b'] }}", '=$json.a', '{{ a }}', 'plain', ''],
];

test.each(EXPRESSIONS)(
	'the expression %j, also in a collection, has the value that n8n’s evaluation gives',
	async (expression) => {
		await inExecution(VALUES.map(itemWith), (context) => {
			for (const raw of [expression, { x: expression, list: ['z', { y: expression }, 5, null] }]) {
				// Not toStrictEqual, which takes a field named "constructor" for the constructor of the object.
				for (const { ours, theirs } of bothWays(context, raw)) expect(ours).toEqual(theirs);
			}
		});
	},
);

const NAMES = [
	...['phone number', 'a.b', 'ключ', '日本', '$json', '_', '-1'],
	// Every object, list or text has these, or n8n's expressions refuse them.
	...['length', 'constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
	...['getOwnPropertyDescriptor', 'caller', 'callee', 'arguments', 'mainModule', 'binding'],
	...['_load', 'prepareStackTrace', 'isEmpty', 'toInt', 'first'],
];

test('names that every object inherits have the value that n8n’s evaluation gives, at every depth', async () => {
	const deep = (value: unknown) =>
		Object.fromEntries(NAMES.map((each) => [each, value])) as IDataObject;
	const items = [deep('x'), deep(deep(1)), {}, deep(null), deep([{ a: 1 }])];
	const compared: unknown[] = [];
	await inExecution(items, (context) => {
		for (const each of NAMES) {
			for (const text of [
				`={{ $json["${each}"] }}`,
				`={{ $json.${each} }}`,
				`={{ $json["${each}"].a }}`,
				`={{ $json.a["${each}"] }}`,
			]) {
				for (const { ours, theirs } of bothWays(context, text)) {
					expect({ text, ...ours }).toEqual({ text, ...theirs });
					compared.push(ours);
				}
			}
		}
	});
	expect(compared).toHaveLength(NAMES.length * 4 * items.length);
});

test.each([
	['a {{ $json.a }} b', '{{ $json.a }}'],
	['{{ $json.a', '{{ $json.a'],
	['{{1}} costs $5, {{ { b: $json.a }.b }}', '{{ { b: $json.a }.b }}'],
	[`{{ ${'x'.repeat(90)} $ }}`, `{{ ${'x'.repeat(56)}…`],
	['{{1}} costs $5 {{ 2 }}', undefined],
	['{{message.id}}', undefined],
	['$json.a {', undefined],
])('a fixed text %j has the expression %j that n8n does not evaluate', async (given, found) => {
	await inExecution([{}], (context) => {
		const { node } = context as unknown as { node: INode };
		node.parameters.message = given;
		node.parameters.options = { identifier: given };
		const parameters = new ItemParameters(context, context.getInputData());
		const refused = (label: string) =>
			`'${label}' has "${found}": nobody filled it in. Choose 'Expression' in place of 'Fixed'.`;
		const all: Array<[string, string, unknown]> = [
			['message', 'Message', given],
			['options', 'Identifier', { identifier: given }],
		];
		for (const [name, label, value] of all)
			expect(outcome(() => parameters.read(name, 0))).toEqual(
				found === undefined ? { value } : { error: refused(label) },
			);
	});
});

test('a resource locator and a collection are resolved as n8n resolves them', async () => {
	await inExecution([{ a: '1' }, { a: 2 }], (context) => {
		const { node } = context as unknown as { node: INode };
		node.parameters.from = { __rl: true, mode: 'phone', value: '={{ $json.a }}' };
		node.parameters.options = { batchSize: '={{ $json.a }}', timeout: 5 };
		const parameters = new ItemParameters(context, context.getInputData());
		expect([0, 1].map((each) => parameters.read('from', each))).toEqual(['1', 2]);
		expect([0, 1].map((each) => parameters.read('options', each))).toEqual([
			{ batchSize: '1', timeout: 5 },
			{ batchSize: 2, timeout: 5 },
		]);
		expect(parameters.read('missing', 1, 'otherwise')).toBe('otherwise');
	});
});
