import { duration } from '../utils/text';
import { now } from './clock';
import type { ServiceRequest } from './endpoints';
import type { Answer, Failure } from './outcomes';
import { messageIn, reasonIn } from './said';
import { failedStatus, troubles } from './troubles';
import { isObject, type Json } from './types';

/** The answer to a request over HTTP, of any status. `body` is parsed if it is JSON, otherwise text. */
export type HttpReply = {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
};

/**
 * Reads an answer: docs/development/interface.md, "Response envelope" and "Errors". `success: false` is a failure under
 * any HTTP status, and a success must contain the payload of its endpoint.
 *
 * The `outcome` of a failure is `unknown` if the service may have acted: after HTTP 5xx and a few 4xx; for a POST also
 * after most redirects, after a success that cannot be read, and if it has ids of sent messages. Otherwise `rejected`.
 *
 * @param hide takes the API key out of a text: some services repeat it
 */
export function readAnswer<Payload>(
	request: ServiceRequest<Payload>,
	reply: HttpReply,
	hide = (text: string) => text,
): Answer<Payload> {
	const reading = readingOf(request, reply, hide);
	const { status, body, isPost } = reading;
	const failure = keyFailure(reading) ?? statusFailure(reading) ?? refusal(reading);
	if (failure) {
		const outcome = reading.hasSent ? 'unknown' : failure.outcome;
		return { ok: false, ...failure, outcome, httpStatus: status };
	}
	const unreadable = (message: string): Failure => ({
		ok: false,
		cause: 'unreadable',
		outcome: isPost ? 'unknown' : 'rejected',
		message,
		httpStatus: status,
	});
	if (!isObject(body)) return unreadable(`The service sent ${describe(body)}. ${CHECK_URL}`);
	// Without `success`, only an id proves that something was sent.
	const isClear = body.success === undefined ? !isPost || reading.hasSent : body.success === true;
	if (!isClear) {
		return unreadable("The service's answer does not say clearly whether it succeeded.");
	}
	const failed = isPost ? failureOfAll(body, hide) : undefined;
	if (failed) return { ok: false, ...failed, httpStatus: status };
	const payload = request.read(body);
	if (payload === undefined)
		return unreadable(`The service's answer contains no ${request.expects}.`);
	const remark = isPost ? troubles(body, status) : undefined;
	const said = isPost ? messageIn(body) : undefined;
	return {
		ok: true,
		payload,
		...(remark !== undefined && { remark: hide(remark) }),
		...(said !== undefined && { said: hide(said) }),
	};
}

/** Returns what the functions below decide by. */
const readingOf = (
	{ method, path }: ServiceRequest<unknown>,
	reply: HttpReply,
	hide: (text: string) => string,
) => {
	const isPost = method === 'POST';
	const { statusCode: status, headers, body } = reply;
	const reason = reasonIn(body);
	return {
		status,
		headers,
		body,
		isPost,
		path,
		words: reason && hide(reason),
		saysFailure: isObject(body) && body.success === false,
		hasSent: isPost && hasSentIds(body),
	};
};

type AnswerReading = ReturnType<typeof readingOf>;
type Found = Pick<Failure, 'cause' | 'outcome' | 'message' | 'retryAfter' | 'said'>;

/** docs/development/interface.md, "Errors": the message about an invalid key. */
const INVALID_KEY = /invalid api key/i;

