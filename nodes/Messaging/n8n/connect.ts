import {
	type IAllExecuteFunctions,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IWebhookFunctions,
	UserError,
} from 'n8n-workflow';
import type { HttpReply } from '../service/answer';
import { parseBaseUrl } from '../service/baseUrl';
import { TimeLimits, withTimeout } from '../service/clock';
import { Service, type Http } from '../service/service';
import { parseExactly } from '../utils/exactJson';
import { text } from './values';
import { isLong, writeLong } from './longBody';

export const CREDENTIAL = 'messagingApi';

/** The most requests that a run which only reads has in flight at once: fewer than a run that sends, by default. */
export const READS_AT_ONCE = 8;

export type MessagingCredential = {
	baseUrl?: string;
	/** Text; an expression may have given anything. */
	apiKey?: string;
	webhookSecret?: string;
};

type Context = (IAllExecuteFunctions | IWebhookFunctions) &
	Pick<Partial<IExecuteFunctions>, 'getExecutionCancelSignal'>;

/**
 * Returns the service behind the node's credential. The credential is read once here; n8n would otherwise
 * find and decrypt it for every request (docs/development/interface.md, "Authentication").
 *
 * @throws UserError when the credential's address or key is missing or unusable
 */
export async function connect(context: Context): Promise<Service> {
	const data = await context.getCredentials<MessagingCredential>(CREDENTIAL);
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	const n8nHttp: N8nHttp = async (options, stop) =>
		(await context.helpers.httpRequestWithAuthentication.call(
			cancelledBy(context, stop),
			CREDENTIAL,
			options,
			{ credentialsDecrypted },
		)) as HttpReply;
	return serviceOf(data, n8nHttp, context.getExecutionCancelSignal?.());
}

/** Sends a request with n8n's HTTP client and the API key, and returns the answer of any status. */
type N8nHttp = (options: IHttpRequestOptions, stop: AbortSignal) => Promise<HttpReply>;

/**
 * Returns the service of a credential.
 *
 * @param cancel ends the requests that have no signal of their own
 * @throws UserError when the credential's address or key is missing or unusable
 */
export function serviceOf(
	data: MessagingCredential,
	n8nHttp: N8nHttp,
	cancel?: AbortSignal,
): Service {
	const base = parseBaseUrl(data.baseUrl);
	const apiKey = checkedKey(data.apiKey);
	const limits = new TimeLimits();

	const http: Http = async ({ method, path, query, body, timeout, signal }) => {
		const options: IHttpRequestOptions = {
			method,
			url: base + path,
			timeout,
			json: true,
			// Read here: n8n's client rounds long IDs.
			encoding: 'text',
			// Every status is returned as an answer: a thrown 401 would make n8n send the request again.
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// A redirect would carry the API key to another address, and a 307 the message too.
			disableFollowRedirect: true,
		};
		if (query) options.qs = query;
		if (body) options.body = body as IHttpRequestOptions['body'];
		if (body && isLong(body)) {
			options.headers = { 'content-type': 'application/json' };
			options.body = await writeLong(body);
		}
		// n8n's own time limit restarts with every byte, and does not end an HTTP 101.
		const reply = await withTimeout(
			timeout,
			signal ?? cancel,
			async (stop) => await n8nHttp(options, stop),
			limits,
		);
		const { body: answer } = reply;
		return typeof answer === 'string' ? { ...reply, body: parseExactly(answer) } : reply;
	};
	return new Service(http, new URL(base).host, (said) => said.replaceAll(apiKey, '***'));
}

/** Returns the context with another cancel signal: n8n's helper ends a request only by its context's signal. */
const cancelledBy = (context: Context, signal: AbortSignal) =>
	Object.assign(Object.create(context) as Context, { getExecutionCancelSignal: () => signal });

/** Refuses a key that no header can hold: HTTP clients silently drop such characters, and the service then refuses the rest. */
function checkedKey(value: unknown): string {
	const key = text(value);
	if (key === '') throw new UserError('The API Key in the Messaging API credential is empty.');
	const [prefix] =
		/^(?:-H )?["']?(?:(?:authorization|bearer|basic|token|key|(?:x[-_])?(?:api|auth|access)[-_ ]?(?:key|token))["']?[\s:=]+)+/i.exec(
			key,
		) ?? [];
	if (prefix !== undefined) {
		throw new UserError(
			`The API Key in the Messaging API credential begins with "${prefix.trim()}". Enter only the key behind it.`,
		);
	}
	if (/^["'<`].*["'>`]$/.test(key)) {
		throw new UserError(
			`The API Key in the Messaging API credential stands between ${key[0]} and ${key.slice(-1)}. Enter only the key.`,
		);
	}
	if (/[^\x21-\x7e]/.test(key)) {
		throw new UserError(
			'The API Key in the Messaging API credential contains characters that cannot be in a key. Copy it again.',
		);
	}
	return key;
}
