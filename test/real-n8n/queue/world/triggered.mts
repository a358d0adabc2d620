import { randomUUID } from 'node:crypto';
import { node } from '../../nodes/world/nodes.mts';
import { publish } from './workflows.mts';
import type { World } from './world.mts';

export interface Triggered {
	id: string;
	/** The URL of the trigger's webhook at the webhook processor. */
	url: string;
	/** All its executions so far, each with its campaign. */
	executions: () => Promise<Array<{ campaign: string; status: string }>>;
	/** The number of executions, which the database returns faster than the list. */
	count: () => Promise<{ all: number; ended: number }>;
}

/** A workflow of a Messaging Trigger and a node behind it. */
export async function triggered(
	world: Pick<World, 'stack' | 'credential'>,
	parameters: object = {},
): Promise<Triggered> {
	const { stack, credential } = world;
	const webhookId = randomUUID();
	const trigger = node(
		'Messaging Trigger',
		'n8n-nodes-messaging.messagingTrigger',
		1.1,
		{ events: ['campaignCompleted'], ...parameters },
		{ webhookId, credentials: { messagingApi: credential } },
	);
	const id = await publish(world, [trigger, node('Next', 'n8n-nodes-base.noOp', 1, {})]);
	return {
		id,
		url: `${stack.webhook.instance.url}/webhook/${webhookId}/webhook`,
		executions: async () =>
			await stack.postgres.query(
				`select e.status,
					(regexp_match(d.data, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'))[1] as campaign
				from execution_entity e join execution_data d on d."executionId" = e.id
				where e."workflowId" = $1 order by e.id`,
				[id],
			),
		count: async () => {
			const [row] = await stack.postgres.query<{ all: number; ended: number }>(
				`select count(*)::int as all, count(*) filter (where status in ('success', 'error', 'crashed'))::int as ended
				from execution_entity where "workflowId" = $1`,
				[id],
			);
			return row;
		},
	};
}
