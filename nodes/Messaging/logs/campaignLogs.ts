import { number } from '../host/number';
import type { Ask } from '../service/endpoints';
import type { LogRecord } from '../service/types';
import { plainId } from './plainId';
import { scanLogs, type Take } from './scanLogs';

/** What must be known of a campaign's logs before they are believed: fields of its report. */
export type Doubt = {
	/** The service counts more records than it gave. */
	incomplete?: true;
	/** That, or what was left out, or that there is nothing, in sentences. */
	warning?: string;
};

const NO_RECORDS = 'The logs have no records of this campaign.';
const otherCampaigns = (count: number) =>
	`The service also gave ${number(count)} ${count === 1 ? 'record of another campaign: it was' : 'records of other campaigns: they were'} left out.`;

/**
 * Hands over the log records of one campaign, page by page, see `scanLogs`. Records that say that they
 * belong to another one are left out: a service may not know the filter.
 *
 * @throws RequestFailed, or whatever `ask` throws
 */
export async function scanCampaign(
	campaignId: string,
	ask: Ask,
	take: Take,
): Promise<{ doubt: Doubt; leftOut: number }> {
	const wanted = plainId(campaignId);
	const isOwn = ({ campaign_id }: LogRecord) => ['', wanted].includes(plainId(campaign_id));
	let came = 0;
	let leftOut = 0;
	const scan = await scanLogs({ campaignId }, Infinity, ask, (records) => {
		const own = records.filter(isOwn);
		came += own.length;
		leftOut += records.length - own.length;
		take(own);
	});
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
