import { Trouble } from '../../setup/trouble.mjs';
import { owner } from '../owner.mts';
import { until } from '../until.mts';

/** A logged-in user's requests to n8n's own endpoints, as the editor sends them. */
export interface Session {
	url: string;
	get: <T>(path: string) => Promise<T>;
	post: <T>(path: string, body?: unknown) => Promise<T>;
	patch: <T>(path: string, body: unknown) => Promise<T>;
	remove: <T>(path: string) => Promise<T>;
}

export class RestError extends Trouble {
	readonly status: number;
	readonly body: string;

	constructor(call: string, status: number, body: string) {
		super(`n8n answered ${status} to ${call}: ${body.slice(0, 2000)}`);
		this.status = status;
		this.body = body;
	}
}

const hasStatus = (error: unknown, status: number) =>
	error instanceof RestError && error.status === status;

export const isNotFound = (error: unknown) => hasStatus(error, 404);

const ANSWER_WITHIN_MS = 60_000;

/** The text with which n8n answers everything while it starts, with status 200. */
const STARTING = 'n8n is starting up';

type Call = (
	method: string,
	path: string,
	body?: unknown,
) => Promise<{ answer: Response; content: any }>;

export async function logIn(url: string): Promise<Session> {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		// n8n accepts the cookie only from the browser that logged in.
		'browser-id': 'messaging-demo',
		// A busy n8n may close an idle connection after the next request has been sent on it.
		connection: 'close',
	};

	const call: Call = async (method, path, body) => {
		const answer = await fetch(url + path, {
			method,
			headers,
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
		});
		const text = await answer.text();
		if (!answer.ok || text.startsWith(STARTING)) {
			throw new RestError(`${method} ${path}`, answer.ok ? 503 : answer.status, text);
		}
		return { answer, content: text === '' ? undefined : JSON.parse(text) };
	};
	const send = async (method: string, path: string, body?: unknown) => {
		const { content } = await call(method, path, body);
		return path.startsWith('/rest/') ? content?.data : content;
	};

	const { answer } = await until('n8n lets its owner in', async () => await logInOwner(call));
	headers.cookie = answer.headers
		.getSetCookie()
		.map((cookie) => cookie.split(';')[0])
		.join('; ');

	return {
		url,
		get: async (path) => await send('GET', path),
		post: async (path, body) => await send('POST', path, body),
		patch: async (path, body) => await send('PATCH', path, body),
		remove: async (path) => await send('DELETE', path),
	};
}

/** Logs the owner in; undefined while n8n is not ready for it. */
async function logInOwner(call: Call) {
	const { email, password } = owner;
	try {
		return await call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	} catch (error) {
		// An older n8n does not create the owner from the environment (see owner.mts).
		if (hasStatus(error, 401)) await call('POST', '/rest/owner/setup', owner);
		// It also reports that it is ready before its endpoints are: they are missing, or say that it is starting.
		else if (!isNotFound(error) && !hasStatus(error, 503)) throw error;
		return undefined;
	}
}
