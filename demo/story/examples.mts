import { readFileSync } from 'node:fs';
import type { SeedWorkflow } from '../n8n/seed.mts';

/* The example workflows that users import into their n8n, and the names of their nodes. */

interface ExampleNode {
	name: string;
	type: string;
	webhookId?: string;
	credentials?: Record<string, { id: string; name: string }>;
	parameters: Record<string, any>;
}

export interface Example extends SeedWorkflow {
	nodes: ExampleNode[];
}

const read = (name: string): Example =>
	JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8'));

export const examples = {
	campaign: read('../demo/story/campaign'),
	completion: read('campaign-completed'),
};

export const nodeNames = {
	start: 'When you press Execute',
	people: 'One item per person',
	send: 'Send campaign',
	trigger: 'Campaign completed',
	messages: 'Messages',
	report: 'Report',
};

/** The address of the trigger after its workflow is published. */
export function webhookUrl(n8nUrl: string, workflow: Example): string {
	const trigger = workflow.nodes.find((node) => node.webhookId !== undefined);
	return `${n8nUrl}/webhook/${trigger?.webhookId}/webhook`;
}

/** The credential of the examples. */
export function exampleCredential(data: {
	baseUrl: string;
	apiKey: string;
	allowedHttpRequestDomains?: 'none';
}) {
	const sender = examples.campaign.nodes.find((node) => node.name === nodeNames.send);
	const { id, name } = sender!.credentials!.messagingApi;
	return { id, name, type: 'messagingApi', data };
}
