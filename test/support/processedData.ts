import { DataDeduplicationService } from 'n8n-core';
import { ProcessedData } from './n8n';

export { ProcessedData };

/** The database of the n8n of a test file. */
export const database = new ProcessedData();

/** Gives the engine this database, as n8n does when it starts. The engine is the same for all files of a worker. */
export async function installDatabase() {
	const service = DataDeduplicationService as unknown as { instance?: unknown };
	service.instance = undefined;
	await DataDeduplicationService.init(database);
}
