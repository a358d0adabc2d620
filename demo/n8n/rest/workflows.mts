import { Trouble } from '../../setup/trouble.mjs';
import { until } from '../until.mts';
import type { Session } from './session.mts';

export interface Workflow {
	name: string;
	nodes: unknown[];
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
	const { versionId } = await session.get<SavedWorkflow>(`/rest/workflows/${id}`);
	await session.post(`/rest/workflows/${id}/activate`, { versionId });
	await publicationOf(session, id);
}

/** Waits until the triggers of a workflow listen that is being published. */
export async function publicationOf(session: Session, id: string): Promise<void> {
	await until(`the triggers of workflow ${id} listen`, async () => {
		const state = await session.get<{ status: string }>(`/rest/workflows/${id}/publication-status`);
		if (state.status === 'failed') {
			throw new Trouble(`n8n could not publish the workflow: ${JSON.stringify(state)}`);
		}
		return state.status === 'published' ? state : undefined;
	});
}

/** Presses *Execute workflow* on one of its triggers; returns the id of the execution. */
export async function runWorkflow(session: Session, id: string, trigger: string): Promise<string> {
	const { executionId } = await session.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return executionId;
}
