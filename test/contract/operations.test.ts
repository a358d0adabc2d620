import { resources } from '../../nodes/Messaging/resources';
import { fileExists } from '../support/packageFiles';
import { OPERATIONS } from '../support/operations';
import { filesIn, readText } from './files';

/*
 * An operation is complete when it is in all the places that CONTRIBUTING.md names ("Add an operation"). For each
 * place that lacks it, a sentence says what is missing and where to add it.
 */

/** An operation, and what the places need to know of it. */
type Named = {
	resource: { value: string; name: string };
	operation: { value: string; name: string; fields: Array<{ name: string }> };
};

/** The places as texts, or as the names that they hold. */
type Places = {
	cases: Record<string, object>;
	previews: string[];
	readme: string;
	/** The tests in the real n8n. */
	endToEnd: string;
};

/** Its output is what a person answers, so it has tests of its own: test/nodes/sendAndWait. */
const WITHOUT_CASE = ['message sendAndWait'];

const PREVIEWS = 'nodes/Messaging/__schema__/v1.0.0/';

function whatIsMissing({ resource, operation }: Named, places: Places): string[] {
	const name = `${resource.value} ${operation.value}`;
	const title = `${resource.name} → ${operation.name}`;
	const missing: string[] = [];
	const ownCase = places.cases[name];
	if (!ownCase && !WITHOUT_CASE.includes(name)) {
		missing.push(
			`${title} has no case for the tests in n8n's engine: add '${name}' to OPERATIONS in test/support/operations.ts.`,
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
	if (!places.readme.includes(`\n| ${resource.name} | ${operation.name} | `)) {
		missing.push(
			`${title} is not in the README: add a row "| ${resource.name} | ${operation.name} | … |" to the table under "What the node can do".`,
		);
	}
	const call = new RegExp(`run\\(\\s*'${resource.value}',\\s*'${operation.value}'`);
	const parameters = `resource: '${resource.value}',\\s+operation: '${operation.value}'`;
	if (!call.test(places.endToEnd) && !new RegExp(parameters).test(places.endToEnd)) {
		missing.push(
			`${title} never runs in the real n8n: add it('${resource.value}: ${operation.value}', …) with run('${resource.value}', '${operation.value}', …) to test/real-n8n/nodes/operations.test.mts.`,
		);
	}
	return missing;
}

const ALL: Named[] = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

const section = (markdown: string, title: string) =>
	`\n${markdown}`.split(`\n## ${title}\n`)[1].split('\n## ')[0];

const PLACES: Places = {
	cases: OPERATIONS,
	previews: filesIn(PREVIEWS, '.json').map((file) => file.slice(PREVIEWS.length, -'.json'.length)),
	readme: section(readText('README.md'), 'What the node can do'),
	endToEnd: ['operations', 'send-and-wait']
		.map((name) => readText(`test/real-n8n/nodes/${name}.test.mts`))
		.join('\n'),
};

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
		.filter((folder) => fileExists(`nodes/Messaging/resources/${folder}/index.ts`))
		.filter((folder) => folder !== 'resources')
		.filter((folder) => !resources.some(({ value }) => value === folder))
		.map(
			(folder) =>
				`The resource ${folder} is not in the node: import it in nodes/Messaging/resources/index.ts and add it to \`resources\`.`,
		);
	expect(forgotten).toEqual([]);
});

test('what is tested, previewed or listed is an operation of the node', () => {
	const names = ALL.map(({ resource, operation }) => `${resource.value} ${operation.value}`);
	const titles = ALL.map(({ resource, operation }) => `${resource.name} → ${operation.name}`);
	const rows = [...PLACES.readme.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)]
		.map(([, resource, operation]) => `${resource} → ${operation}`)
		.filter((row) => resources.some(({ name }) => row.startsWith(`${name} → `)));
	expect({
		cases: Object.keys(OPERATIONS).filter((name) => !names.includes(name)),
		previews: PLACES.previews.filter((name) => !names.includes(name.replace('/', ' '))),
		rows: rows.filter((row) => !titles.includes(row)),
	}).toEqual({ cases: [], previews: [], rows: [] });
});

describe('a forgotten place is named in a sentence', () => {
	const named = ALL.find(({ operation }) => operation.name === 'Get Many')!;
	const name = `${named.resource.value} ${named.operation.value}`;

	test.each<[string, Partial<Places>, RegExp]>([
		['the case', { cases: {} }, /no case .* to OPERATIONS in test\/support\/operations\.ts\.$/],
		['the test of Simplify', { cases: { [name]: {} } }, /Simplify, .* add 'simplified' to /],
		['the preview', { previews: [] }, /no preview .* run `UPDATE_SCHEMAS=1 npx jest test\/nodes/],
		['the row of the README', { readme: '' }, /not in the README: add a row "\| Channel \| Get M/],
		['the end-to-end test', { endToEnd: '' }, /real n8n: .* to test\/real-n8n\/nodes\/operations/],
	])('%s', (_, lacking, sentence) => {
		expect(whatIsMissing(named, { ...PLACES, ...lacking })).toEqual([
			expect.stringMatching(sentence),
		]);
	});
});
