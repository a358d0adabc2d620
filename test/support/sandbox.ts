import nock from 'nock';
import type * as Server from '../../sandbox/server.mts';
import type * as Faults from './faults.mts';

// Node's own `require` loads them (mainRealm.js), because jest's knows no .mts modules.
declare const requireOnce: (path: string) => object;

const { startSandbox } = requireOnce('../../sandbox/server.mts') as typeof Server;

export const { FAULTS } = requireOnce('./faults.mts') as typeof Faults;

export type Fault = { kind: string; [field: string]: unknown };

export type FaultRule = {
	match?: { method?: string; endpoint?: string; recipient?: string };
	skip?: number;
	every?: number;
	times?: number;
	act?: boolean;
	fault: Fault;
};

export type Counts = {
	requests: { total: number; byEndpoint: Record<string, number> };
	inFlight: { now: number; max: number };
	sockets: { now: number; max: number };
	accepted: {
		messages: number;
		campaigns: number;
		byRecipient: Record<string, number>;
		byIdentifier: Record<string, number>;
	};
	maxPerRecipient: number;
};

/** The sandbox and its control API (sandbox/README.md). */
export class Sandbox {
	url = '';
	apiKey = '';

	/** Starts it, and sets `url` and `apiKey`. Returns the function that stops it. */
	async start(): Promise<() => Promise<void>> {
		// These tests call a real server: nock must not intercept their requests.
		nock.restore();
		const { url, apiKey, close } = await startSandbox({ campaignSeconds: 0 });
		Object.assign(this, { url, apiKey });
		return close;
	}

	get credentials() {
		return { messagingApi: { baseUrl: this.url, apiKey: this.apiKey } };
	}

	private async control<Result>(method: string, path: string, body?: unknown): Promise<Result> {
		const response = await fetch(`${this.url}/_sandbox${path}`, {
			method,
			...(body !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		if (!response.ok) throw new Error(`Sandbox ${method} ${path}: ${await response.text()}`);
		return (await response.json()) as Result;
	}

	reset = async (settings: object = {}) => {
		await this.control('POST', '/reset', settings);
	};

	fault = async (...rules: FaultRule[]) => {
		await this.control('POST', '/faults', rules);
	};

	completeCampaign = async (id: string) => {
		await this.control('POST', `/campaigns/${id}/complete`);
	};

	clearFaults = async () => {
		await this.control('DELETE', '/faults');
	};

	/** Replaces the main channel's templates until the next reset. */
	templates = async (templates: object[]) => {
		await this.control('PUT', '/templates', templates);
	};

	counts = async () => await this.control<Counts>('GET', '/counts');

	/** Waits until it has accepted the messages of more than so many requests of an operation. */
	acceptsMoreThan = async (requests: number, send: string) => {
		const messages = requests * (send.endsWith('3 per request') ? 3 : 1);
		while ((await this.counts()).accepted.messages <= messages);
	};

	accepted = async (recipient?: string) =>
		await this.control<
			Array<{
				to: string;
				message?: string;
				template?: { [field: string]: unknown };
				identifier?: string;
				campaign_id?: string;
				/** The text that the recipient reads. */
				text?: string;
				/** The reason why the recipient gets no text. */
				textMissing?: string;
			}>
		>(
			'GET',
			`/accepted${recipient === undefined ? '' : `?recipient=${encodeURIComponent(recipient)}`}`,
		);

	requests = async (last = 500) =>
		await this.control<Array<{ endpoint: string; method: string; body: unknown }>>(
			'GET',
			`/requests?last=${last}`,
		);
}

/** Starts a sandbox before the tests of this file or `describe`, and stops it after them. */
export function useSandbox(): Sandbox {
	const sandbox = new Sandbox();
	let stop: () => Promise<void>;
	beforeAll(async () => {
		stop = await sandbox.start();
	});
	afterAll(async () => {
		await stop();
	});
	return sandbox;
}
