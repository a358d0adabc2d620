import { logIn, type Session } from '../../../../demo/n8n/rest/session.mts';
import { finalStatus } from './workflows.mts';
import type { World } from './world.mts';

/** Logs in to the main process, which may have been restarted. */
export const logInAt = async ({ stack }: World): Promise<Session> =>
	await logIn(stack.main.instance.url);

/** Presses *Retry* on an execution; returns the id of the new one and how it ended. */
export async function retry(world: World, execution: string) {
	const session = await logInAt(world);
	const { id } = await session.post<{ id: string }>(`/rest/executions/${execution}/retry`, {
		loadWorkflow: false,
	});
	return { id, status: await finalStatus(world, id) };
}
