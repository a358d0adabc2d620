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

/** Publishes, and waits until its triggers really listen: n8n answers before they do. */
export async function activateWorkflow(session: Session, id: string): Promise<void> {
	await publish(session, id);
	await triggersListen(session, id);
}

/**
 * Waits until the triggers of a workflow listen that is being published. An older n8n cannot say so,
 * but publishes before it answers: there it is published once more.
 */
export async function publicationOf(session: Session, id: string): Promise<void> {
	if (!(await triggersListen(session, id))) await publish(session, id);
}

async function publish(session: Session, id: string): Promise<void> {
	const workflow = await session.get<SavedWorkflow>(`/rest/workflows/${id}`);
	const activate = async ({ versionId }: SavedWorkflow) =>
		await session.post(`/rest/workflows/${id}/activate`, { versionId });
	await activate(workflow).catch(async (error) => {
		if (!isNotFound(error)) throw error;
		// What an older n8n's command has imported has no version to publish until somebody changes it.
		const nodes = workflow.nodes.map((node) => ({ ...node, notes: '' }));
		await activate(await session.patch(`/rest/workflows/${id}`, { ...workflow, nodes }));
	});
}

/** False when this n8n has no word for it. */
async function triggersListen(session: Session, id: string): Promise<boolean> {
	return await until(`the triggers of workflow ${id} listen`, async () => {
		const state = await publicationStatus(session, id);
		if (state?.status === 'failed') {
			throw new Trouble(`n8n could not publish the workflow: ${JSON.stringify(state)}`);
		}
		if (!state) return false;
		return state.status === 'published' ? true : undefined;
	});
}

async function publicationStatus(session: Session, id: string) {
	try {
		return await session.get<{ status: string }>(`/rest/workflows/${id}/publication-status`);
	} catch (error) {
		if (isNotFound(error)) return undefined;
		throw error;
	}
}

/** What n8n answers to *Execute workflow*: a trigger that waits for a call has no execution yet. */
interface ManualRun {
	executionId?: string;
	waitingForWebhook?: boolean;
}

/** Presses *Execute workflow* on one of its triggers. */
export async function pressExecute(
	session: Session,
	id: string,
	trigger: string,
): Promise<ManualRun> {
	return await session.post(`/rest/workflows/${id}/run`, {
		// An older n8n runs what the editor sends; a newer one takes what it has saved.
		workflowData: await session.get<SavedWorkflow>(`/rest/workflows/${id}`),
		triggerToStartFrom: { name: trigger },
	});
}

/** The same on a trigger that starts at once; returns the id of the execution. */
export async function runWorkflow(session: Session, id: string, trigger: string): Promise<string> {
	const { executionId } = await pressExecute(session, id, trigger);
	if (!executionId) throw new Trouble(`"${trigger}" of workflow ${id} has started nothing.`);
	return executionId;
}
