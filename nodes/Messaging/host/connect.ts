import type { IAllExecuteFunctions, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import type { HttpReply } from '../service/answer';
import { baseUrlText, parseBaseUrl } from '../service/baseUrl';
import { Service } from '../service/service';

export const CREDENTIAL = 'messagingApi';

export type MessagingCredential = { baseUrl?: string; apiKey?: string; webhookSecret?: string };

type Context = IAllExecuteFunctions | IWebhookFunctions;

/**
 * The service behind the node's credential. The credential is read here, once; n8n would otherwise
 * look it up and decrypt it for every request.
 *
 * @throws UserError when the credential's address or key is missing or unusable
 */
export async function connect(context: Context): Promise<Service> {
	const data = await context.getCredentials<MessagingCredential>(CREDENTIAL);
	const url = parseBaseUrl(data.baseUrl);
	if (!data.apiKey?.trim()) {
		throw new UserError('The API Key in the Messaging API credential is empty.');
	}
	const base = baseUrlText(url);
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };

	return new Service(async ({ method, path, query, body, timeout }) => {
		const options: IHttpRequestOptions = {
			method,
			url: base + path,
			timeout,
			json: true,
			// Every status comes back as an answer: a thrown 401 would make n8n send the request again.
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// A redirect would carry the API key to another address, and a 307 the message too.
			disableFollowRedirect: true,
		};
		if (query) options.qs = query;
		if (body) options.body = body as IHttpRequestOptions['body'];
		return (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options, {
			credentialsDecrypted,
		})) as HttpReply;
	}, url.host);
}
