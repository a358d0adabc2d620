import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';

export const ADDRESS = 'https://api.messaging.test';
/** A text that occurs nowhere else, so a test that finds it in an output has found a leak. */
export const KEY = 'example-key-that-nobody-may-see';
export const credentials = { messagingApi: { baseUrl: ADDRESS, apiKey: KEY } };

/** A request that the service received. */
export type ServiceRequest = {
	method: string;
	path: string;
	query: Record<string, string>;
	apiKey: string | undefined;
	body?: unknown;
};

export type ServiceAnswer = {
	status?: number;
	/** Objects are sent as JSON, text unchanged. */
	body?: unknown;
	headers?: Record<string, string>;
};

/** A successful answer (docs/development/interface.md, "Response envelope"). */
export const success = (data: unknown, more: object = {}): ServiceAnswer => ({
	body: { success: true, message: 'OK', data, ...more },
});

/** A successful answer of the two endpoints that list templates. They return the payload in `body`. */
export const listing = (body: unknown): ServiceAnswer => ({
	body: { success: true, message: 'OK', body },
});

/** A failed answer (docs/development/interface.md, "Errors"). */
export const failure = (message: string, status = 400): ServiceAnswer => ({
	status,
	body: { success: false, message, data: null },
});

/** A documented request: GET without a query, unless said otherwise. */
export const get = (path: string, query: Record<string, string> = {}): ServiceRequest => ({
	method: 'GET',
	path,
	query,
	apiKey: KEY,
	body: undefined,
});

export const post = (path: string, body: unknown): ServiceRequest => ({
	method: 'POST',
	path,
	query: {},
	apiKey: KEY,
	body,
});

/** Templates without placeholders that every service has, unless its answer comes from {@link withTemplates}. */
export const plainTemplates = new Set<string>();

/** Answers the requests with which a run reads the templates; undefined for any other request. */
function answerWithPlainTemplates(path: string): ServiceAnswer | undefined {
	if (plainTemplates.size === 0) return undefined;
	if (path === '/api/public/channels/chatapp') {
		const phones = [CHANNEL.phone, '111111111', '222222222'];
		return success(phones.map((phone) => ({ ...CHANNEL, phone, id: 'plain' })));
	}
	if (path !== '/api/public/channel/plain/templates') return undefined;
	const components = [{ type: 'BODY', text: 'We are open from 7 to 18.' }];
	return listing([...plainTemplates].map((name) => ({ name, components })));
}

const answering = new Map<string, nock.Interceptor>();

/**
 * Answers every request to {@link ADDRESS} as the test says, until it is called again, and records the requests. Those that read a plain template are
 * answered by themselves and not recorded.
 *
 * @returns the list of requests, which grows as they arrive
 */
export function serve(
	answer: ServiceAnswer | ((asked: ServiceRequest) => ServiceAnswer),
	address = ADDRESS,
): ServiceRequest[] {
	const requests: ServiceRequest[] = [];
	const hasOwn = typeof answer === 'function' && ownTemplates.has(answer);
	for (const method of ['GET', 'POST'] as const) {
		const interceptor = nock(address).persist().intercept(/.*/, method).query(true).optionally();
		const before = answering.get(method + address);
		if (before) nock.removeInterceptor(before);
		answering.set(method + address, interceptor);
		interceptor.reply(function (uri, body) {
			const url = new URL(uri, address);
			const asked: ServiceRequest = {
				method,
				path: url.pathname,
				query: Object.fromEntries(url.searchParams),
				apiKey: [this.req.headers.apikey].flat()[0],
				body: method === 'POST' ? body : undefined,
			};
			const plain = hasOwn ? undefined : answerWithPlainTemplates(asked.path);
			if (!plain) requests.push(asked);
			const reply = plain ?? (typeof answer === 'function' ? answer(asked) : answer);
			const { status = 200, headers = {} } = reply;
			return typeof reply.body === 'string'
				? [status, reply.body, headers]
				: [status, JSON.stringify(reply.body), { 'content-type': 'application/json', ...headers }];
		});
	}
	return requests;
}

/** Sorts requests, because requests that are in flight together arrive in any order. */
export const sorted = (requests: ServiceRequest[]) =>
	[...requests].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

const CHANNEL = { id: 'ch-1', name: 'Shop', phone: '12025550100', status: 'ACTIVE' };

/** Answers that have templates of their own. */
const ownTemplates = new WeakSet<object>();

/** A service whose only channel has these templates; `answer` answers everything else. */
export function withTemplates(
	templates: object[],
	answer: (asked: ServiceRequest) => ServiceAnswer,
	channel: IDataObject = {},
) {
	const answered = (asked: ServiceRequest): ServiceAnswer => {
		if (asked.path === '/api/public/channels/chatapp') return success([{ ...CHANNEL, ...channel }]);
		if (asked.path === '/api/public/channel/ch-1/templates') return listing(templates);
		return answer(asked);
	};
	ownTemplates.add(answered);
	return answered;
}

type Messages = { from: string; messages: IDataObject[] };

/** The messages of a template or campaign request. */
export const messagesOf = ({ body }: ServiceRequest) => (body as Messages).messages;

/** Returns excerpts of a text around the API key, without duplicates. */
export const leaksIn = (text: string) => [
	...new Set(
		[...text.matchAll(new RegExp(`.{0,20}${KEY}.{0,10}`, 'g'))].map(([excerpt]) => excerpt),
	),
];

/** Needed in a file that also uses the sandbox: its requests are real ones. */
export function useMockService() {
	beforeAll(() => {
		if (!nock.isActive()) nock.activate();
	});
}