/** The failure of a request that the network stopped, or whose key the service refused. */
function keyFailure({ status, body, words, saysFailure }: AnswerReading): Found | undefined {
	if (status === 407 || status === 511) {
		return {
			cause: 'refusedOnTheWay',
			outcome: 'notSent',
			message: `A proxy of your network asks for a login (HTTP ${status}), so the request did not reach the service. Ask your administrator to let n8n through.`,
		};
	}
	const namesKey = words !== undefined && INVALID_KEY.test(words);
	// The page may be the login of a network or a proxy: the service answers JSON.
	const isOfKey = status === 401 && !isPage(body);
	if (isOfKey || (namesKey && (status === 403 || saysFailure))) {
		return {
			cause: 'keyRefused',
			outcome: 'rejected',
			message: `The service refused the API key${words ? ` (${words})` : ''}. Check the API key in the Messaging API credential.`,
		};
	}
	// With `success: false` the service itself refuses.
	if ((status !== 403 && status !== 401) || saysFailure) return undefined;
	return {
		cause: 'refusedOnTheWay',
		outcome: 'rejected',
		message: words
			? `The service, or a proxy or firewall before it, refused the request (HTTP 403): ${sentence(words)} Check the API key in the Messaging API credential; if these are not the service's words, ask your administrator.`
			: `The request was refused (HTTP ${status} with ${describe(body)}), and the answer does not say by whom. Check the Base URL and the API key in the Messaging API credential, and ask your administrator whether a proxy or a firewall refuses it.`,
	};
}

/** docs/development/interface.md, "Errors": the message about a missing template. */
const TEMPLATE_REQUIRED = /"?template"? is required/i;

/** A gateway gave up waiting (408, 499), or its own repetition found the request there already (409, 425): it may have been acted on. */
const IS_UNCLEAR = [408, 409, 425, 499];

/** The failure that an HTTP status says: a limit, a redirect, a service that failed. */
function statusFailure(reading: AnswerReading): Found | undefined {
	const { status, words, isPost } = reading;
	if (status === 429 && !reading.hasSent) {
		const retryAfter = readRetryAfter(reading.headers);
		const time = retryAfter ? duration(Math.ceil(retryAfter / 1000)) : 'a little';
		return {
			cause: 'rateLimited',
			outcome: 'rejected',
			message: `The service receives too many requests${words ? ` (${words})` : ''}. Wait ${time} and try again; if you are sending many messages, lower 'Batch Size' or raise 'Batch Interval' in the options.`,
			retryAfter,
		};
	}
	if (status >= 300 && status < 400) {
		// Many web applications act on a POST and redirect to its result. 307 and 308 ask to repeat the POST.
		return {
			cause: 'redirected',
			outcome: isPost && status !== 307 && status !== 308 ? 'unknown' : 'rejected',
			message: `The service redirects to another address (HTTP ${status}), which is not followed because the API key would go with it. ${CHECK_URL}`,
		};
	}
	const isTemplateMissing = reading.saysFailure && TEMPLATE_REQUIRED.test(words ?? '');
	if ((status < 500 && !IS_UNCLEAR.includes(status)) || isTemplateMissing) return undefined;
	return {
		cause: 'serverFailed',
		outcome: 'unknown',
		message: words
			? `The service failed (HTTP ${status}): ${sentence(words)}`
			: `The service failed (HTTP ${status}).${isPost ? '' : ' Try again later.'}`,
	};
}

/** The longest `Retry-After` in ms that is a wait: a larger number is a point in time, or a mistake. */
const DAY = 86_400_000;

/**
 * Reads `Retry-After` in the forms of RFC 9110, section 10.2.3: seconds, or a date, which may end with the year. A date is
 * compared with the header `Date`, because the service's clock may differ from this machine's.
 *
 * @returns ms from now; undefined when the header is missing or invalid, or says that there is nothing to wait for
 */
export function readRetryAfter(headers: Record<string, unknown>): number | undefined {
	const value = header(headers, 'retry-after');
	if (/^\d+(\.\d+)?$/.test(value)) return waitOf(Number(value) * 1000);
	// The oldest form, "Sat Nov 28 12:00:30 2026", has no time zone, and means GMT.
	const written = /^[a-z]{3} [a-z]{3} .* \d{4}$/i.test(value) ? `${value} GMT` : value;
	// `Date.parse` accepts "-5" as a date.
	const date = /^([a-z]{3,}[, ]|\d{4}-)/i.test(written) ? Date.parse(written) : NaN;
	const theirs = Date.parse(header(headers, 'date'));
	return waitOf(date - (Number.isNaN(theirs) ? now() : theirs));
}

/** Returns the ms if they are a wait: 0 and the past would be four tries in 50 ms, and more than a day a mistake. */
const waitOf = (ms: number) => (ms > 0 && ms <= DAY ? ms : undefined);

