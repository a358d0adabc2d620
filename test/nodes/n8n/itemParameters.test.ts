import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { ItemParameters } from '../../../nodes/Messaging/n8n/itemParameters';
import { credentials } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { runs } from '../../support/share';

declare const seed: number;

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
function outcome(read: () => unknown) {
	try {
		return { value: read() };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

/** Reads the expression for every item, once with the node's code and once with n8n's. */
function bothWays(context: IExecuteFunctions, message: unknown) {
	const { node } = context as unknown as { node: INode };
	node.parameters.message = message as string;
	const items = context.getInputData();
	const parameters = new ItemParameters(context, items);
	return items.map((_, item) => ({
		ours: outcome(() => parameters.read('message', item)),
		theirs: outcome(() => context.getNodeParameter('message', item)),
	}));
}

const NAMES = [
	...['phone number', 'a.b', '', 'ключ', '日本', '$json', '_', 'a', 'b', 'name', '0', '1', '-1'],
	// Every object, list or text has these, or n8n's expressions refuse them.
	...['length', 'constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
	...[
		'getOwnPropertyDescriptor',
		'caller',
		'callee',
		'arguments',
		'mainModule',
		'binding',
		'_load',
	],
	...['prepareStackTrace', 'isEmpty', 'toInt', 'first'],
];

const name = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'name', '0', '1') },
	{ weight: 3, arbitrary: fc.constantFrom(...NAMES) },
	{ weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);

const leaf = fc.oneof(
	fc.string({ maxLength: 8 }),
	fc.constantFrom('=x', '={{ 1 + 1 }}', '{{ $json.a }}', '', ' ', '0', 'null', '\u0000', '\ud800'),
	fc.integer(),
	fc.double(),
	fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1e21, 2 ** 53),
	fc.boolean(),
	fc.constantFrom(null, undefined),
	fc.date({ noInvalidDate: true }),
);

const { value: json } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		leaf,
		tie('object'),
		fc.array(tie('value'), { maxLength: 3 }),
	),
	object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

const item = fc.dictionary(name, json, { maxKeys: 5, noNullPrototype: true });

const fourItems = fc.array(item, { minLength: 4, maxLength: 4 });

/** A step of a path in one of the three notations, usually to an existing field. */
const step = fc.record({
	follow: fc.constantFrom(true, true, true, false),
	index: fc.nat(9),
	otherwise: name,
	write: fc.constantFrom(
		(each: string) => `.${each}`,
		(each: string) => `['${each}']`,
		(each: string) => `["${each}"]`,
	),
});

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Returns a plain path through this item, which sometimes leads past its end. */
function pathThrough(json: unknown, steps: Step[]): string {
	let here = json;
	let path = '';
	for (const { follow, index, otherwise, write } of steps) {
		const fields = typeof here === 'object' && here !== null ? (here as IDataObject) : {};
		const names = Object.keys(fields);
		const next = follow && names.length > 0 ? names[index % names.length] : otherwise;
		path += write(next);
		here = fields[next];
	}
	return `={{ $json${path} }}`;
}

/** Expressions that are plain paths or look like them. */
const lookalike = fc.constantFrom(
	'={{ $json }}',
	'={{$json.a}}',
	'={{  $json.a  }}',
	'= {{ $json.a }}',
	'={{ $json.a }} ',
	'={{ $json.a }}{{ $json.b }}',
	'=x {{ $json.a }}',
	'={{ $json.a + $json.b }}',
	'={{ $json\n.a }}',
	'={{ $json.a; }}',
	'={{ $json.a /* x */ }}',
	"={{ $json['a\\'b'] }}",
	'={{ $json["a"]["b"] }}',
	'=$json.a',
	'{{ $json.a }}',
	'plain',
	'',
);

/** A parameter with parts: a collection or the fields of a resource mapper. */
const withParts = (leaves: fc.Arbitrary<unknown>) =>
	fc.letrec<{ value: unknown }>((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			leaves,
			fc.dictionary(
				// The parts of a parameter are named by this package or by a template's placeholders.
				name.filter((each) => each !== '__proto__'),
				tie('value'),
				{ maxKeys: 4, noNullPrototype: true },
			),
			fc.array(tie('value'), { maxLength: 3 }),
		),
	})).value;

