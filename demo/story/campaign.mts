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
import { examples, nodeNames } from './examples.mts';

const COMPLETED_WITHIN_MS = 180_000;

/** Executes the first workflow. The service must accept every person of its list. */
export async function sendCampaign(
	session: Session,
): Promise<{ execution: Execution; campaignId: string; people: number }> {
	const id = await runWorkflow(session, examples.campaign.id, nodeNames.start);
	const execution = await finishedExecution(session, id);
	demandSuccess(execution, examples.campaign.name);

	const people = outputOf(execution, nodeNames.people).length;
	const sent = outputOf(execution, nodeNames.send);
	const campaigns = [...new Set(sent.map((item) => item.campaign_id as string))];
	if (sent.length !== people || campaigns.length !== 1 || !campaigns[0]) {
		throw new Trouble(
			`${people} people should have become one campaign, but ${sent.length} items with the ` +
				`campaign ids [${campaigns.join(', ')}] came out.`,
		);
	}
	return { execution, campaignId: campaigns[0], people };
}

/** Waits until the service's call has started the second workflow for this campaign. */
export async function completionOf(
	session: Session,
	campaignId: string,
	whileWaiting: () => Promise<void> = async () => {},
): Promise<Execution> {
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
				demandSuccess(execution, examples.completion.name);
				return execution;
			}
			await whileWaiting();
			return undefined;
		},
		{ withinMs: COMPLETED_WITHIN_MS, everyMs: 300 },
	);
}

function demandSuccess(execution: Execution, workflow: string): void {
	if (execution.status === 'success') return;
	const { message, description } = execution.error ?? { message: `it ended: ${execution.status}` };
	throw new Trouble(
		`The workflow "${workflow}" failed: ${[message, description].filter(Boolean).join(' ')}`,
	);
}
