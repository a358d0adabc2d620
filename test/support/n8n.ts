import type * as Execution from './n8n/execution.mts';
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
	credentialsHelperOf,
	dropFailedRun,
	inARow,
	itemsOf,
	node,
	startByWebhook,
	useNodesOf,
	webhookContext,
} = requireOnce('./n8n/execution.mts') as typeof Execution;

export const { ProcessedData } = requireOnce('./n8n/processedData.mts') as typeof Processed;
export type ProcessedData = Processed.ProcessedData;

export const { WebhookResponse } = requireOnce('./n8n/response.mts') as typeof Response;
export type WebhookResponse = Response.WebhookResponse;
