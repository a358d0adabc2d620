import type { INodeExecutionData } from 'n8n-workflow';
import { readLogs } from '../logs/readLogs';
import { comparableId } from '../logs/record';
import { showHint } from '../n8n/executionHints';
import type { ReadRun } from '../n8n/readAll';
import { timesIn } from '../utils/text';
import { RecipientJoin } from './recipientJoin';
import { reportHtml } from './reportHtml';
import { sentEarlier } from './sentEarlier';
import { Summary } from './summary';
import { readUntil } from './waitForCompletion';

/** What the user wants to see of a campaign. */
type ReportOptions = {
	summary: boolean;
	recipients: boolean;
	join: boolean;
	html: boolean;
	/** Show the text of the summary above the output, also when nothing is wrong with it. */
	showText: boolean;
	/** Whether the campaign is the only one: then the text above the output begins with its time, not with its id. */
	isOnly: boolean;
	/** A sentence about messages of the input that no campaign has. */
	leftOut?: string;
	/** Repeat the reading until the campaign is complete: every `interval` ms, until a time in ms since 1970. */
	wait?: { until: number; interval: number };
};

/**
 * Reads a campaign's logs, page by page, and returns its summary, an item per recipient, or both
 * (docs/development/interface.md, "Get logs"). For only a summary it keeps no records. With `wait` it reads the logs again until
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
	const { id, items } = campaign;
	const { wait } = options;
	const written = timesIn(context.getTimezone());
	const input = context.getInputData();
	const read = async () => await readCampaign(run, campaign, options, written);
	const { summary, recipients, missing, isWhole, isComplete, warning } = wait
		? await readUntil(context, wait, read)
		: await read();
	const extra = {
		...(items.some((item) => input[item].json.status === 'test') && { test: true as const }),
		...((recipients.isJoined || missing > 0) && { missing }),
		...(wait && { complete: isComplete }),
		...(!isWhole && { incomplete: true as const }),
		...(warning !== '' && { warning }),
	};
	const result = summary.result(id, recipients.inLogs + missing, extra, written);
	const isDoubtful = warning !== '' || result.complete === false;
	if (isDoubtful || options.showText) {
		const text = options.isOnly ? result.text : `Campaign ${id}: ${result.text}`;
		showHint(context, text, isDoubtful ? 'warning' : 'info');
	}

	const output: INodeExecutionData[] = [];
	if (options.summary) {
		// Beside recipients in one field, because the two have few fields in common.
		const whole = options.recipients ? { campaign_id: id, summary: result } : result;
		const html = options.html && { html: reportHtml(result, context.getTimezone()) };
		output.push({ json: { ...whole, ...html }, pairedItem: recipients.pairedWithAll });
	}
	if (options.recipients) await recipients.addTo(output);
	return output;
}

const NO_RECORDS = 'The logs have no records of this campaign.';

/** Reads a campaign's logs once. */
async function readCampaign(
	{ context, ask }: ReadRun,
	{ id, items }: { id: string; items: number[] },
	options: ReportOptions,
	written: (time: number) => string,
) {
	const input = context.getInputData();
	const summary = new Summary();
	const recipients = new RecipientJoin(id, items, input, options.recipients);
	if (options.join) await recipients.join();
	const log = await readLogs({ campaignId: id }, Infinity, ask, (record) => {
		summary.add(record);
		recipients.add(record);
	});
	const warning = [
		sentEarlier(context, summary.sentAt, written),
		recipients.inLogs > 0 ? undefined : NO_RECORDS,
		log.missing,
		log.leftOut,
		recipients.warning,
		options.leftOut,
	]
		.filter((sentence) => sentence !== undefined)
		.join(' ');
	const isWhole = log.missing === undefined;
	const missing = Math.max(recipients.missing, sentTo(id, items, input) - recipients.inLogs);
	const isComplete = summary.pending === 0 && missing === 0 && recipients.inLogs > 0 && isWhole;
	return { summary, recipients, missing, isWhole, isComplete, warning };
}

/** Returns the number of recipients in an input item of Campaign → Send with *One Item per Campaign*; 0 without one. */
const sentTo = (id: string, items: number[], input: INodeExecutionData[]): number =>
	items
		.map((item) => input[item].json)
		.filter((json) => comparableId(json.campaign_id) === comparableId(id))
		.map(({ recipients }) => (typeof recipients === 'number' ? recipients : 0))
		.reduce((most, count) => Math.max(most, count), 0);
