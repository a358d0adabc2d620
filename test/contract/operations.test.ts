import { resources } from '../../nodes/Messaging/resources';
import type { Operation, Resource } from '../../nodes/Messaging/resources/operation';
import { serve, sorted } from '../support/mockService';
import { useHarness } from '../support/harness';
import { IDS, itemsOf, OPERATIONS, type OperationCase } from '../nodes/resources/operations';
import { paired, runMessaging } from '../support/runMessaging';
import { fileExists, filesIn, readText, runModule, typeErrors } from './files';
import { sectionOf } from './prose';

/*
 * An operation is complete when it is in all places that CONTRIBUTING.md names ("Add an operation"). For each place
 * without it, a sentence says what is missing and where to add it.
 */

type Named = { resource: Resource; operation: Operation };

/** The places where an operation must be: each as its text, or as the names in it. */
type Places = {
	cases: Record<string, object>;
	previews: string[];
	/** The table of all operations for users. */
	page: string;
	/** The tests in the real n8n. */
	endToEnd: string;
};

/** Operations without a case: the output of Send and Wait is a person's answer, which test/nodes/sendAndWait tests. */
const WITHOUT_CASE = ['message sendAndWait'];

const PREVIEWS = 'nodes/Messaging/__schema__/v1.0.0';

function whatIsMissing({ resource, operation }: Named, places: Places): string[] {
	const name = `${resource.value} ${operation.value}`;
	const file = `${resource.value}/${operation.value}`;
	const ownCase = places.cases[name];
	const canSimplify = operation.fields.some((field) => field.name === 'simplify');
	const parameters = `resource: '${resource.value}',\\s+operation: '${operation.value}'`;
	const needs: Array<[isThere: boolean, what: string]> = [
		[
			!!ownCase || WITHOUT_CASE.includes(name),
			`the case '${name}' of CASES in test/nodes/resources/operations.ts`,
		],
		[
			!ownCase || !canSimplify || 'simplified' in ownCase,
			"`simplified` in its case, because it has the field 'Simplify'",
		],
		[
			places.previews.includes(file),
			`${PREVIEWS}/${file}.json: run \`UPDATE_SCHEMAS=1 npx jest test/nodes/schema\``,
		],
		[
			places.page.includes(`\n| ${resource.name} | ${operation.name} | `),
			'a row in docs/reference.md, under "All operations"',
		],
		[
			places.endToEnd.includes(`'${name}'`) || new RegExp(parameters).test(places.endToEnd),
			`a row ['${name}', …] of OPERATIONS in test/real-n8n/nodes/smoke.test.mts`,
		],
	];
	return needs
		.filter(([isThere]) => !isThere)
		.map(([, what]) => `${resource.name} → ${operation.name} lacks ${what}`);
}

const PLACES: Places = {
	cases: OPERATIONS,
	previews: filesIn(PREVIEWS, '.json').map((file) =>
		file.slice(PREVIEWS.length + 1, -'.json'.length),
	),
	page: sectionOf('docs/reference.md', 'All operations'),
	endToEnd: ['nodes/smoke.test', 'world/nodes']
		.map((name) => readText(`test/real-n8n/${name}.mts`))
		.join('\n'),
};

const ALL: Named[] = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

test.each(ALL.map((named) => [`${named.resource.name} → ${named.operation.name}`, named] as const))(
	'%s is complete',
	(_, named) => {
		expect(whatIsMissing(named, PLACES)).toEqual([]);
	},
);