test('any expression, also in a collection, has the value that n8n’s evaluation gives, whatever the items', async () => {
	const items = Array.from({ length: 4 }, (_, index) => ({ index }));
	const part = fc.oneof(
		{ weight: 3, arbitrary: fc.array(step, { minLength: 1, maxLength: 4 }) },
		{ weight: 1, arbitrary: fc.constantFrom('x', '', 5, true, null) },
		{ weight: 1, arbitrary: lookalike },
	);
	await inExecution(items, (context) => {
		fc.assert(
			fc.property(fourItems, withParts(part), (jsons, shape) => {
				const data = context.getInputData() as INodeExecutionData[];
				for (const [index, each] of jsons.entries()) data[index].json = each as IDataObject;
				const isSteps = (value: unknown): value is Step[] =>
					Array.isArray(value) && value.length > 0 && typeof value[0]?.write === 'function';
				const written = (value: unknown): unknown => {
					if (isSteps(value)) return pathThrough(jsons[0], value);
					if (Array.isArray(value)) return value.map(written);
					if (typeof value !== 'object' || value === null) return value;
					return Object.fromEntries(
						Object.entries(value).map(([key, each]) => [key, written(each)]),
					);
				};
				// Not toStrictEqual, which takes a field named "constructor" for the constructor of the object.
				for (const { ours, theirs } of bothWays(context, written(shape))) {
					expect(ours).toEqual(theirs);
				}
			}),
			{ seed, numRuns: runs(1500) },
		);
	});
});

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

test('a plain path, also in a collection, and a large list are read without n8n’s evaluation', async () => {
	const items = [
		{ a: '1', list: [{ to: '1' }] },
		{ a: '2', list: [] },
	];
	await inExecution(items, (context) => {
		const { node } = context as unknown as { node: INode };
		node.parameters.message = { x: '={{ $json.a }}', y: ['z', '={{ $json["a"] }}'] };
		node.parameters.to = '={{ $json.list }}';
		const parameters = new ItemParameters(context, context.getInputData());
		const evaluate = context.getNodeParameter.bind(context) as (...args: unknown[]) => unknown;
		context.getNodeParameter = ((...args: unknown[]) => {
			expect(args[3]).toEqual({ rawExpressions: true });
			return evaluate(...args);
		}) as never;
		expect([0, 1].map((item) => parameters.read('message', item))).toEqual([
			{ x: '1', y: ['z', '1'] },
			{ x: '2', y: ['z', '2'] },
		]);
		expect(parameters.readList('to', 0)).toBe(context.getInputData()[0].json.list);
	});
});

describe('mayDiffer', () => {
	const mayDiffer = (raw: unknown) => {
		const context = { getNodeParameter: () => raw } as unknown as IExecuteFunctions;
		return new ItemParameters(context, []).mayDiffer('recipientList');
	};

	test.each<[unknown]>([
		["={{ $('List').all().filter(({ json }) => json.phone) }}"],
		['={{ $input.first().json.people }}'],
		['={{ $input.all().map((person) => person.json) }}'],
		['[{ "to": "$json" }]'],
		[{ name: '$json', list: ['={{ $input.first() }}', 5, null] }],
		[undefined],
	])('no: %j', (raw) => {
		expect(mayDiffer(raw)).toBe(false);
	});

	test.each<[unknown]>([
		['={{ $json.people }}'],
		['={{ $thisItem.json.people }}'],
		['={{ [{ to: $input.all()[$thisItemIndex].json.phone }] }}'],
		["={{ $('Start').item.json.people }}"],
		["={{ $('Start')['item'].json.people }}"],
		["={{ $('Start').itemMatching(0).json.people }}"],
		['={{ $input.all().map((item) => item.json.phone) }}'],
		[{ __rl: true, mode: 'name', value: '={{ $json.template }}' }],
		[{ templateFields: ['x', { language: '={{ $json.language }}' }] }],
	])('yes: %j', (raw) => {
		expect(mayDiffer(raw)).toBe(true);
	});
});
