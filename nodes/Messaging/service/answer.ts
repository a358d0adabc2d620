import type { ServiceRequest } from './endpoints';
import type { Answer, Failure, FailureReason } from './failure';
import { isObject } from './payload';
import { header, readRetryAfter } from './retryAfter';

/** What came back over HTTP, whatever its status. `body` is parsed when it was JSON. */
export type HttpReply = {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
	/** Where the request went. */
	url?: string;
};

/** The one message of a refused key that the interface documents (section 7). */
const INVALID_KEY = /invalid api key/i;
/** The other documented refusal (section 7): a message without its template. */
const TEMPLATE_REQUIRED = /"?template"? is required/i;

const failure = (
	reason: FailureReason,
	outcome: Failure['outcome'],
	message: string,
	reply: HttpReply,
): Failure => ({ ok: false, reason, outcome, message, httpStatus: reply.statusCode });

/** A full stop at the end, so that a sentence of ours can follow the service's. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The service's own words, when it sent any, in a length that fits a message. */
function ownWords(body: unknown): string | undefined {
	const message = isObject(body) ? body.message : undefined;
	return typeof message === 'string' && message.trim() !== ''
		? message.trim().slice(0, 500)
		: undefined;
}

/** `success` (2.1) as services write it that are less strict than their documentation. */
function readSuccess(body: unknown): boolean | 'notSaid' | 'unclear' {
	if (!isObject(body) || body.success === undefined) return 'notSaid';
	const { success } = body;
	const word = typeof success === 'object' ? '' : String(success).trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : 'unclear';
}

/** Whether an answer names something that was sent; in a failure, some of the messages may have left. */
function hasProof(body: unknown): boolean {
	const data = isObject(body) ? body.data : undefined;
	if (Array.isArray(data)) return data.length > 0;
	return isObject(data) && ('id' in data || 'campaign_id' in data);
}

/**
 * Whether a redirect only leads to the same path under another scheme or host: then it was made before
 * anything was done with the request.
 */
function isMoved({ headers, url }: HttpReply): boolean {
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

/** What kind of thing came instead of an answer, in words. */
function describe(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'an empty answer';
	if (isObject(body)) return "JSON that is not the service's";
	if (typeof body !== 'string') return 'JSON that is not an object';
	return /^\s*<(!doctype|html|\?xml|head|body)/i.test(body)
		? 'a web page instead of JSON'
		: 'something that is not JSON';
}

/**
 * Reads an answer as sections 2.1 and 7 of the interface describe it: `success: false` is a failure
 * under any HTTP status, and a success must hold the payload of its endpoint.
 *
 * A failure's `outcome` tells what may have happened at the service: answers of 408 and 5xx, and to a
 * POST redirects and unreadable answers, leave that open.
 */
export function readAnswer<Payload>(
	request: ServiceRequest<Payload>,
	reply: HttpReply,
): Answer<Payload> {
	const { statusCode: status, body } = reply;
	const words = ownWords(body);
	const success = readSuccess(body);
	const saysFailure = success === false;
	const isPost = request.method === 'POST';
	const isOwnRefusal = status === 403 && (success !== 'notSaid' || INVALID_KEY.test(words ?? ''));

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
	const hasSent = isPost && hasProof(body);
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
		// Web applications act on a POST and then redirect to its result; 307 and 308 ask to send it again.
		const isOpen = isPost && status !== 307 && status !== 308 && !isMoved(reply);
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
		// A web page was not made by the service: it did not refuse this very request.
		return failure(
			typeof body === 'string' && body.trim() !== '' ? 'unreadable' : 'refused',
			refused,
			`The service answered HTTP ${status} with ${describe(body)}. Check the Base URL in the Messaging API credential.`,
			reply,
		);
	}
	// From here on the service claims success.
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
	// Without `success` only an id shows that something was sent.
	const isUnproven = isPost && success === 'notSaid' && !hasSent && payload !== undefined;
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