/** Returns a header. `name` is in lower case, but n8n may return header names in any case. */
function header(headers: Record<string, unknown>, name: string): string {
	const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
	return String(headers[key ?? ''] ?? '').trim();
}

/** The limit of many web servers is 1 MB: some thousand recipients. */
const REQUEST_TOO_LARGE =
	'The request is too large: shorten it, or choose fewer recipients per request.';

/** RFC 9110, section 15.5.4: 403 is for a key that may not do it, and for other reasons. */
const PERHAPS_THE_KEY =
	'Perhaps this API key may not do that: check it in the Messaging API credential, or ask your provider.';

/** What nginx, Apache and Go answer to plain HTTP at a port of TLS. */
const NEEDS_TLS = /plain HTTP|HTTP request to an HTTPS/i;
const BEGIN_WITH_HTTPS =
	'Begin the Base URL in the Messaging API credential with https:// instead of http://.';

/** The failure of a request that the service, or whatever answered in its place, refused. */
function refusal(reading: AnswerReading): Found | undefined {
	const { status, body, words, saysFailure } = reading;
	if (!saysFailure && status < 400) return undefined;
	const needsTls = typeof body === 'string' && NEEDS_TLS.test(body);
	if ((words && !needsTls) || saysFailure) {
		const message = words
			? `The service refused: ${sentence(words)}`
			: `The service refused and gave no reason${status === 403 ? ` (HTTP 403). ${PERHAPS_THE_KEY}` : '.'}`;
		const cure = status === 413 ? ` ${REQUEST_TOO_LARGE}` : wrongPath(reading);
		return { cause: 'refused', outcome: 'rejected', message: message + cure, said: words };
	}
	const cure = status === 413 ? REQUEST_TOO_LARGE : needsTls ? BEGIN_WITH_HTTPS : CHECK_URL;
	return {
		cause: 'unreadable',
		outcome: 'rejected',
		message: `The service answered HTTP ${status} with ${describe(body)}. ${cure}${wrongPath(reading)}`,
	};
}

/** Two paths have the name of the app, which the interface writes as `chatapp` (docs/development/interface.md). */
const NAMES_THE_APP = /\/chatapp\b/;

/** Names the path of an answer 404 when the path has the name of the app: there another service may have another name. */
const wrongPath = ({ status, body, path }: AnswerReading) =>
	status === 404 && NAMES_THE_APP.test(path) && !(isObject(body) && 'success' in body)
		? ` It was asked for ${path}: if your provider writes another word than chatapp there, please open an issue.`
		: '';

/**
 * The failure of a request that the service took, while the status of each message says that it failed. No word proves that
 * nothing was sent: the service said `success: true`.
 */
function failureOfAll(body: Json, hide: (text: string) => string): Found | undefined {
	const failed = failedStatus(body);
	if (!failed) return undefined;
	const said = failed.reason && hide(failed.reason);
	return {
		cause: 'refused',
		outcome: 'unknown',
		message: `The service accepted the request, but answered with the status "${failed.status}"${said ? `: ${sentence(said)}` : '.'}`,
		said,
	};
}

const CHECK_URL = 'Check the Base URL in the Messaging API credential.';

/** Whether an answer contains ids of sent messages: then some were sent even if it reports a failure. */
function hasSentIds(body: unknown): boolean {
	const data = isObject(body) ? body.data : undefined;
	if (Array.isArray(data)) return data.length > 0;
	return isObject(data) && ('id' in data || 'campaign_id' in data);
}

/** Ends the service's text with a full stop, so that another sentence can follow. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Describes, for a sentence, a body that is not an answer of the service. */
function describe(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'an empty answer';
	if (isObject(body)) return "JSON that is not the service's";
	if (typeof body !== 'string') return 'JSON that is not an object';
	return isPage(body) ? 'a web page instead of JSON' : 'something that is not JSON';
}

const isPage = (body: unknown) =>
	typeof body === 'string' && /^\s*<(!doctype|html|\?xml|head|body)/i.test(body);
