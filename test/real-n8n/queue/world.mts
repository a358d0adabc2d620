import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import type { Session } from '../../../demo/n8n/rest/session.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { credentialFor } from '../world/installation.mts';
import type { Member } from '../world/member.mts';
import {
	messaging,
	messagingTrigger,
	nothing,
	peopleOfCall,
	TEXT,
	type Json,
	type Node,
	type Reference,
} from '../world/nodes.mts';
import { control } from '../world/service.mts';
import { publish, publishForCalls } from '../world/workflows.mts';
import { startStack, type Stack } from './stack.mts';

/** Queue mode and the sandbox. All test files share them. */
export interface World {
	stack: Stack;
	/** A person who is logged in at the main process. */
	session: Session;
	/** Where webhooks are called: the webhook processor. */
	url: string;
	sandbox: Sandbox;
	credential: Reference;
}

/*
 * With its default settings n8n needs a minute or more to notice that a worker has ended. With these settings it notices
 * sooner. They change nothing else.
 */
const FAST_STALL_DETECTION = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** What docs/administration.md asks for, "Queue mode and large lists": on two busy cores 100 at once need it, too. */
const PATIENT_DATABASE = {
	DB_POSTGRESDB_CONNECTION_TIMEOUT: '120000',
	DB_PING_TIMEOUT_MS: '120000',
};

let started: Promise<World> | undefined;
const closing: Array<() => Promise<void>> = [];

export function world(): Promise<World> {
	started ??= start();
	return started;
}

async function start(): Promise<World> {
	// Campaigns complete only when a test completes them.
	const sandbox = await startSandbox({ campaignSeconds: 3600, port: 0 });
	closing.push(async () => await sandbox.close());
	const stack = await startStack({ env: { ...FAST_STALL_DETECTION, ...PATIENT_DATABASE } });
	closing.push(stack.stop);
	const { session } = stack;
	const credential = await credentialFor({ session, sandbox });
	return { stack, session, url: stack.webhook.instance.url, sandbox, credential };
}

after(async () => {
	await started?.catch(() => undefined);
	for (const close of closing.splice(0).reverse()) await close();
});

/** Publishes a workflow that sends a text to each person in the call, ten at once, to a slow service. */
export async function slowSender(at: World, ...behind: Node[]) {
	await control(at.sandbox, 'POST', '/reset', { latencyMs: 100 });
	return await publishForCalls(at, [peopleOfCall(), messaging(at.credential, TEXT), ...behind]);
}

/** The n8n processes whose logs say that they ran this execution, one entry for each run. */
export function takenBy({ main, webhook, workers }: Stack, execution: string): Member[] {
	const words = new RegExp(`started execution ${execution} \\(`, 'gi');
	return [main, webhook, ...workers].flatMap((member) =>
		[...member.log().matchAll(words)].map(() => member),
	);
}

/** All executions of a workflow, oldest first. From the database, because n8n's own lists end at a hundred. */
export const executionsOf = async (
	{ stack }: World,
	workflow: string,
): Promise<Array<{ id: string; status: string }>> =>
	await stack.postgres.query(
		'select id::text, status from execution_entity where "workflowId" = $1 order by execution_entity.id',
		[workflow],
	);

/** The campaigns of all executions of a workflow, oldest first. */
export const campaignsOf = async (
	{ stack }: World,
	workflow: string,
): Promise<Array<{ campaign: string; status: string }>> =>
	await stack.postgres.query(
		`select (regexp_match(d.data, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'))[1] as campaign, e.status
		from execution_entity e join execution_data d on d."executionId" = e.id
		where e."workflowId" = $1 order by e.id`,
		[workflow],
	);

/** Publishes a workflow of a Messaging Trigger and the nodes behind it. @returns its id and its URL */
export async function triggered(at: World, ...behind: Node[]) {
	const webhookId = randomUUID();
	const events: Json = { events: ['campaignCompleted'] };
	const trigger = messagingTrigger(at.credential, events, { webhookId });
	const id = await publish(at, [trigger, ...behind, nothing('Next')]);
	return {
		id,
		path: `webhook/${webhookId}/webhook`,
		url: `${at.url}/webhook/${webhookId}/webhook`,
	};
}
