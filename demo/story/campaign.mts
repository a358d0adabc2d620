import {
	outputOf,
	executionsOf,
	finishedExecution,
	type Execution,
} from '../n8n/rest/executions.mts';
import type { Session } from '../n8n/rest/session.mts';
import { runWorkflow } from '../n8n/rest/workflows.mts';
import { Trouble } from '../setup/trouble.mjs';
import { until } from '../n8n/until.mts';
import { enterCode } from './code.mts';
import { examples, nodeNames } from './examples.mts';

const COMPLETED_WITHIN_MS = 180_000;

/**
 * Executes the first workflow.
 * @throws Trouble when the service did not accept a message to every person in one campaign
 */
export async function sendCampaign(
	session: Session,
): Promise<{ execution: Execution; campaignId: string; people: number }> {
	const execution = await executeCampaign(session);
	requireSuccess(execution, examples.campaign.name);

	const people = outputOf(execution, nodeNames.people).length;
	const sent = outputOf(execution, nodeNames.send);
	const campaigns = [...new Set(sent.map((item) => item.campaign_id as string))];
	if (sent.length !== people || campaigns.length !== 1 || !campaigns[0]) {
		throw new Trouble(
			`${people} people should get one campaign, but the node returned ${sent.length} items with the ` +
				`campaign ids [${campaigns.join(', ')}].`,
		);
	}
	return { execution, campaignId: campaigns[0], people };
}

/** Executes the first workflow as a person does: a dry run, then *Send* with the code that it shows. */
async function executeCampaign(session: Session): Promise<Execution> {
	const { id } = examples.campaign;
	const execute = async () => {
		const execution = await runWorkflow(session, id, nodeNames.start);
		return await finishedExecution(session, execution);
	};
	const dryRun = await enterCode(session, id, [nodeNames.send], execute);
	requireSuccess(dryRun, examples.campaign.name);
	return await execute();
}

/** Waits until the service's webhook call has started the second workflow for this campaign. */
export async function completionOf(session: Session, campaignId: string): Promise<Execution> {
	const seen = new Set<string>();
	return await until(
		`the completion of campaign ${campaignId} starts the workflow "${examples.completion.name}"`,
		async () => {
			for (const { id } of await executionsOf(session, examples.completion.id)) {
				if (seen.has(id)) continue;
				const execution = await finishedExecution(session, id);
				seen.add(id);
				const [event] = outputOf(execution, nodeNames.trigger);
				if (event?.campaign_id !== campaignId) continue;
				requireSuccess(execution, examples.completion.name);
				return execution;
			}
			return undefined;
		},
		{ withinMs: COMPLETED_WITHIN_MS, everyMs: 300 },
	);
}

function requireSuccess(execution: Execution, workflow: string): void {
	if (execution.status === 'success') return;
	const { message, description } = execution.error ?? {
		message: `its status is ${execution.status}`,
	};
	throw new Trouble(
		`The workflow "${workflow}" failed: ${[message, description].filter(Boolean).join(' ')}`,
	);
}
