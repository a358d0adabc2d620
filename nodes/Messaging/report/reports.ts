import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { plainId } from '../logs/record';
import { asNodeError } from '../n8n/errors';
import { showHint } from '../n8n/hints';
import { readAll, readGroups, type ReadRun } from '../n8n/readOperation';
import { flag, requiredText } from '../n8n/values';
import { now } from '../service/clock';
import { isObject } from '../service/types';
import { formatNumber } from '../utils/text';
import { TimeSlice } from '../utils/concurrency';
import { campaignReport, type ReportOptions } from './campaignReport';
import { waitingOf } from './waitForCompletion';

/** The input items that name one campaign, or one item whose campaign id cannot be read. */
type CampaignGroup = { id: string; items: number[] } | { items: [number]; error: Error };

/**
 * Outputs the report of every campaign that the input items name, in the order of the campaigns' first items.
 * Each campaign's logs are read once, however many items name it; with *Wait for Completion* repeatedly.
 */
export const reports = async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> =>
	await readAll(context, async (run) => {
		const began = now();
		const campaigns = await campaignsOf(run);
		const invalid = campaigns.find((campaign) => 'error' in campaign);
		// Nothing is read when the node will fail in any case.
		if (invalid && !context.continueOnFail()) {
			throw asNodeError(context.getNode(), invalid.error, invalid.items[0]);
		}
		hintAtFailedMessages(context, campaigns);
		hintAtTest(context);
		return await readGroups(run, campaigns, async (campaign) => {
			if ('error' in campaign) throw campaign.error;
			return await campaignReport(run, campaign, optionsOf(run, campaign.items[0], began));
		});
	});

/** Groups the input items by their campaign, in the order of the campaigns' first items. */
async function campaignsOf({ context, parameters }: ReadRun): Promise<CampaignGroup[]> {
	const input = context.getInputData();
	const campaigns: CampaignGroup[] = [];
	const itemsOf = new Map<string, number[]>();
	const slice = new TimeSlice();
	for (let item = 0; item < input.length; item++) {
		await slice.yieldIfOver();
		try {
			const id = requiredText(parameters.read('campaignId', item), 'Campaign ID');
			const items = itemsOf.get(plainId(id));
			if (items) {
				items.push(item);
			} else {
				const first = [item];
				itemsOf.set(plainId(id), first);
				campaigns.push({ id, items: first });
			}
		} catch (error) {
			campaigns.push({ items: [item], error: error as Error });
		}
	}
	const needsNone = ({ json }: INodeExecutionData) => json.skipped === true || hasFailed(json);
	const wanted = campaigns.filter((each) => 'id' in each || !needsNone(input[each.items[0]]));
	if (wanted.length > 0) return wanted;
	const error = new UserError(
		"There is no campaign to report on: every message failed or was skipped, so 'Campaign ID' is empty. The input items say why.",
	);
	return campaigns.map(({ items: [item] }) => ({ items: [item], error }));
}

/** Whether an input item is a failed message, as Campaign → Send outputs it under Continue On Fail. */
const hasFailed = ({ error, details }: IDataObject) =>
	typeof error === 'string' && isObject(details);

/** Shows a hint with the number of failed messages that the reports do not cover. */
function hintAtFailedMessages(context: IExecuteFunctions, campaigns: CampaignGroup[]) {
	const covered = new Set(campaigns.flatMap(({ items }) => items));
	const left = context
		.getInputData()
		.filter(({ json }, item) => hasFailed(json) && !covered.has(item));
	if (left.length === 0) return;
	const what =
		left.length === 1
			? '1 input item is a message that failed and has'
			: `${formatNumber(left.length)} input items are messages that failed and have`;
	showHint(context, `${what} no campaign: not in this report.`);
}

/** Says above the output that a report is of a test: its one recipient is not the campaign's. */
function hintAtTest(context: IExecuteFunctions) {
	const isTest = ({ json }: INodeExecutionData) => json.test === true && Boolean(json.campaign_id);
	if (!context.getInputData().some(isTest)) return;
	showHint(context, "This reports on a test: 'Test Recipient' was set when the campaign was sent.");
}

/**
 * Reads what the user wants of a campaign from its first input item.
 *
 * @param began start of the run in ms since 1970: *Longest Wait* is for all its campaigns together
 */
function optionsOf({ parameters }: ReadRun, item: number, began: number): ReportOptions {
	const output = parameters.read('output', item, 'summary');
	const options = parameters.read('options', item, {}) as IDataObject;
	const { joinInputItems, picture, html } = options;
	const wait = waitingOf(options);
	return {
		summary: output !== 'recipients',
		recipients: output !== 'summary',
		join: flag(joinInputItems ?? true, 'Join to Input Items'),
		picture: flag(picture, 'Picture'),
		html: flag(html, 'HTML'),
		...(wait && { wait: { until: began + wait.longest, interval: wait.interval } }),
	};
}
