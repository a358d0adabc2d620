import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';

export const ADDRESS = 'https://api.messaging.test';
/** A text that is nowhere else: a test that finds it in an output has found a leak. */
export const KEY = 'example-key-that-nobody-may-see';
export const credentials = { messagingApi: { baseUrl: ADDRESS, apiKey: KEY } };

/** A request that the service received. */
export type Asked = {
	method: string;
	path: string;
	query: Record<string, string>;
	apiKey: string | undefined;
	body?: unknown;
};

export type Reply = {
	status?: number;
	/** Objects are sent as JSON, text as it is. */
	body?: unknown;
	headers?: Record<string, string>;
};

/** The interface's envelope (2.1) of a success. */
export const success = (data: unknown, more: object = {}): Reply => ({
	body: { success: true, message: 'OK', data, ...more },
});

/** The same on the two template-listing endpoints, which put the payload under `body`. */
export const listing = (body: unknown): Reply => ({ body: { success: true, message: 'OK', body } });

/** The interface's envelope (section 7) of a failure. */
export const failure = (message: string, status = 400): Reply => ({
	status,
	body: { success: false, message, data: null },
});

/** A documented request: GET without a query, unless said otherwise. */
export const get = (path: string, query: Record<string, string> = {}): Asked => ({
	method: 'GET',
	path,
	query,
	apiKey: KEY,
	body: undefined,
});

export const post = (path: string, body: unknown): Asked => ({
	method: 'POST',
	path,
	query: {},
	apiKey: KEY,
	body,
});

/**
 * Answers every request to {@link ADDRESS} as the test says, and records the requests.
 *
 * @returns the list of requests, which grows as they arrive
 */
export function serve(answer: Reply | ((asked: Asked) => Reply), address = ADDRESS): Asked[] {
	const requests: Asked[] = [];
	for (const method of ['GET', 'POST'] as const) {
		nock(address)
			.persist()
			.intercept(/.*/, method)
			.query(true)
			.optionally()
			.reply(function (uri, body) {
				const url = new URL(uri, address);
				const asked: Asked = {
					method,
					path: url.pathname,
					query: Object.fromEntries(url.searchParams),
					apiKey: [this.req.headers.apikey].flat()[0],
					body: method === 'POST' ? body : undefined,
				};
				requests.push(asked);
				const reply = typeof answer === 'function' ? answer(asked) : answer;
				const { status = 200, headers = {} } = reply;
				return typeof reply.body === 'string'
					? [status, reply.body, headers]
					: [
							status,
							JSON.stringify(reply.body),
							{ 'content-type': 'application/json', ...headers },
						];
			});
	}
	return requests;
}

/** Requests in a fixed order, because requests that are in flight together arrive in any order. */
export const sorted = (requests: Asked[]) =>
	[...requests].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

const CHANNEL = { id: 'ch-1', name: 'Shop', phone: '447700900100', status: 'ACTIVE' };

/** A service whose only channel has these templates; `answer` answers everything else. */
export const withTemplates =
	(templates: object[], answer: (asked: Asked) => Reply) =>
	(asked: Asked): Reply => {
		if (asked.path === '/api/public/channels/chatapp') return success([CHANNEL]);
		if (asked.path === '/api/public/channel/ch-1/templates') return listing(templates);
		return answer(asked);
	};

type Messages = { from: string; messages: IDataObject[] };

/** The messages of a template or campaign request. */
export const messagesOf = ({ body }: Asked) => (body as Messages).messages;

/** Returns the places of the API key in a text, with the characters around them, without duplicates. */
export const leaksIn = (text: string) => [
	...new Set(
		[...text.matchAll(new RegExp(`.{0,20}${KEY}.{0,10}`, 'g'))].map(([excerpt]) => excerpt),
	),
];