test('each file with an operation is in the `operations` of its resource, and each resource in the node', () => {
	const listed = ALL.map(({ resource, operation }) => `${resource.value}/${operation.value}`);
	const written = filesIn('nodes/Messaging/resources', '.ts').flatMap((file) => {
		const [, value] =
			/export const \w+: Operation = \{\s+(?:\/\/.*\s+)?value: '(\w+)'/.exec(readText(file)) ?? [];
		return value === undefined ? [] : [`${file.split('/').at(-2)}/${value}`];
	});
	expect(written.sort()).toEqual(listed.sort());
});

const TESTS = filesIn('test/nodes', '.test.ts')
	.map((file) => readText(file).replaceAll('\\', ''))
	.join('\n');

test.each(filesIn('nodes/Messaging/resources', '.ts'))('each error of %s is in a test', (file) => {
	const source = readText(file);
	// A sentence up to the first value in it.
	const sentences = [...source.matchAll(/new UserError\(\s*(['"`])(.+?)(?:\$\{|\1)/gs)];
	const required = [...source.matchAll(/requiredText\([^']*'\w+'\), '([^']+)'\)/g)];
	const all = [
		...sentences.map(([, , beginning]) => beginning),
		...required.map(([, label]) => `'${label}' is empty`),
	];
	const untested = all.filter((sentence) => !TESTS.includes(sentence));
	expect(untested.map((each) => `${each}: add it to readOperations.test.ts`)).toEqual([]);
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

/* The worked example of CONTRIBUTING.md compiles, works and is complete. */

const PAGE = readText('CONTRIBUTING.md');
const [, SECTION] = PAGE.split('\n## Add an operation: a worked example\n');
const [operationCode, caseCode, endToEndCode] = [
	...SECTION.split('\n## ')[0].matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code]) => code);

const OPERATION = 'nodes/Messaging/resources/otpTemplate/getByLanguage.ts';
const CASES = 'test/nodes/resources/operations.ts';
/** Whoever adds exactly this operation has it twice here: then its own tests are enough. */
const testExample = fileExists(OPERATION) ? test.skip : test;
const NAME = 'otpTemplate getByLanguage';

const START = 'const CASES: Record<string, OperationCase> = {\n';
const casesCode = readText(CASES).replace(START, `${START}${caseCode}`);

const otpTemplate = resources.find(({ value }) => value === 'otpTemplate')!;
const { getByLanguage } = runModule(OPERATION, operationCode) as { getByLanguage: Operation };
const { [NAME]: operationCase } = (
	runModule(CASES, casesCode) as { OPERATIONS: Record<string, OperationCase> }
).OPERATIONS;

test('the example names its files', () => {
	for (const file of [OPERATION, 'resources/index.ts', CASES]) expect(SECTION).toContain(file);
	expect(SECTION).toContain('`operations: [getOtpTemplate, getByLanguage, getOtpTemplates]`');
});

declare const isMeasured: boolean;

/** Takes as long as forty others, so only .ci/run does it, with the coverage. */
const testTypes = isMeasured ? testExample : test.skip;

testTypes('its code compiles, and the same with a mistake does not', () => {
	const mistaken = OPERATION.replace('.ts', 'Mistaken.ts');
	expect(
		typeErrors({
			[OPERATION]: operationCode,
			[CASES]: casesCode,
			[mistaken]: operationCode.replace("value: 'getByLanguage'", 'value: 1'),
		}),
	).toEqual([`${mistaken}: Type 'number' is not assignable to type 'string'.`]);
});

describe('its operation, in the node', () => {
	const { operations } = otpTemplate;
	beforeAll(() => void operations.push(getByLanguage));
	const harness = useHarness();
	afterAll(() => void operations.pop());

	const run = async (more: object = {}) =>
		await runMessaging(harness, { ...operationCase.parameters, ...more }, { items: itemsOf(IDS) });
	const itemsWith = (records: (id: string) => object[]) => [
		IDS.flatMap((id, item) => records(id).map((json) => paired(json, item))),
	];

	test('sends the requests and returns the output of its case', async () => {
		const asked = serve(operationCase.answer);
		const { outputs, error } = await run();
		expect({ error, asked: sorted(asked), outputs }).toEqual({
			error: undefined,
			asked: sorted(operationCase.requests(IDS)),
			outputs: itemsWith(operationCase.output),
		});
	});

	test('returns the simplified output of its case with Simplify', async () => {
		serve(operationCase.answer);
		const { outputs, error } = await run({ simplify: true });
		expect({ error, outputs }).toEqual({
			error: undefined,
			outputs: itemsWith(operationCase.simplified!),
		});
	});
});

testExample('its steps are complete', () => {
	const [, row] = /^(\| OTP Template \| Get by Language \| .+ \|)$/m.exec(SECTION)!;
	const named = { resource: otpTemplate, operation: getByLanguage };
	expect(whatIsMissing(named, PLACES)).toHaveLength(4);
	expect(
		whatIsMissing(named, {
			cases: { ...PLACES.cases, [NAME]: operationCase },
			previews: [...PLACES.previews, 'otpTemplate/getByLanguage'],
			page: `${PLACES.page}\n${row}\n`,
			endToEnd: `${PLACES.endToEnd}\n${endToEndCode}`,
		}),
	).toEqual([]);
});
