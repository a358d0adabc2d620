import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import type { Execution } from '../../../demo/n8n/rest/executions.mts';
import type { Installation } from './installation.mts';
import type { Json } from './nodes.mts';
import { enterCodes } from './sendByHand.mts';
import { acceptedBy, requestsDuring } from './service.mts';
import { ended, errorOf } from './workflows.mts';

/* The workflows of examples/ as people import them, and what people change in them. */

export type Change = (parameters: Json, node: string, workflow: Json) => void;

/** Nodes that read or show a list, and are never switched to another mode. */
const STAYS_DRY = /^(Read the numbers?|Dry run)$/;

/** What a person does who has read the dry run. */
export const live: Change = (parameters, node) => {
	if (parameters.sendMode === 'dryRun' && !STAYS_DRY.test(node)) parameters.sendMode = 'send';
};

/** What a person does who tests the first node that sends. */
export function inTest(number: string): Change {
	let isSet = false;
	return (parameters, node) => {
		if (isSet || parameters.sendMode !== 'dryRun' || STAYS_DRY.test(node)) return;
		isSet = true;
		Object.assign(parameters, { sendMode: 'test', testRecipient: number });
	};
}

/** Chooses a campaign from the list. */
export const choosing =
	(campaign: string): Change =>
	({ campaignId }) => {
		if (campaignId?.value === '') campaignId.value = campaign;
	};

/** Replaces the rows of the list that stands for a person's own. */
export const withList =
	(list: string, rows: Json[]): Change =>
	(parameters, node) => {
		if (node !== list) return;
		const [key] = Object.keys(JSON.parse(parameters.jsonOutput));
		parameters.jsonOutput = JSON.stringify({ [key]: rows });
	};

/** Imports an example, and makes these changes. @returns its id */
export async function imported(
	{ session, credential }: Pick<Installation, 'session' | 'credential'>,
	name: string,
	...changes: Change[]
): Promise<string> {
	const file = new URL(`../../../examples/${name}.json`, import.meta.url);
	const ours = readFileSync(file, 'utf8').replaceAll('messagingSandbox', credential.id);
	const { id: _, ...workflow } = JSON.parse(ours);
	for (const node of workflow.nodes) {
		// n8n accepts the address of a webhook only once.
		if (node.webhookId) node.webhookId = randomUUID();
		for (const change of changes) change(node.parameters, node.name, workflow);
	}
	// n8n cannot execute a single node of a workflow that was saved without this.
	return (await createWorkflow(session, { ...workflow, pinData: {} })).id;
}

const START = 'When you press Execute';

/** Executes a workflow, after the dry run of what sends to many. @returns the execution, its error, and the messages that the service accepted meanwhile */
export async function played(
	stage: Installation,
	workflow: string,
	trigger = START,
): Promise<{ execution: Execution; error?: string; accepted: Json[] }> {
	await enterCodes(stage, workflow, trigger);
	const before = (await acceptedBy(stage.sandbox)).length;
	const execution = await ended(stage, await runWorkflow(stage.session, workflow, trigger));
	const accepted = (await acceptedBy(stage.sandbox)).slice(before);
	return { execution, error: errorOf(execution), accepted };
}

/** The same for a workflow that must succeed. */
export async function executed(stage: Installation, workflow: string, trigger = START) {
	const result = await played(stage, workflow, trigger);
	assert.equal(result.execution.status, 'success', result.error);
	return result;
}

/** Counts the messages that the service accepts while `work` runs. */
export const acceptedDuring = async ({ sandbox }: Installation, work: () => Promise<unknown>) =>
	(await requestsDuring(sandbox, work)).accepted;

/** The last message that the service accepted for a recipient. */
export async function lastTo({ sandbox }: Installation, recipient: string): Promise<Json> {
	const accepted = await acceptedBy(sandbox, recipient);
	assert.ok(accepted.length > 0, `Nothing was accepted for ${recipient}`);
	return accepted.at(-1)!;
}
