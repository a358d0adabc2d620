import { OPERATIONS } from '../support/operations';
import { filesIn, readText } from './files';

/*
 * An operation is complete when it is in all places that CONTRIBUTING.md names ("Add an operation"). For each place
 * without it, a sentence says what is missing and where to add it.
 */

/** The parts of a resource and its operation that this check uses. */
export type Named = {
	resource: { value: string; name: string };
	operation: { value: string; name: string; fields: Array<{ name: string }> };
};

/** The places where an operation must be: each as its text, or as the names in it. */
export type Places = {
	cases: Record<string, object>;
	previews: string[];
	readme: string;
	/** The tests in the real n8n. */
	endToEnd: string;
};

/** Operations without a case: the output of Send and Wait is a person's answer, which test/nodes/sendAndWait tests. */
const WITHOUT_CASE = ['message sendAndWait'];

const PREVIEWS = 'nodes/Messaging/__schema__/v1.0.0/';

export function whatIsMissing({ resource, operation }: Named, places: Places): string[] {
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
			`${title} is not in the README: add a row "| ${resource.name} | ${operation.name} | … |" to the table under "Operations".`,
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

const section = (markdown: string, title: string) =>
	`\n${markdown}`.split(`\n## ${title}\n`)[1].split('\n## ')[0];

export const PLACES: Places = {
	cases: OPERATIONS,
	previews: filesIn(PREVIEWS, '.json').map((file) => file.slice(PREVIEWS.length, -'.json'.length)),
	readme: section(readText('README.md'), 'Operations'),
	endToEnd: ['operations', 'send-and-wait']
		.map((name) => readText(`test/real-n8n/nodes/${name}.test.mts`))
		.join('\n'),
};
