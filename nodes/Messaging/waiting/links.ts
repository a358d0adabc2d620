import type { IExecuteFunctions } from 'n8n-workflow';

/** Makes the address of the question's page; a choice is shown there first. */
export type LinkFor = (choice?: 'approve' | 'disapprove') => string;

/** `/webhook-waiting/<execution>/<node>`: how long the path is when n8n has no path of its own. */
const STEPS = 3;
const SIGNATURE = 'signature';

/**
 * Links that n8n signs as a whole. Behind a path (`https://example.com/n8n/`) it signs that path too,
 * checks what the reverse proxy has left of it, and refuses every link (n8n issue 33218). There the
 * links carry the execution's resume token instead: it names the node itself, and no path is signed.
 * The question's own id cannot be guessed, so the token of one question answers no other.
 */
export function linksTo(context: IExecuteFunctions, question: string): LinkFor {
	return (choice) => {
		const query = { question, ...(choice && { choice }) };
		const signed = context.getSignedResumeUrl(query);
		const steps = new URL(signed).pathname.split('/').filter(Boolean);
		return steps.length > STEPS ? (withToken(context, query) ?? signed) : signed;
	};
}

/** The same link with the execution's resume token; undefined in an n8n that has none. */
function withToken(context: IExecuteFunctions, query: Record<string, string>): string | undefined {
	const resumeUrl = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	const url = new URL(String(resumeUrl));
	const token = url.searchParams.get(SIGNATURE);
	if (!token) return undefined;
	for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
	url.searchParams.set(SIGNATURE, `${token}/${context.getNode().id}`);
	return url.href;
}
