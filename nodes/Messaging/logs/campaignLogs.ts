import type { Ask } from '../service/endpoints';
import { formatNumber } from '../utils/text';
import { scanLogs, type OnRecords } from './readLogs';

/** Fields of a campaign's report that say how complete its logs are. */
export type Completeness = {
	/** The service counts more records than it returned. */
	incomplete?: true;
	/** Says in sentences what is missing or was left out, or that there are no records. */
	warning?: string;
};

const NO_RECORDS = 'The logs have no records of this campaign.';
const otherCampaigns = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record of another campaign: it was' : 'records of other campaigns: they were'} left out.`;

/**
 * Hands over the log records of one campaign, page by page, see {@link scanLogs}.
 *
 * @throws RequestFailed, or what `ask` throws
 */
export async function scanCampaign(
	campaignId: string,
	ask: Ask,
	onRecords: OnRecords,
): Promise<Completeness> {
	let found = 0;
	const { leftOut, warning } = await scanLogs({ campaignId }, Infinity, ask, async (records) => {
		found += records.length;
		await onRecords(records);
	});
	const warnings = [
		...(found > 0 ? [] : [NO_RECORDS]),
		...(warning === undefined ? [] : [warning]),
		...(leftOut > 0 ? [otherCampaigns(leftOut)] : []),
	];
	return {
		...(warning !== undefined && { incomplete: true }),
		...(warnings.length > 0 && { warning: warnings.join(' ') }),
	};
}
