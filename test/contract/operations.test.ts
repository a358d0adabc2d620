import { resources } from '../../nodes/Messaging/resources';
import type { Operation } from '../../nodes/Messaging/resources/operation';
import { otpTemplate } from '../../nodes/Messaging/resources/otpTemplate';
import { serve, sorted } from '../support/mockService';
import { useHarness } from '../support/harness';
import { IDS, itemsOf, OPERATIONS, type OperationCase } from '../support/operations';
import { paired, runMessaging } from '../support/runMessaging';
import { filesIn, readText, runModule, typeErrors } from './files';
import { sectionOf } from './prose';

jest.mock('../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../support/fastClock'),
);

/*
 * An operation is complete when it is in all places that CONTRIBUTING.md names ("Add an operation"). For each place
 * without it, a sentence says what is missing and where to add it.
 */

/** The parts of a resource and its operation that this check uses. */
type Named = {
	resource: { value: string; name: string };
	operation: {
		value: string;
		name: string;
		action?: string;
		description?: string;
		fields: Array<{ name: string }>;
	};
};

/** The places where an operation must be: each as its text, or as the names in it. */
type Places = {
	cases: Record<string, object>;
	previews: string[];
	/** The table of all operations for users. */
	page: string;
	/** The tests in the real n8n. */
	endToEnd: string;
};

/** What each case must have; its type says what each of them is. */
const IN_CASE = ['parameters', 'requests', 'answer', 'payload', 'output', 'inSandbox'];

/** Operations without a case: the output of Send and Wait is a person's answer, which test/nodes/sendAndWait tests. */
const WITHOUT_CASE = ['message sendAndWait'];

const PREVIEWS = 'nodes/Messaging/__schema__/v1.0.0/';

function whatIsMissing({ resource, operation }: Named, places: Places): string[] {
	const name = `${resource.value} ${operation.value}`;
	const title = `${resource.name} → ${operation.name}`;
	const missing: string[] = [];
	for (const [field, shown] of [
		['action', "the node's list of actions shows, such as 'Get channel'"],
		['description', "the list of operations shows, such as 'Retrieve one channel of any kind'"],
	] as const) {
		if (!operation[field]) {
			missing.push(
				`${title} has no ${field}: add \`${field}\`, the words that ${shown}, to nodes/Messaging/resources/${resource.value}/${operation.value}.ts.`,
			);
		}
	}
	const ownCase = places.cases[name];
	if (!ownCase && !WITHOUT_CASE.includes(name)) {
		missing.push(
			`${title} has no case for the tests in n8n's engine: add '${name}' to OPERATIONS in test/support/operations.ts.`,
		);
	}
	const lacking = IN_CASE.filter((field) => ownCase && !(field in ownCase));
	if (lacking.length > 0) {
		missing.push(
			`The case of ${title} has no '${lacking.join("', no '")}': add it to '${name}' in test/support/operations.ts. The type OperationCase there explains each.`,
		);
	}
	const canSimplify = operation.fields.some((field) => field.name === 'simplify');
	if (ownCase && canSimplify && !('simplified' in ownCase)) {
		missing.push(
			`${title} has the field Simplify, and no test of it: add 'simplified' to '${name}' in test/support/operations.ts.`,
		);
	}
	if (!places.previews.includes(`${resource.value}/${operation.value}`)) {
		missing.push(
			`${title} has no preview of its output: run \`UPDATE_SCHEMAS=1 npx jest test/nodes/schema\`, which writes ${PREVIEWS}${resource.value}/${operation.value}.json.`,
		);
	}
	if (!places.page.includes(`\n| ${resource.name} | ${operation.name} | `)) {
		missing.push(
			`${title} is not in docs/operations.md: add a row "| ${resource.name} | ${operation.name} | … |" to the table under "All operations".`,
		);
	}
	const parameters = `resource: '${resource.value}',\\s+operation: '${operation.value}'`;
	if (!places.endToEnd.includes(`'${name}'`) && !new RegExp(parameters).test(places.endToEnd)) {
		missing.push(
			`${title} never runs in the real n8n: add a row ['${name}', …] to OPERATIONS in test/real-n8n/nodes/smoke.test.mts.`,
		);
	}
	return missing;
}

/**
 * The errors that an operation's source has of its own, and that no test quotes: the beginning of the sentence, up to the
 * first value in it.
 */
function untestedErrors(source: string, tests: string): string[] {
	const sentences = [...source.matchAll(/new UserError\(\s*(['"`])(.+?)(?:\$\{|\1)/gs)].map(
		([, , beginning]) => beginning,
	);
	const labels = [...source.matchAll(/requiredText\([^']*'\w+'\), '([^']+)'\)/g)].map(
		([, label]) => `'${label}' is empty`,
	);
	return [...sentences, ...labels].filter((sentence) => !tests.includes(sentence));
}

const PLACES: Places = {
	cases: OPERATIONS,
	previews: filesIn(PREVIEWS, '.json').map((file) => file.slice(PREVIEWS.length, -'.json'.length)),
	page: sectionOf('docs/operations.md', 'All operations'),
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
const CASES = 'test/support/operations.ts';
const NAME = 'otpTemplate getByLanguage';

const START = 'export const OPERATIONS: Record<string, OperationCase> = {\n';
const casesCode = readText(CASES).replace(START, `${START}${caseCode}`);

const { getByLanguage } = runModule(OPERATION, operationCode) as { getByLanguage: Operation };
const { [NAME]: operationCase } = (
	runModule(CASES, casesCode) as { OPERATIONS: Record<string, OperationCase> }
).OPERATIONS;

test('the example names its files', () => {
	for (const file of [OPERATION, 'otpTemplate/index.ts', CASES]) expect(SECTION).toContain(file);
	expect(SECTION).toContain('`operations: [get, getByLanguage, getAll]`');
});

test('its code compiles, and the same with a mistake does not', () => {
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

test('its steps are complete', () => {
	const [, row] = /^(\| OTP Template \| Get by Language \| .+ \| .+ \|)$/m.exec(SECTION)!;
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
