import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { othersLeftOut, type Filters } from './matching';
import { scanLogs } from './scanLogs';

/**
 * Log records that match, up to `limit`, in the service's order, each once (by its `id`), in one list.
 * Others, which a service gives that does not combine its filters, are left out.
 *
 * @param limit Infinity for all
 * @param onIncomplete told in a sentence when the service counts more records than it gave
 * @param onOthers told in a sentence how many records were left out
 */
export async function readLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onIncomplete: (warning: string) => void = () => {},
	onOthers: (warning: string) => void = () => {},
): Promise<LogRecord[]> {
	const records: LogRecord[] = [];
	const scan = await scanLogs(filters, limit, ask, (fresh) => {
		for (const record of fresh) records.push(record);
	});
	if (scan.leftOut > 0) onOthers(othersLeftOut(scan.leftOut));
	if (!scan.complete) onIncomplete(scan.warning);
	return records;
}
