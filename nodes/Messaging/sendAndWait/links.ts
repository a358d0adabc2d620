import type { IExecuteFunctions } from 'n8n-workflow';

/** What n8n signs a link with. */
type Signing = { additionalData?: { webhookWaitingBaseUrl: string } };

/**
 * Returns the link to the question's page. n8n signs the whole link, so it is valid for one question only.
 *
 * Where n8n runs below a path (`https://example.com/n8n/`), n8n signs that path, too, but checks the address
 * without it, and so refuses every link (n8n issue 33218). There the link is signed without the path.
 */
export function resumeLink(context: IExecuteFunctions, question: string): string {
	const { additionalData } = context as unknown as Signing;
	const path = new URL(context.getInstanceBaseUrl()).pathname.replace(/\/$/, '');
	const waiting = additionalData && new URL(additionalData.webhookWaitingBaseUrl);
	// If another version of n8n keeps its addresses elsewhere, n8n signs with the path.
	if (path === '' || !waiting?.pathname.startsWith(`${path}/`)) {
		return context.getSignedResumeUrl({ question });
	}
	waiting.pathname = waiting.pathname.slice(path.length);
	const inside = Object.create(context, {
		additionalData: { value: { ...additionalData, webhookWaitingBaseUrl: waiting.href } },
	}) as IExecuteFunctions;
	const link = new URL(inside.getSignedResumeUrl({ question }));
	link.pathname = path + link.pathname;
	return link.href;
}
