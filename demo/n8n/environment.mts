import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { n8nFolder, node24, pathName } from '../setup/paths.mjs';
import { HOST } from '../ports.mjs';
import { ownerEnvironment } from './owner.mts';

/** Turns off n8n's requests to its own servers, which fail without internet, and gives its database time. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	// On a busy machine n8n's own default of 5 s passes, and then it answers 503 to everything for some seconds.
	DB_PING_TIMEOUT_MS: '120000',
	// n8n does not start when this setting names an unknown module.
	...(hasModule('mcp-registry') ? { N8N_DISABLED_MODULES: 'mcp-registry' } : {}),
	NO_COLOR: '1',
};

function hasModule(name: string): boolean {
	return existsSync(join(n8nFolder, 'node_modules', 'n8n', 'dist', 'modules', name));
}

/** Variables of another n8n on this machine, which must not affect ours. */
const FOREIGN =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_|CREDENTIALS_|NODE_OPTIONS$|NODE_PATH$|npm_)/;

export interface Place {
	/** n8n's user folder, with its database, packages and log. */
	folder: string;
	port: number;
	/** Port for the task runners. Each n8n process needs its own. */
	brokerPort: number;
}

export function environmentOf(
	place: Place,
	more: Record<string, string> = {},
): Record<string, string> {
	const own = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)),
	) as Record<string, string>;
	return {
		...own,
		// n8n starts its task runner with the first `node` of the search path.
		[pathName(own)]: [dirname(node24), own[pathName(own)] ?? ''].join(delimiter),
		NO_PROXY: [process.env.NO_PROXY, HOST, 'localhost'].filter(Boolean).join(','),
		...QUIET,
		...ownerEnvironment(),
		N8N_USER_FOLDER: place.folder,
		N8N_LISTEN_ADDRESS: HOST,
		N8N_HOST: HOST,
		N8N_PORT: String(place.port),
		N8N_RUNNERS_BROKER_PORT: String(place.brokerPort),
		N8N_SECURE_COOKIE: 'false',
		N8N_ENCRYPTION_KEY: 'only-for-the-demo-and-the-tests',
		GENERIC_TIMEZONE: 'UTC',
		...more,
	};
}
