import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { scanCampaign, withWarning, type Doubt } from '../logs/campaignLogs';
import { Summary } from '../logs/summary';
import { showHint } from '../n8n/hints';
import type { ReadRun } from '../n8n/readOperation';
import { formatNumber } from '../utils/text';
import { TimeSlice } from '../utils/concurrency';
import { drawReport } from './picture/drawReport';
import { RecipientJoin } from './recipientJoin';

/** What the user wants to see of a campaign. */
export type ReportOptions = {
	summary: boolean;
	recipients: boolean;
	/** Join recipients to the input items by `identifier`. */
	join: boolean;
	/** Add a picture to the summary. */
	picture: boolean;
};

/**
 * Reads a campaign's logs once, page by page, and returns its summary, an item per recipient, or both
 * (docs/interface.md, "Get logs"). For the summary alone it keeps no records.
 *
 * @param items positions of the input items that name the campaign
 */
export async function campaignReport(
	{ context, ask }: ReadRun,
	{ id, items }: { id: string; items: number[] },
	options: ReportOptions,
): Promise<INodeExecutionData[]> {
	const summary = new Summary();
	const recipients = await RecipientJoin.of(id, items, context.getInputData(), {
		join: options.join,
		keep: options.recipients,
	});
	const scan = await scanCampaign(id, ask, (records) => {
		for (const record of records) {
			summary.add(record);
			recipients.add(record);
		}
	});
	const doubt = withWarning(scan.doubt, summary.warning);
	if (doubt.warning) showHint(context, `Campaign ${id}: ${doubt.warning}`);
	if (recipients.ofOthers > 0) showHint(context, itemsOfOthers(recipients.ofOthers, id));

	const output: INodeExecutionData[] = [];
	const slice = new TimeSlice();
	if (options.summary) {
		const result = summary.result(id);
		await slice.yieldIfOver();
		const json = {
			...result,
			...(recipients.isJoined && { missing: recipients.missing }),
			...doubt,
		};
		const picture =
			options.picture && (await pictureOf(context, { ...json, leftOut: scan.leftOut }, summary));
		output.push({
			json,
			...(picture && { binary: { picture } }),
			pairedItem: recipients.pairedWithAll,
		});
	}
	for (const recipient of options.recipients ? recipients.output() : []) {
		output.push(recipient);
		await slice.yieldIfOver();
	}
	return output;
}

const itemsOfOthers = (count: number, id: string) =>
	`'campaign_id' of ${formatNumber(count)} input ${count === 1 ? 'item' : 'items'} is another campaign than ${id}: not joined to its report.`;

type Result = ReturnType<Summary['result']> & Doubt & { missing?: number; leftOut: number };

async function pictureOf(
	context: IExecuteFunctions,
	result: Result,
	summary: Summary,
): Promise<IBinaryData> {
	const svg = drawReport({
		...result,
		statuses: summary.statuses.mostFrequentFirst,
		deliveredAt: summary.deliveredAt,
		timezone: context.getTimezone(),
	});
	// An id may hold characters that a file name must not have.
	const name = result.campaign_id.replace(/[^\w.-]+/g, '-').slice(0, 80);
	return await context.helpers.prepareBinaryData(
		Buffer.from(svg),
		`campaign-${name}.svg`,
		'image/svg+xml',
	);
}
