import type { IExecuteFunctions } from 'n8n-workflow';

/** Makes the address of the question's page; a choice is shown there first. */
export type LinkFor = (choice?: 'approve' | 'disapprove') => string;

/** Addresses under which n8n can be reached, of which every context has some. */
type Addresses = Partial<
	Record<'webhookWaitingBaseUrl' | 'formWaitingBaseUrl' | 'webhookBaseUrl' | 'restApiUrl', string>
>;

type Signing = { additionalData?: Addresses } & Pick<IExecuteFunctions, 'getSignedResumeUrl'>;

/**
 * Links that n8n signs as a whole: each is good for one question only.
 *
 * Behind a path (`https://example.com/n8n/`) n8n signs that path too, checks what the reverse proxy has
 * left of it, and refuses every link (n8n issue 33218). There the link is signed without the path.
 */
export function linksTo(context: IExecuteFunctions, question: string): LinkFor {
	const path = pathOf(context as unknown as Signing);
	return (choice) => {
		const query = { question, ...(choice && { choice }) };
		return path ? signedWithout(path, context, query) : context.getSignedResumeUrl(query);
	};
}

/** `/n8n` where n8n runs behind that path, else nothing: what the paths of all its addresses begin with. */
function pathOf({ additionalData = {} }: Signing): string {
	const { webhookWaitingBaseUrl, formWaitingBaseUrl, webhookBaseUrl, restApiUrl } = additionalData;
	const [first, ...others] = [webhookWaitingBaseUrl, formWaitingBaseUrl, webhookBaseUrl, restApiUrl]
		.filter((url) => typeof url === 'string')
		.map((url) => new URL(url).pathname.split('/').slice(1));
	const length = first?.findIndex((step, index) => others.some((steps) => steps[index] !== step));
	return length && length > 0 ? `/${first.slice(0, length).join('/')}` : '';
}

/** Lets n8n sign the address that arrives there, and gives the link that people open. */
function signedWithout(path: string, context: IExecuteFunctions, query: Record<string, string>) {
	const { additionalData } = context as unknown as Signing;
	const waiting = new URL(additionalData!.webhookWaitingBaseUrl!);
	waiting.pathname = waiting.pathname.slice(path.length);
	// An n8n whose context keeps its addresses elsewhere signs the path as before.
	const inside = Object.create(context, {
		additionalData: { value: { ...additionalData, webhookWaitingBaseUrl: waiting.href } },
	}) as IExecuteFunctions;
	const link = new URL(inside.getSignedResumeUrl(query));
	if (!link.pathname.startsWith(`${path}/`)) link.pathname = path + link.pathname;
	return link.href;
}
