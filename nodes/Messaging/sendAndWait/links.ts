import type { IExecuteFunctions } from 'n8n-workflow';

/** The addresses of n8n itself; a context has only some of them. */
type Addresses = Partial<
	Record<'webhookWaitingBaseUrl' | 'formWaitingBaseUrl' | 'webhookBaseUrl' | 'restApiUrl', string>
>;

type Signing = { additionalData?: Addresses } & Pick<IExecuteFunctions, 'getSignedResumeUrl'>;

/**
 * Returns the link to the question's page. n8n signs the whole link, so it is valid for one question only.
 *
 * Where n8n runs below a path (`https://example.com/n8n/`), n8n signs that path, too, but checks the address
 * without it, and so refuses every link (n8n issue 33218). There the link is signed without the path.
 */
export function resumeLink(context: IExecuteFunctions, question: string): string {
	const path = basePathOf(context as unknown as Signing);
	return path ? signedWithout(path, context, question) : context.getSignedResumeUrl({ question });
}

/** Returns the path below which n8n runs, such as `/n8n`, or '': the steps with which the paths of all its addresses begin. */
function basePathOf({ additionalData = {} }: Signing): string {
	const { webhookWaitingBaseUrl, formWaitingBaseUrl, webhookBaseUrl, restApiUrl } = additionalData;
	const [first, ...others] = [webhookWaitingBaseUrl, formWaitingBaseUrl, webhookBaseUrl, restApiUrl]
		.filter((url) => typeof url === 'string')
		.map((url) => new URL(url).pathname.split('/').slice(1));
	const length = first?.findIndex((step, index) => others.some((steps) => steps[index] !== step));
	return length && length > 0 ? `/${first.slice(0, length).join('/')}` : '';
}

/** Returns the public link, with the signature for the address that n8n receives. */
function signedWithout(path: string, context: IExecuteFunctions, question: string): string {
	const { additionalData } = context as unknown as Signing;
	const waiting = new URL(additionalData!.webhookWaitingBaseUrl!);
	waiting.pathname = waiting.pathname.slice(path.length);
	// If another version of n8n keeps its addresses elsewhere, this changes nothing and n8n signs with the path.
	const inside = Object.create(context, {
		additionalData: { value: { ...additionalData, webhookWaitingBaseUrl: waiting.href } },
	}) as IExecuteFunctions;
	const link = new URL(inside.getSignedResumeUrl({ question }));
	if (!link.pathname.startsWith(`${path}/`)) link.pathname = path + link.pathname;
	return link.href;
}
