import { resources } from '../../nodes/Messaging/resources';
import { OPERATIONS } from '../support/operations';
import { PLACES, untestedErrors, whatIsMissing, type Named, type Places } from './completeness';
import { filesIn, readText } from './files';

const ALL: Named[] = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

test.each(ALL.map((named) => [`${named.resource.name} → ${named.operation.name}`, named] as const))(
	'%s is complete',
	(_, named) => {
		expect(whatIsMissing(named, PLACES)).toEqual([]);
	},
);

test('each file with an operation is in the list of its resource', () => {
	const forgotten = filesIn('nodes/Messaging/resources', '.ts').flatMap((file) => {
		const [, resource] = /resources\/(\w+)\/\w+\.ts$/.exec(file) ?? [];
		const [, operation, value] =
			/export const (\w+): Operation = \{\s+value: '(\w+)'/.exec(readText(file)) ?? [];
		const isListed = ALL.some(
			(each) => each.resource.value === resource && each.operation.value === value,
		);
		return value === undefined || isListed
			? []
			: [
					`${file} is not in the node: import ${operation} in nodes/Messaging/resources/${resource}/index.ts and add it to \`operations\`.`,
				];
	});
	expect(forgotten).toEqual([]);
});

test('each folder of operations is in the list of resources', () => {
	const forgotten = filesIn('nodes/Messaging/resources', '/index.ts')
		.map((file) => file.split('/').at(-2)!)
		.filter((folder) => folder !== 'resources')
		.filter((folder) => !resources.some(({ value }) => value === folder))
		.map(
			(folder) =>
				`The resource ${folder} is not in the node: import it in nodes/Messaging/resources/index.ts and add it to \`resources\`.`,
		);
	expect(forgotten).toEqual([]);
});

describe('each error of an operation is in a test', () => {
	const TESTS = filesIn('test/nodes', '.test.ts')
		.map((file) => readText(file).replaceAll('\\', ''))
		.join('\n');
	const missing = (file: string, source: string) =>
		untestedErrors(source, TESTS).map(
			(sentence) =>
				`No test has the error "${sentence}…" of ${file}: add a row to a table in test/nodes/resources/readOperations.test.ts, or a test beside it.`,
		);

	test.each(filesIn('nodes/Messaging/resources', '.ts'))('%s', (file) => {
		expect(missing(file, readText(file))).toEqual([]);
	});

	test('an error that no test has is named, with its file', () => {
		const source =
			"const word = requiredText(read('word'), 'Magic Word');\nthrow new UserError(`There is no spell ${word}.`);";
		expect(missing('spell.ts', source)).toEqual([
			expect.stringMatching(
				/^No test has the error "There is no spell …" of spell\.ts: add a row /,
			),
			expect.stringMatching(/"'Magic Word' is empty…"/),
		]);
	});
});

test('each case, preview and row of the page belongs to an operation of the node', () => {
	const names = ALL.map(({ resource, operation }) => `${resource.value} ${operation.value}`);
	const titles = ALL.map(({ resource, operation }) => `${resource.name} → ${operation.name}`);
	const rows = [...PLACES.page.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)]
		.map(([, resource, operation]) => `${resource} → ${operation}`)
		.filter((row) => resources.some(({ name }) => row.startsWith(`${name} → `)));
	expect({
		cases: Object.keys(OPERATIONS).filter((name) => !names.includes(name)),
		previews: PLACES.previews.filter((name) => !names.includes(name.replace('/', ' '))),
		rows: rows.filter((row) => !titles.includes(row)),
	}).toEqual({ cases: [], previews: [], rows: [] });
});

describe('a sentence names each forgotten place', () => {
	const named = ALL.find(
		({ resource, operation }) => resource.value === 'channel' && operation.value === 'getAll',
	)!;
	const name = `${named.resource.value} ${named.operation.value}`;

	test.each(['action', 'description'])('the %s', (field) => {
		const without = { ...named, operation: { ...named.operation, [field]: '' } };
		expect(whatIsMissing(without, PLACES)).toEqual([
			expect.stringMatching(
				new RegExp(`no ${field}: .* to nodes/Messaging/resources/channel/getAll`),
			),
		]);
	});

	const caseWithout = (field: string) => ({
		[name]: Object.fromEntries(Object.entries(OPERATIONS[name]).filter(([key]) => key !== field)),
	});
	test.each<[string, Partial<Places>, RegExp]>([
		['a part of the case', { cases: caseWithout('inSandbox') }, /no 'inSandbox': add it to /],
		['the case', { cases: {} }, /no case .* to OPERATIONS in test\/support\/operations\.ts\.$/],
		[
			'the test of Simplify',
			{ cases: caseWithout('simplified') },
			/Simplify, .* add 'simplified' to /,
		],
		['the preview', { previews: [] }, /no preview .* run `UPDATE_SCHEMAS=1 npx jest test\/nodes/],
		[
			'the row of the page',
			{ page: '' },
			/not in docs\/operations\.md: add a row "\| Channel \| Get M/,
		],
		['the end-to-end test', { endToEnd: '' }, /real n8n: .* in test\/real-n8n\/nodes\/smoke/],
	])('%s', (_, lacking, sentence) => {
		expect(whatIsMissing(named, { ...PLACES, ...lacking })).toEqual([
			expect.stringMatching(sentence),
		]);
	});
});
