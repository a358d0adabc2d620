import type { Json } from '../../../../demo/n8n/rest/executions.mts';
import { until } from '../../../../demo/n8n/until.mts';
import type { Sandbox } from '../../../../sandbox/server.mts';
import type { Node } from '../../nodes/world/nodes.mts';
import { from, messaging, people, startedByCall, type Started } from './workflows.mts';
import type { World } from './world.mts';

/* Many single messages, sent slowly enough to stop something in the middle. */

const LATENCY_MS = 100;

let numbers = 385_913_000_100;

/** Recipients to whom no other test sends. */
export const newRecipients = (count: number): Array<{ phone: string }> =>
	Array.from({ length: count }, () => ({ phone: String(numbers++) }));

/** A workflow that sends a text to each person in the call, ten at once, to a slow service. */
export async function slowSender(
	world: World,
	more: Json = {},
	behind: Node[] = [],
): Promise<Started> {
	await slowDown(world.sandbox);
	const text = { resource: 'message', operation: 'sendText', from, message: 'Hello' };
	return await startedByCall(world, [
		people(),
		messaging(world, { ...text, to: '={{ $json.phone }}', options: {} }, more),
		...behind,
	]);
}

/** Resets the service, and lets it wait before every answer. */
export async function slowDown(sandbox: Sandbox): Promise<void> {
	const answer = await fetch(`${sandbox.url}/_sandbox/reset`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ latencyMs: LATENCY_MS }),
	});
	if (!answer.ok) throw new Error(await answer.text());
}

export const acceptedBy = (sandbox: Sandbox) => sandbox.world.messages.tally();

export async function untilAccepted(sandbox: Sandbox, count: number): Promise<void> {
	await until(
		`${count} messages are accepted`,
		async () => (acceptedBy(sandbox).messages >= count ? true : undefined),
		{ everyMs: 20 },
	);
}

/** The recipients who did not get exactly one message, each with the number of messages. */
export const exceptions = (
	byRecipient: Record<string, number>,
	everybody: Array<{ phone: string }>,
) =>
	everybody
		.map(({ phone }) => `${phone}: ${byRecipient[phone] ?? 0}`)
		.filter((line) => !line.endsWith(': 1'));

export const gotMoreThanOne = (byRecipient: Record<string, number>): string[] =>
	Object.keys(byRecipient).filter((phone) => byRecipient[phone] > 1);
