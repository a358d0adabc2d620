import { number } from '../host/number';
import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { plainId } from './plainId';
import { scanLogs, type Filters } from './scanLogs';

/** Whether a record says nothing else than it was asked for: how filters combine is not documented (4.7). */
const fits = (wanted: string | undefined, given: unknown) =>
	!wanted || ['', plainId(wanted)].includes(plainId(given));

/**
 * Log records that match, up to `limit`, in the service's order, each once (by its `id`), in one list. Those
 * that say that they do not match are left out.
 *
 * @param limit Infinity for all
 * @param onIncomplete told in a sentence when the service counts more records than it gave
 * @param onOthers told in a sentence when the service gave records that do not match
 */
export async function readLogs(
	filters: Filters,
	limit: number,
	ask: Ask,
	onIncomplete: (warning: string) => void = () => {},
	onOthers: (warning: string) => void = () => {},
): Promise<LogRecord[]> {
	const records: LogRecord[] = [];
	let others = 0;
	const scan = await scanLogs(filters, limit, ask, (fresh) => {
		for (const record of fresh) {
			const isWanted =
				fits(filters.campaignId, record.campaign_id) && fits(filters.identifier, record.identifier);
			if (isWanted) records.push(record);
			else others++;
		}
	});
	if (!scan.complete) onIncomplete(scan.warning);
	if (others > 0) {
		onOthers(
			`The service also gave ${number(others)} ${others === 1 ? 'record' : 'records'} that the filters do not ask for: left out.`,
		);
	}
	return records;
}
