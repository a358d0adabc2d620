import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCredential } from '../../demo/n8n/rest/credentials.mts';
import { activateWorkflow, createWorkflow } from '../../demo/n8n/rest/workflows.mts';
import { HOST } from '../../demo/ports.mjs';
import { inARow, node } from '../../test/real-n8n/nodes/world/nodes.mts';
import { startMember } from '../../test/real-n8n/queue/world/member.mts';
import { startStack } from '../../test/real-n8n/queue/world/stack.mts';

/*
 * How often two webhook processors start the same event twice: it is delivered to both at the same moment, and to the
 * second one some ms later. n8n has nothing that a trigger could ask in both.
 */

const TIMES = Number(process.argv[2] ?? 200);
const LATER = [0, 50, 200, 1000];

Object.assign(
	process.env,
	(await import('../../test/real-n8n/queue/servers/programs.mjs')).ensurePrograms(),
);
const stack = await startStack({ workers: 1 });
const second = await startMember('second webhook processor', {
	folder: join(stack.folder, 'second'),
	role: 'webhook',
	env: {
		EXECUTIONS_MODE: 'queue',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		WEBHOOK_URL: `http://${HOST}/`,
		...stack.postgres.env,
		...stack.redis.env,
	},
});
const { id: credentialId, name } = await createCredential(stack.session, {
	name: 'Service',
	type: 'messagingApi',
	data: { baseUrl: `http://${HOST}:1`, apiKey: 'key' },
});
const webhookId = randomUUID();
const nodes = [
	node(
		'Messaging Trigger',
		'n8n-nodes-messaging.messagingTrigger',
		1,
		{ events: ['smsDeliveryReport'], confirm: false },
		{ webhookId, credentials: { messagingApi: { id: credentialId, name } } },
	),
	node('Next', 'n8n-nodes-base.noOp', 1, {}),
];
const { id } = await createWorkflow(stack.session, {
	name: 'Receiver',
	nodes,
	connections: inARow(nodes),
});
await activateWorkflow(stack.session, id);

const [one, two] = [stack.webhook.instance.url, second.instance.url].map(
	(url) => `${url}/webhook/${webhookId}/webhook`,
);
async function deliver(url: string, event: string): Promise<boolean> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ event: 'smsDeliveryReport', message: { id: event } }),
	});
	return (await answer.text()).includes('Accepted');
}
// Both are warm.
for (let index = 0; index < 10; index++) await deliver(index % 2 ? one : two, randomUUID());
for (const later of LATER) {
	let twice = 0;
	let none = 0;
	for (let time = 0; time < TIMES; time++) {
		const event = randomUUID();
		const [first, other] = time % 2 ? [one, two] : [two, one];
		const starts = await Promise.all([
			deliver(first, event),
			sleep(later).then(async () => await deliver(other, event)),
		]);
		twice += Number(starts[0] && starts[1]);
		none += Number(!starts[0] && !starts[1]);
	}
	console.log(`${later} ms later: ${twice} of ${TIMES} started twice, ${none} never`);
}
await second.stop();
await stack.stop();
