import type { ServiceRequest } from './endpoints';
import type { Answer, Failure, FailureReason } from './failure';
import { isObject } from './types';

/** The answer to a request over HTTP, of any status. `body` is parsed if it is JSON, otherwise text. */
export type HttpReply = {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** The address of the request. */
	url?: string;
};

/** docs/interface.md, "Errors": the message about an invalid key. */
const INVALID_KEY = /invalid api key/i;
/** docs/interface.md, "Errors": the message about a missing template. */
const TEMPLATE_REQUIRED = /"?template"? is required/i;

const failure = (
	reason: FailureReason,
	outcome: Failure['outcome'],
	message: string,
	reply: HttpReply,
): Failure => ({ ok: false, reason, outcome, message, httpStatus: reply.statusCode });

/** Returns a header. `name` is in lower case, but n8n may return header names in any case. */
export function header(headers: Record<string, unknown>, name: string): string | undefined {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	const value = key === undefined ? undefined : headers[key];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * Reads `Retry-After` in both forms of RFC 9110, section 10.2.3: seconds, or a date. A date is compared
 * with the header `Date`, because the service's clock may differ from this machine's.
 *
 * @returns ms from now, at least 0; undefined when the header is missing or invalid
 */
export function readRetryAfter(
	headers: Record<string, unknown>,
	now = Date.now(),
): number | undefined {
	const value = header(headers, 'retry-after')?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// `Date.parse` accepts "-5" as a date.
	const date = /^([a-z]{3,},|\d{4}-)/i.test(value) ? Date.parse(value) : NaN;
	const theirs = Date.parse(header(headers, 'date') ?? '');
	return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

/** Ends the service's text with a full stop, so that another sentence can follow. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the service's `message`, cut to a length that fits an error. */
function messageOf(body: unknown): string | undefined {
	const message = isObject(body) ? body.message : undefined;
	return typeof message === 'string' && message.trim() !== ''
		? message.trim().slice(0, 500)
		: undefined;
}

/** Reads `success`, also as a text or a number, which the documentation does not show. */
function readSuccess(body: unknown): boolean | 'missing' | 'unclear' {
	if (!isObject(body) || body.success === undefined) return 'missing';
	const { success } = body;
	const word = typeof success === 'object' ? '' : String(success).trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : 'unclear';
}

/** Whether an answer contains ids of sent messages: then some were sent even if it reports a failure. */
function hasSentIds(body: unknown): boolean {
	const data = isObject(body) ? body.data : undefined;
	if (Array.isArray(data)) return data.length > 0;
	return isObject(data) && ('id' in data || 'campaign_id' in data);
}

/**
 * Whether a redirect leads to the same path under another scheme or host. A server that redirects like this
 * has not acted on the request.
 */
function isOtherHost({ headers, url }: HttpReply): boolean {
	const location = header(headers, 'location');
	if (!url || !location || !URL.canParse(location, url)) return false;
	const from = new URL(url);
	const to = new URL(location, url);
	return (
		/^https?:$/.test(to.protocol) &&
		to.origin !== from.origin &&
		to.pathname + to.search + to.hash === from.pathname
	);
}

/** Describes, for a sentence, a body that is not an answer of the service. */
function describe(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'an empty answer';
	if (isObject(body)) return "JSON that is not the service's";
	if (typeof body !== 'string') return 'JSON that is not an object';
	return /^\s*<(!doctype|html|\?xml|head|body)/i.test(body)
		? 'a web page instead of JSON'
		: 'something that is not JSON';
}

/**
 * Reads an answer: docs/interface.md, "Response envelope" and "Errors". `success: false` is a failure under
 * any HTTP status, and a success must contain the payload of its endpoint.
 *
 * The `outcome` of a failure is `unknown` if the service may have acted: after HTTP 408 and 5xx; for a POST also
 * after most redirects, after a success that cannot be read, and if the answer contains ids of sent messages.
 * Otherwise it is `rejected`.
 */
export function readAnswer<Payload>(
	request: ServiceRequest<Payload>,
	reply: HttpReply,
): Answer<Payload> {
	const { statusCode: status, body } = reply;
	const words = messageOf(body);
	const success = readSuccess(body);
	const saysFailure = success === false;
	const isPost = request.method === 'POST';
	const isOwnRefusal = status === 403 && (success !== 'missing' || INVALID_KEY.test(words ?? ''));

	if (status === 401 || isOwnRefusal || (saysFailure && words && INVALID_KEY.test(words))) {
		return failure(
			'keyRefused',
			'rejected',
			`The service refused the API key${words ? ` (${words})` : ''}. Check the API key in the Messaging API credential.`,
			reply,
		);
	}
	if (status === 403) {
		return failure(
			'refusedOnTheWay',
			'rejected',
			`Something between n8n and the service, such as a proxy or a firewall, refused the request (HTTP 403 with ${words ? `the message "${words}"` : describe(body)}). Ask your administrator, and check the Base URL in the Messaging API credential.`,
			reply,
		);
	}
	const hasSent = isPost && hasSentIds(body);
	const refused = hasSent ? 'unknown' : 'rejected';
	if (status === 429 && !hasSent) {
		return {
			...failure(
				'rateLimited',
				'rejected',
				`The service receives too many requests${words ? ` (${words})` : ''}. Wait a little and try again; if you are sending many messages, lower 'Batch Size' or raise 'Batch Interval' in the options.`,
				reply,
			),
			retryAfter: readRetryAfter(reply.headers),
		};
	}
	if (status >= 300 && status < 400) {
		// Many web applications act on a POST and redirect to its result. 307 and 308 ask to repeat the POST.
		const isOpen = isPost && status !== 307 && status !== 308 && !isOtherHost(reply);
		return failure(
			'redirected',
			isOpen ? 'unknown' : 'rejected',
			`The service redirects to another address (HTTP ${status}), which is not followed because the API key would go with it. Check the Base URL in the Messaging API credential.`,
			reply,
		);
	}
	if (saysFailure && words && TEMPLATE_REQUIRED.test(words)) {
		return failure('refused', refused, `The service refused: ${sentence(words)}`, reply);
	}
	if (status === 408 || status >= 500) {
		return failure(
			'serverFailed',
			'unknown',
			words
				? `The service failed (HTTP ${status}): ${sentence(words)}`
				: `The service failed (HTTP ${status}).${isPost ? '' : ' Try again later.'}`,
			reply,
		);
	}
	if (saysFailure || (status >= 400 && words)) {
		return failure(
			'refused',
			refused,
			words ? `The service refused: ${sentence(words)}` : 'The service refused and gave no reason.',
			reply,
		);
	}
	if (status >= 400) {
		// Text that is not JSON, such as a web page, does not come from the service, so it did not refuse this request.
		return failure(
			typeof body === 'string' && body.trim() !== '' ? 'unreadable' : 'refused',
			refused,
			`The service answered HTTP ${status} with ${describe(body)}. Check the Base URL in the Messaging API credential.`,
			reply,
		);
	}
	// From here on the answer claims success.
	const open = isPost ? 'unknown' : 'rejected';
	if (!isObject(body)) {
		return failure(
			'unreadable',
			open,
			`The service sent ${describe(body)}. Check the Base URL in the Messaging API credential.`,
			reply,
		);
	}
	const payload = request.read(body);
	// Without `success`, only an id proves that something was sent.
	const isUnproven = isPost && success === 'missing' && !hasSent && payload !== undefined;
	if (success === 'unclear' || isUnproven) {
		return failure(
			'unreadable',
			open,
			"The service's answer does not say clearly whether it succeeded.",
			reply,
		);
	}
	if (payload === undefined) {
		return failure(
			'unreadable',
			open,
			`The service's answer contains no ${request.expects}.`,
			reply,
		);
	}
	return { ok: true, payload };
}
