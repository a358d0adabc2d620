import { WORKFLOW } from './execution.mts';
import { bootN8n } from './n8n.mts';

/* Creates n8n's database with the encrypted credentials of the benchmark, and with the workflow of its executions. */

export interface SeedCredential {
	id: string;
	name: string;
	type: string;
	data: Record<string, string>;
}

process.once('message', (credentials: SeedCredential[]) => {
	void (async () => {
		const n8n = await bootN8n({ migrate: true });
		for (const { id, name, type, data } of credentials) {
			const credential = new n8n.core.Credentials({ id, name }, type);
			await credential.setData(data);
			await n8n.credentialsRepository.save({ ...credential.getDataToSave(), id, name, type });
		}
		await n8n.workflowRepository.save({
			...{ id: WORKFLOW, versionId: WORKFLOW, name: WORKFLOW },
			...{ active: false, nodes: [], connections: {} },
		});
		process.send!('done', () => process.exit());
	})();
});
