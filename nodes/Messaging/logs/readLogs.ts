import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { scanLogs, type Filters } from './scanLogs';

/**
 * Log records that match, up to `limit`, in the service's order, each once (by its `id`), in one list.
 *
 * @param limit Infinity for all
 * @param onIncomplete told in a sentence when the service counts more records than it gave
 */
export async function readLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onIncomplete: (warning: string) => void = () => {},
): Promise<LogRecord[]> {
	const records: LogRecord[] = [];
	const scan = await scanLogs(filters, limit, ask, (fresh) => {
		for (const record of fresh) records.push(record);
	});
	if (!scan.complete) onIncomplete(scan.warning);
	return records;
}
