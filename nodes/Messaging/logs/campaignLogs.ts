import type { Ask } from '../service/endpoints';
import { formatNumber } from '../utils/text';
import type { OnRecords } from './foundRecords';
import { scanLogs } from './readLogs';

/** Fields of a campaign's report that say how complete its logs are. */
export type Doubt = {
	/** The service counts more records than it returned. */
	incomplete?: true;
	/** Says in sentences what is missing or was left out, or that there are no records. */
	warning?: string;
};

/** Adds a sentence to the warning. */
export const withWarning = (doubt: Doubt, warning: string | undefined): Doubt =>
	warning === undefined
		? doubt
		: { ...doubt, warning: doubt.warning ? `${doubt.warning} ${warning}` : warning };

const NO_RECORDS = 'The logs have no records of this campaign.';
const otherCampaigns = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record of another campaign: it was' : 'records of other campaigns: they were'} left out.`;

/**
 * Hands over the log records of one campaign, page by page, see {@link scanLogs}.
 *
 * @returns how far to trust them, and how many records of other campaigns were left out
 * @throws RequestFailed, or what `ask` throws
 */
export async function scanCampaign(
	campaignId: string,
	ask: Ask,
	onRecords: OnRecords,
): Promise<{ doubt: Doubt; leftOut: number }> {
	let found = 0;
	const scan = await scanLogs({ campaignId }, Infinity, ask, async (records) => {
		found += records.length;
		await onRecords(records);
	});
	const { leftOut } = scan;
	const warnings = [
		...(found > 0 ? [] : [NO_RECORDS]),
		...(scan.complete ? [] : [scan.warning]),
		...(leftOut > 0 ? [otherCampaigns(leftOut)] : []),
	];
	const doubt: Doubt = {
		...(!scan.complete && { incomplete: true }),
		...(warnings.length > 0 && { warning: warnings.join(' ') }),
	};
	return { doubt, leftOut };
}
