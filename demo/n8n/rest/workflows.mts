import { Trouble } from '../../setup/trouble.mjs';
import { until } from '../until.mts';
import { isNotFound, type Session } from './session.mts';

export interface Workflow {
	name: string;
	nodes: object[];
	connections: object;
	settings?: object;
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

export async function createWorkflow(session: Session, workflow: Workflow): Promise<SavedWorkflow> {
	return await session.post('/rest/workflows', { settings: {}, active: false, ...workflow });
}

/** Publishes a workflow and waits until its triggers listen, because n8n answers before that. */
export async function activateWorkflow(session: Session, id: string): Promise<void> {
	await publish(session, id);
	await triggersListen(session, id);
}

/**
 * Waits until the triggers of an already published workflow listen. An older n8n cannot report that, but its triggers
 * listen before it answers. So there the workflow is published again.
 */
export async function ensurePublished(session: Session, id: string): Promise<void> {
	if (!(await triggersListen(session, id))) await publish(session, id);
}

async function publish(session: Session, id: string): Promise<void> {
	const workflow = await session.get<SavedWorkflow>(`/rest/workflows/${id}`);
	const activate = async ({ versionId }: SavedWorkflow) =>
		await session.post(`/rest/workflows/${id}/activate`, { versionId });
	await activate(workflow).catch(async (error) => {
		if (!isNotFound(error)) throw error;
		// In an older n8n an imported workflow has no version to publish until it is changed.
		const nodes = workflow.nodes.map((node) => ({ ...node, notes: '' }));
		await activate(await session.patch(`/rest/workflows/${id}`, { ...workflow, nodes }));
	});
}

/** Waits until the triggers listen. Returns false when this n8n does not report it. */
async function triggersListen(session: Session, id: string): Promise<boolean> {
	return await until(`the triggers of workflow ${id} listen`, async () => {
		const path = `/rest/workflows/${id}/publication-status`;
		const state = await session.get<{ status: string }>(path).catch((error) => {
			if (isNotFound(error)) return undefined;
			throw error;
		});
		if (state?.status === 'failed') {
			throw new Trouble(`n8n could not publish the workflow: ${JSON.stringify(state)}`);
		}
		if (!state) return false;
		return state.status === 'published' ? true : undefined;
	});
}

/** Changes parameters of a node, and saves the workflow. */
export async function changeNode(session: Session, id: string, name: string, parameters: object) {
	const workflow = await session.get<SavedWorkflow>(`/rest/workflows/${id}`);
	const node = workflow.nodes.find((each) => 'name' in each && each.name === name) as {
		parameters: object;
	};
	node.parameters = { ...node.parameters, ...parameters };
	await session.patch(`/rest/workflows/${id}`, workflow);
}

/** n8n's answer to *Execute workflow*. A trigger that waits for a call has no execution yet. */
interface ManualRun {
	executionId?: string;
	waitingForWebhook?: boolean;
}

/** Executes a workflow from one of its triggers, like the button *Execute workflow*. */
export async function pressExecute(
	session: Session,
	id: string,
	trigger: string,
): Promise<ManualRun> {
	return await session.post(`/rest/workflows/${id}/run`, {
		// An older n8n runs the workflow of the request; a newer one runs the saved workflow.
		workflowData: await session.get<SavedWorkflow>(`/rest/workflows/${id}`),
		triggerToStartFrom: { name: trigger },
	});
}

/** Executes a workflow whose trigger starts immediately. @returns the id of the execution */
export async function runWorkflow(session: Session, id: string, trigger: string): Promise<string> {
	const { executionId } = await pressExecute(session, id, trigger);
	if (!executionId) throw new Trouble(`"${trigger}" of workflow ${id} has started nothing.`);
	return executionId;
}
