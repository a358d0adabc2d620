import nock from 'nock';
import { startSandboxProcess } from './sandboxProcess';

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

/** The sandbox service behind its control API. */
export class Sandbox {
	url = '';
	apiKey = '';

	/** Where it is, and the key that it takes, are known when it has started. */
	async start(): Promise<() => Promise<void>> {
		// These tests meet a real server: nothing may stand between them and it.
		nock.restore();
		const { url, apiKey, stop } = await startSandboxProcess();
		Object.assign(this, { url, apiKey });
		return stop;
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

	accepted = async (recipient?: string) =>
		await this.control<
			Array<{
				to: string;
				message?: string;
				template?: { [field: string]: unknown };
				identifier?: string;
				campaign_id?: string;
				/** What the recipient reads. */
				text?: string;
				/** Why the provider shows the recipient nothing. */
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

/** A sandbox that runs while the tests of this file do, or those of this `describe`. */
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
