import { randomUUID } from 'node:crypto';
import { createCredential } from '../../demo/n8n/rest/credentials.mts';
import type { Session } from '../../demo/n8n/rest/session.mts';
import { activateWorkflow, createWorkflow } from '../../demo/n8n/rest/workflows.mts';
import { inARow, node } from '../../test/real-n8n/nodes/world/nodes.mts';

/* The workflows that are compared: each is a node that takes calls, and No Operation behind it. */

export const SECRET = 'bench-secret';

/** What is called, and what the calls carry. */
export interface Receiver {
	name: string;
	workflow: string;
	path: string;
	headers: Record<string, string>;
	/** A body that has not been sent before. */
	body: () => object;
}

interface Kind {
	type: string;
	version: number;
	parameters: (path: string) => object;
	credential?: 'httpHeaderAuth' | 'messagingApi';
	headers?: Record<string, string>;
	isCompletion?: boolean;
}

const respondsAtOnce = (path: string, authentication: string) => ({
	path,
	httpMethod: 'POST',
	authentication,
	responseMode: 'onReceived',
	options: {},
});

const bare = (parameters: object, credential?: 'messagingApi'): Kind => ({
	type: 'CUSTOM.bareTrigger',
	version: 1,
	parameters: () => parameters,
	credential,
});

const messaging = (deduplicate: boolean, confirm: boolean): Kind => ({
	type: 'n8n-nodes-messaging.messagingTrigger',
	version: 1,
	parameters: () => ({
		events: ['campaignCompleted', 'smsDeliveryReport', 'other'],
		deduplicate,
		confirm,
	}),
	credential: 'messagingApi',
	isCompletion: confirm,
});

export const KINDS = {
	'Webhook, no authentication': {
		type: 'n8n-nodes-base.webhook',
		version: 2,
		parameters: (path) => respondsAtOnce(path, 'none'),
	},
	'Webhook, Header Auth': {
		type: 'n8n-nodes-base.webhook',
		version: 2,
		parameters: (path) => respondsAtOnce(path, 'headerAuth'),
		credential: 'httpHeaderAuth',
		headers: { 'x-bench': SECRET },
	},
	'bare trigger': bare({}),
	'bare trigger, reads a credential': bare({ reads: true }, 'messagingApi'),
	'bare trigger, reads a credential, writes static data': bare(
		{ reads: true, writes: true },
		'messagingApi',
	),
	'Deduplicate on, Confirm off': messaging(true, false),
	'Deduplicate off, Confirm off': messaging(false, false),
	'Deduplicate on, Confirm on': messaging(true, true),
	'Deduplicate off, Confirm on': messaging(false, true),
} satisfies Record<string, Kind> as Record<string, Kind>;

/** Publishes a workflow of each kind. */
export async function receivers(
	session: Session,
	kinds: string[],
	service: string,
): Promise<Receiver[]> {
	const credentials = {
		httpHeaderAuth: await credentialOf(session, 'httpHeaderAuth', {
			name: 'x-bench',
			value: SECRET,
		}),
		messagingApi: await credentialOf(session, 'messagingApi', { baseUrl: service, apiKey: 'key' }),
	};
	const made: Receiver[] = [];
	for (const name of kinds) {
		const { type, version, parameters, credential, headers = {}, isCompletion } = KINDS[name];
		const webhookId = randomUUID();
		const nodes = [
			node('Call', type, version, parameters(webhookId) as Record<string, unknown>, {
				webhookId,
				...(credential && { credentials: { [credential]: credentials[credential] } }),
			}),
			node('Next', 'n8n-nodes-base.noOp', 1, {}),
		];
		const { id } = await createWorkflow(session, { name, nodes, connections: inARow(nodes) });
		await activateWorkflow(session, id);
		made.push({
			name,
			workflow: id,
			path: type.endsWith('.webhook') ? webhookId : `${webhookId}/webhook`,
			headers,
			body: isCompletion ? completion : smsReport,
		});
	}
	return made;
}

async function credentialOf(session: Session, type: string, data: Record<string, unknown>) {
	const { id, name } = await createCredential(session, { name: type, type, data });
	return { id, name };
}

const completion = () => ({ event: 'campaignCompleted', campaign_id: randomUUID() });

const smsReport = () => ({
	event: 'smsDeliveryReport',
	message: { id: randomUUID(), to: '385911234567', status: 'delivered' },
});
