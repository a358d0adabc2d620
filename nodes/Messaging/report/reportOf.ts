import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { formatNumber } from '../utils/text';
import { TimeSlice } from '../utils/concurrency';
import { showHint } from '../n8n/showHint';
import type { Ask } from '../service/endpoints';
import { scanCampaign, withWarning, type Doubt } from '../logs/campaignLogs';
import { drawReport } from './picture/drawReport';
import { Summary } from '../logs/summary';
import { Recipients } from './recipients';

/** What the user wants to see of a campaign. */
export type Wish = {
	summary: boolean;
	recipients: boolean;
	/** Whether recipients are joined to the input items by `identifier`. */
	join: boolean;
	/** Whether the summary comes with a picture. */
	picture: boolean;
};

/**
 * Reads a campaign's logs once (4.7), page by page → its summary, an item per recipient, or both. For the
 * summary alone no record is kept.
 */
export async function reportOf(
	context: IExecuteFunctions,
	{ id, items }: { id: string; items: number[] },
	wish: Wish,
	ask: Ask,
): Promise<INodeExecutionData[]> {
	const summary = new Summary();
	const recipients = await Recipients.of(id, items, context.getInputData(), {
		join: wish.join,
		keep: wish.recipients,
	});
	const scan = await scanCampaign(id, ask, (records) => {
		for (const record of records) {
			summary.add(record);
			recipients.add(record);
		}
	});
	const doubt = withWarning(scan.doubt, summary.warning);
	if (doubt.warning) showHint(context, `Campaign ${id}: ${doubt.warning}`);
	if (recipients.ofOthers > 0) showHint(context, ofOthers(recipients.ofOthers, id));

	const output: INodeExecutionData[] = [];
	const slice = new TimeSlice();
	if (wish.summary) {
		const result = summary.result(id);
		await slice.yieldIfOver();
		const json = {
			...result,
			...(recipients.isJoined && { missing: recipients.missing }),
			...doubt,
		};
		const picture =
			wish.picture && (await pictureOf(context, { ...json, leftOut: scan.leftOut }, summary));
		output.push({
			json,
			...(picture && { binary: { picture } }),
			pairedItem: recipients.pairedWithAll,
		});
	}
	for (const recipient of wish.recipients ? recipients.output() : []) {
		output.push(recipient);
		await slice.yieldIfOver();
	}
	return output;
}

const ofOthers = (count: number, id: string) =>
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
	// The id may hold what a file's name may not.
	const name = result.campaign_id.replace(/[^\w.-]+/g, '-').slice(0, 80);
	return await context.helpers.prepareBinaryData(
		Buffer.from(svg),
		`campaign-${name}.svg`,
		'image/svg+xml',
	);
}
