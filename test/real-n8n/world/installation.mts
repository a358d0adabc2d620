import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createCredential } from '../../../demo/n8n/rest/credentials.mts';
import { logIn, type Session } from '../../../demo/n8n/rest/session.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/server.mts';
import './logs.mts';
import { startMember, type Member } from './member.mts';
import type { Json, Reference } from './nodes.mts';

/** A real n8n with the packed package, the sandbox, and a person who is logged in. */
export interface Installation {
	n8n: Member;
	session: Session;
	sandbox: Sandbox;
	/** Where webhooks are called. */
	url: string;
	/** The credential that works. */
	credential: Reference;
	/** Stops or kills n8n, and starts it again. */
	restart: (how?: { isKilled?: boolean; env?: Record<string, string> }) => Promise<void>;
	end: () => Promise<void>;
}

/** The installation around an n8n that runs already on this machine, with the package in it. */
async function around(url: string, options?: SandboxOptions): Promise<Installation> {
	const sandbox = await startSandbox({ port: 0, campaignSeconds: 1, ...options });
	const end = async () => await sandbox.close();
	const cannot = () => assert.fail('This test needs an n8n that it has started itself.');
	try {
		const session = await logIn(url);
		const credential = await credentialFor({ session, sandbox });
		return {
			get n8n() {
				return cannot();
			},
			...{ session, sandbox, url, credential, restart: cannot, end },
		};
	} catch (error) {
		await end();
		throw error;
	}
}

export interface Settings {
	env?: Record<string, string>;
	port?: number;
	/** Default: false. */
	hasEditor?: boolean;
	sandbox?: SandboxOptions;
}

export async function install(settings: Settings = {}): Promise<Installation> {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-'));
	const sandbox = await startSandbox({ port: 0, campaignSeconds: 1, ...settings.sandbox });
	let n8n: Member | undefined;
	const end = async () => {
		await n8n?.end();
		await sandbox.close();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const { env, port, hasEditor = false } = settings;
		const member = (n8n = await startMember('n8n', { folder, env, port, hasEditor }));
		let session = await logIn(member.instance.url);
		return {
			n8n: member,
			get session() {
				return session;
			},
			sandbox,
			url: member.instance.url,
			credential: await credentialFor({ session, sandbox }),
			restart: async ({ isKilled = false, env } = {}) => {
				await member[isKilled ? 'kill' : 'stop']();
				await member.start(env);
				session = await logIn(member.instance.url);
			},
			end,
		};
	} catch (error) {
		await end();
		throw error;
	}
}

/** Creates a credential for the sandbox, with other data if they are given. */
export async function credentialFor(
	{ session, sandbox }: { session: Session; sandbox: Sandbox },
	data: Json = {},
): Promise<Reference> {
	const { id, name } = await createCredential(session, {
		name: 'Messaging sandbox',
		type: 'messagingApi',
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...data },
	});
	return { id, name };
}

let shared: Promise<Installation> | undefined;

/** The installation that all files of a suite share; it has the editor, unless the first caller wants none. */
export const world = (settings?: Settings): Promise<Installation> =>
	(shared ??= process.env.N8N_URL
		? around(process.env.N8N_URL.replace(/\/$/, ''), settings?.sandbox)
		: install({ hasEditor: true, ...settings }));

after(async () => await (await shared?.catch(() => undefined))?.end());
