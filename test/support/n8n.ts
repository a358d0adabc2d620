import { DataDeduplicationService } from 'n8n-core';
import type * as Execution from './n8n/execution.mts';
import type * as InstallationModule from './n8n/installation.mts';
import type * as Processed from './n8n/processedData.mts';
import type * as Response from './n8n/response.mts';

/*
 * The n8n around the engine, which the tests share with the simulation (test/simulation). Node's own `require` loads it
 * (mainRealm.js), because jest's knows no .mts modules.
 */

declare const requireOnce: (path: string) => object;

export const {
	additionalDataOf,
	beginsAt,
	continueWith,
	credentialsHelperOf,
	inARow,
	itemsOf,
	node,
	startByWebhook,
	to,
	webhookContext,
} = requireOnce('./n8n/execution.mts') as typeof Execution;

export const { Installation } = requireOnce('./n8n/installation.mts') as typeof InstallationModule;
export type { Process, Running, SavedWorkflow } from './n8n/installation.mts';

export const { ProcessedData } = requireOnce('./n8n/processedData.mts') as typeof Processed;
export type ProcessedData = Processed.ProcessedData;

export const { WebhookResponse } = requireOnce('./n8n/response.mts') as typeof Response;
export type WebhookResponse = Response.WebhookResponse;

/** The database of the n8n of a test file. */
export const database = new ProcessedData();

/** Gives the engine this database, as n8n does when it starts. The engine is the same for all files of a worker. */
export async function installDatabase() {
	const service = DataDeduplicationService as unknown as { instance?: unknown };
	service.instance = undefined;
	await DataDeduplicationService.init(database);
}
