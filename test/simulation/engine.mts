import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type * as Core from 'n8n-core';
import type * as Workflow from 'n8n-workflow';
import { ownerNow } from '../support/n8n/owners.mts';
import { installClock } from './clock.mts';
import { installNetwork } from './network.mts';

/*
 * n8n's own engine, loaded once per process of this machine and shared by all worlds. The clock and the network are
 * installed first, because libraries keep what they find when they are loaded.
 */

installClock();
installNetwork();

process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-simulation-'));
process.env.N8N_ENCRYPTION_KEY ??= 'test-only';
process.env.N8N_LOG_LEVEL ??= 'silent';

const require = createRequire(import.meta.url);

export const core = require('n8n-core') as typeof Core;
export const workflow = require('n8n-workflow') as typeof Workflow;

// Resolved from n8n-core, which may have copies of its own: only its copies use the logger that is set here.
const requireOfCore = createRequire(require.resolve('n8n-core'));
const { Container } = requireOfCore('@n8n/di') as {
	Container: { set: (type: unknown, value: unknown) => void };
};
const { Logger } = requireOfCore('@n8n/backend-common') as { Logger: unknown };

/** An owner with a log of its own: a process of the simulated n8n. */
export interface Logging {
	log: string[];
}

const isLogging = (owner: unknown): owner is Logging =>
	typeof owner === 'object' && owner !== null && 'log' in owner;

/** Returns everything that is logged, with all that an error contains, as a log file shows it. */
const written = (details: unknown[]): string =>
	inspect(details, { depth: 10, maxStringLength: Infinity, maxArrayLength: Infinity });

/** The log lines of this world that belong to no process. */
export const logOfNobody: string[] = [];

function note(level: string) {
	return (message: string, ...details: unknown[]) => {
		const owner = ownerNow();
		const log = isLogging(owner) ? owner.log : logOfNobody;
		log.push(`${level}: ${message}${details.length > 0 ? ` ${written(details)}` : ''}`);
	};
}

/** n8n's logger: it keeps the lines of each process. */
const logger = {
	error: note('error'),
	warn: note('warn'),
	info: note('info'),
	debug: note('debug'),
	verbose: note('verbose'),
	log: (level: string, message: string, ...details: unknown[]) => note(level)(message, ...details),
	scoped: () => logger,
};

Container.set(Logger, logger);
workflow.LoggerProxy.init(logger as never);
