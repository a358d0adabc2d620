import { randomUUID } from 'node:crypto';
import { createCredential } from '../../demo/n8n/rest/credentials.mts';
import type { Session } from '../../demo/n8n/rest/session.mts';
import { activateWorkflow, createWorkflow } from '../../demo/n8n/rest/workflows.mts';
import { inARow, node } from '../../test/real-n8n/world/nodes.mts';

/* The workflows that are compared: each is a node that takes calls, and No Operation behind it. */

const SECRET = 'bench-secret';

/** What is called, with its secret in the header `x-webhook-secret`. */
export type Receiver = { name: string; workflow: string; path: string };

interface Kind {
	type: string;
	version: number;
	parameters: (webhookId: string) => Record<string, unknown>;
	credential: { type: string; data: Record<string, unknown> };
	pathEnds?: string;
}

export const HEADERS = { 'content-type': 'application/json', 'x-webhook-secret': SECRET };

/** What our trigger is compared with. */
export const WEBHOOK = "n8n's Webhook node with Header Auth";

const KINDS: Record<string, Kind> = {
	[WEBHOOK]: {
		type: 'n8n-nodes-base.webhook',
		version: 2,
		parameters: (path) => ({
			path,
			httpMethod: 'POST',
			authentication: 'headerAuth',
			responseMode: 'onReceived',
			options: {},
		}),
		credential: { type: 'httpHeaderAuth', data: { name: 'x-webhook-secret', value: SECRET } },
	},
	'Messaging Trigger': {
		type: 'n8n-nodes-messaging.messagingTrigger',
		version: 1.1,
		parameters: () => ({ events: ['campaignCompleted', 'smsDeliveryReport'] }),
		credential: {
			type: 'messagingApi',
			data: { baseUrl: 'http://127.0.0.1:1', apiKey: 'key', webhookSecret: SECRET },
		},
		pathEnds: '/webhook',
	},
};

/** Publishes a workflow of each kind. */
export async function publishReceivers(session: Session): Promise<Receiver[]> {
	const receivers: Receiver[] = [];
	for (const [name, { type, version, parameters, credential, pathEnds = '' }] of Object.entries(
		KINDS,
	)) {
		const webhookId = randomUUID();
		const { id: credentialId } = await createCredential(session, { name, ...credential });
		const nodes = [
			node('Call', type, version, parameters(webhookId), {
				webhookId,
				credentials: { [credential.type]: { id: credentialId, name } },
			}),
			node('Next', 'n8n-nodes-base.noOp', 1, {}),
		];
		const { id } = await createWorkflow(session, { name, nodes, connections: inARow(nodes) });
		await activateWorkflow(session, id);
		receivers.push({ name, workflow: id, path: webhookId + pathEnds });
	}
	return receivers;
}
