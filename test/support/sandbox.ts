import { sleep } from 'n8n-workflow';
import nock from 'nock';
import type * as Control from '../../sandbox/control.mts';
import type { FaultRule } from '../../sandbox/faults/rules.mts';
import type { ChannelTemplate } from '../../sandbox/interface/records.mts';
import type * as Server from '../../sandbox/server.mts';

// Node's own `require` loads them (mainRealm.js), because jest's knows no .mts modules.
declare const requireOnce: (path: string) => object;

const { acceptedIn, countsOf } = requireOnce('../../sandbox/control.mts') as typeof Control;
const { startSandbox } = requireOnce('../../sandbox/server.mts') as typeof Server;

/** The sandbox (sandbox/README.md), and what a test sets and reads of it. */
export class Sandbox {
	private server!: Server.Sandbox;

	/** Starts it. Returns the function that stops it. */
	async start(): Promise<() => Promise<void>> {
		// These tests call a real server: nock must not intercept their requests.
		nock.restore();
		this.server = await startSandbox({ campaignSeconds: 0 });
		return this.server.close;
	}

	get url() {
		return this.server.url;
	}

	get apiKey() {
		return this.server.apiKey;
	}

	get credentials() {
		return { messagingApi: { baseUrl: this.url, apiKey: this.apiKey } };
	}

	/** Empties it, with other settings than its own if they are given. */
	reset = async (settings: object = {}) => {
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify(settings);
		const { ok } = await fetch(`${this.url}/_sandbox/reset`, { method: 'POST', headers, body });
		if (!ok) throw new Error(`The sandbox does not know these settings: ${body}`);
	};

	fault = async (...rules: FaultRule[]) => this.server.world.faults.add(rules);

	clearFaults = async () => this.server.world.faults.clear();

	/** Replaces the main channel's templates until the next reset. */
	templates = async (templates: object[]) =>
		this.server.world.directory.replaceMainTemplates(templates as ChannelTemplate[]);

	/** Counts when it has handled what has arrived. */
	counts = async () => {
		await sleep(0);
		return countsOf(this.server.world);
	};

	/** Waits until it has accepted the messages of more than so many requests of an operation. */
	acceptsMoreThan = async (requests: number, send: string) => {
		const messages = requests * (send.endsWith('3 per request') ? 3 : 1);
		while ((await this.counts()).accepted.messages <= messages);
	};

	accepted = async (recipient?: string) => acceptedIn(this.server.world, recipient);

	requests = async () => this.server.world.traffic.last(500);
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

/** The same, and each test begins with an empty one. */
export function useEmptySandbox(): Sandbox {
	const sandbox = useSandbox();
	beforeEach(async () => await sandbox.reset());
	return sandbox;
}
