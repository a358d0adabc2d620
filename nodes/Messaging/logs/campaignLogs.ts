import { formatNumber } from '../utils/text';
import type { Ask } from '../service/endpoints';
import { scanLogs, type Take } from './scanLogs';

/** What must be known of a campaign's logs before they are believed: fields of its report. */
export type Doubt = {
	/** The service counts more records than it gave. */
	incomplete?: true;
	/** That, or what was left out, or that there is nothing, in sentences. */
	warning?: string;
};

/** The same with one more sentence. */
export const withWarning = (doubt: Doubt, warning: string | undefined): Doubt =>
	warning === undefined
		? doubt
		: { ...doubt, warning: doubt.warning ? `${doubt.warning} ${warning}` : warning };

const NO_RECORDS = 'The logs have no records of this campaign.';
const otherCampaigns = (count: number) =>
	`The service also gave ${formatNumber(count)} ${count === 1 ? 'record of another campaign: it was' : 'records of other campaigns: they were'} left out.`;

/**
 * Hands over the log records of one campaign, page by page, see `scanLogs`.
 *
 * @throws RequestFailed, or whatever `ask` throws
 */
export async function scanCampaign(
	campaignId: string,
	ask: Ask,
	take: Take,
): Promise<{ doubt: Doubt; leftOut: number }> {
	let came = 0;
	const scan = await scanLogs({ campaignId }, Infinity, ask, async (records) => {
		came += records.length;
		await take(records);
	});
	const { leftOut } = scan;
	const warnings = [
		...(came > 0 ? [] : [NO_RECORDS]),
		...(scan.complete ? [] : [scan.warning]),
		...(leftOut > 0 ? [otherCampaigns(leftOut)] : []),
	];
	const doubt: Doubt = {
		...(!scan.complete && { incomplete: true }),
		...(warnings.length > 0 && { warning: warnings.join(' ') }),
	};
	return { doubt, leftOut };
}
