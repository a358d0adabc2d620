import { OPERATIONS } from '../support/operations';
import { filesIn, readText } from './files';
import { sectionOf } from './prose';

/*
 * An operation is complete when it is in all places that CONTRIBUTING.md names ("Add an operation"). For each place
 * without it, a sentence says what is missing and where to add it.
 */

/** The parts of a resource and its operation that this check uses. */
export type Named = {
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
export type Places = {
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

export function whatIsMissing({ resource, operation }: Named, places: Places): string[] {
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
export function untestedErrors(source: string, tests: string): string[] {
	const sentences = [...source.matchAll(/new UserError\(\s*(['"`])(.+?)(?:\$\{|\1)/gs)].map(
		([, , beginning]) => beginning,
	);
	const labels = [...source.matchAll(/requiredText\([^']*'\w+'\), '([^']+)'\)/g)].map(
		([, label]) => `'${label}' is empty`,
	);
	return [...sentences, ...labels].filter((sentence) => !tests.includes(sentence));
}

export const PLACES: Places = {
	cases: OPERATIONS,
	previews: filesIn(PREVIEWS, '.json').map((file) => file.slice(PREVIEWS.length, -'.json'.length)),
	page: sectionOf('docs/operations.md', 'All operations'),
	endToEnd: ['smoke', 'send-and-wait']
		.map((name) => readText(`test/real-n8n/nodes/${name}.test.mts`))
		.join('\n'),
};
