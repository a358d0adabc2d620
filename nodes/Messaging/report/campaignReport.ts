import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { scanCampaign, withWarning } from '../logs/campaignLogs';
import { plainId } from '../logs/record';
import { Summary } from '../logs/summary';
import { showHint } from '../n8n/hints';
import type { ReadRun } from '../n8n/readOperation';
import { formatNumber } from '../utils/text';
import { TimeSlice } from '../utils/concurrency';
import { drawReport } from './picture/drawReport';
import { RecipientJoin } from './recipientJoin';
import { reportHtml } from './reportHtml';
import { readUntil } from './waitForCompletion';

/** What the user wants to see of a campaign. */
export type ReportOptions = {
	summary: boolean;
	recipients: boolean;
	/** Join recipients to the input items by `identifier`. */
	join: boolean;
	/** Add a picture to the summary. */
	picture: boolean;
	/** Add the summary as HTML. */
	html: boolean;
	/** Repeat the reading until the campaign is complete: every `interval` ms, until a time in ms since 1970. */
	wait?: { until: number; interval: number };
};

/** The result of reading a campaign's logs once. */
type Reading = {
	summary: Summary;
	recipients: RecipientJoin;
	/** Recipients of *One Item per Campaign* that the logs do not have yet. */
	unlogged: number;
	scan: Awaited<ReturnType<typeof scanCampaign>>;
	/** No message is pending or missing, as far as the logs and the input show. */
	isComplete: boolean;
};

/**
 * Reads a campaign's logs, page by page, and returns its summary, an item per recipient, or both
 * (docs/interface.md, "Get logs"). For only a summary it keeps no records. With `wait` it reads the logs again until
 * the campaign is complete or the time is up.
 *
 * @param items positions of the input items that name the campaign
 */
export async function campaignReport(
	run: ReadRun,
	campaign: { id: string; items: number[] },
	options: ReportOptions,
): Promise<INodeExecutionData[]> {
	const { context } = run;
	const { id } = campaign;
	const { wait } = options;
	const read = async () => await readCampaign(run, campaign, options);
	const { summary, recipients, unlogged, scan, isComplete } = wait
		? await readUntil(context, wait, read)
		: await read();
	const doubt = withWarning(scan.doubt, summary.warning);
	if (wait && !isComplete)
		showHint(context, `Campaign ${id} was not complete when the time was up.`);
	if (doubt.warning) showHint(context, `Campaign ${id}: ${doubt.warning}`);
	if (recipients.ofOthers > 0) showHint(context, itemsOfOthers(recipients.ofOthers, id));

	const output: INodeExecutionData[] = [];
	const slice = new TimeSlice();
	if (options.summary) {
		const result = summary.result(id, {
			...(recipients.isJoined
				? { missing: recipients.missing }
				: unlogged > 0 && { missing: unlogged }),
			...(wait && { complete: isComplete }),
			...doubt,
		});
		await slice.yieldIfOver();
		const picture =
			options.picture && (await pictureOf(context, { ...result, leftOut: scan.leftOut }, summary));
		output.push({
			json: { ...result, ...(options.html && { html: reportHtml(result, context.getTimezone()) }) },
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

async function readCampaign(
	{ context, ask }: ReadRun,
	{ id, items }: { id: string; items: number[] },
	options: ReportOptions,
): Promise<Reading> {
	const input = context.getInputData();
	const summary = new Summary();
	const recipients = await RecipientJoin.of(id, items, input, {
		join: options.join,
		keep: options.recipients,
	});
	const scan = await scanCampaign(id, ask, (records) => {
		for (const record of records) {
			summary.add(record);
			recipients.add(record);
		}
	});
	const { total } = summary.statuses;
	const unlogged = Math.max(0, sentTo(id, items, input) - total);
	const isComplete =
		summary.pending === 0 &&
		recipients.missing === 0 &&
		total > 0 &&
		unlogged === 0 &&
		!scan.doubt.incomplete;
	return { summary, recipients, unlogged, scan, isComplete };
}

/** Returns the number of recipients in an input item of Campaign → Send with *One Item per Campaign*; 0 without one. */
function sentTo(id: string, items: number[], input: INodeExecutionData[]): number {
	const counts = items
		.map((item) => input[item].json)
		.filter((json) => plainId(json.campaign_id) === plainId(id))
		.map(({ recipients }) => (typeof recipients === 'number' ? recipients : 0));
	return counts.reduce((most, count) => Math.max(most, count), 0);
}

const itemsOfOthers = (count: number, id: string) =>
	`${formatNumber(count)} input ${count === 1 ? 'item has' : 'items have'} another 'campaign_id' than ${id}: not joined to its report.`;

type Result = ReturnType<Summary['result']> & { leftOut: number };

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
