import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { comparableId } from '../logs/record';
import { asNodeError } from '../n8n/nodeErrors';
import { isCertainlyNotSent, isFailedItem } from '../n8n/failedItems';
import { showHint } from '../n8n/executionHints';
import { readAll, readGroups, type ReadRun } from '../n8n/readAll';
import { flag, optionalText } from '../n8n/values';
import { now } from '../service/clock';
import { numberOf } from '../utils/text';
import { forEachInSlices } from '../utils/concurrency';
import { campaignReport } from './campaignReport';
import { waitingOf } from './waitForCompletion';

/** The input items that name one campaign, all items of a dry run, or one item whose campaign id cannot be read. */
type CampaignGroup =
	| { id: string; items: number[] }
	| { items: number[]; dryRun: true }
	| { items: [number]; error: Error };

/** With more campaigns, only the texts of those with a warning are shown above the output. */
const MOST_TEXTS = 5;

/**
 * Outputs the report of every campaign that the input items name, in the order of the campaigns' first items.
 * Each campaign's logs are read once, however many items name it; with *Wait for Completion* repeatedly.
 */
export const reportEach = async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> =>
	await readAll(context, async (run) => {
		const began = now();
		const campaigns = await campaignsNamed(run);
		const invalid = campaigns.find((campaign) => 'error' in campaign);
		// Nothing is read when the node will fail in any case.
		if (invalid && !context.continueOnFail()) {
			throw asNodeError(context.getNode(), invalid.error, invalid.items[0]);
		}
		const leftOut = failedMessages(context, campaigns);
		const showText = campaigns.length <= MOST_TEXTS;
		const isOnly = campaigns.length === 1;
		return await readGroups(run, campaigns, async (campaign) => {
			if ('error' in campaign) throw campaign.error;
			if ('dryRun' in campaign) return [dryRunReport(context, campaign.items)];
			const options = reportOptions(run, campaign.items[0], began);
			return await campaignReport(run, campaign, { ...options, showText, isOnly, leftOut });
		});
	});

const DRY_RUN =
	"This was a dry run: nothing was sent, so there is nothing to report. To send, set 'Mode' to 'Send' in the node that sends.";

function dryRunReport(context: IExecuteFunctions, items: number[]): INodeExecutionData {
	showHint(context, DRY_RUN, 'info');
	const json = { dryRun: true, text: DRY_RUN };
	return { json, pairedItem: items.map((item) => ({ item })) };
}

/** Groups the input items by their campaign, in the order of the campaigns' first items. */
async function campaignsNamed({ context, parameters }: ReadRun): Promise<CampaignGroup[]> {
	const input = context.getInputData();
	const campaigns: CampaignGroup[] = [];
	const itemsOf = new Map<string, number[]>();
	const dryRun: number[] = [];
	await forEachInSlices(input, ({ json }, item) => {
		try {
			const id = campaignIdOf(parameters.read('campaignId', item));
			const items = itemsOf.get(comparableId(id));
			if (items) {
				items.push(item);
				return;
			}
			const first = [item];
			itemsOf.set(comparableId(id), first);
			campaigns.push({ id, items: first });
		} catch (error) {
			if (json.dryRun === true) dryRun.push(item);
			else campaigns.push({ items: [item], error: error as Error });
		}
	});
	if (dryRun.length > 0) campaigns.push({ items: dryRun, dryRun: true });
	const needsNone = (item: INodeExecutionData) =>
		item.json.status === 'skipped' || isFailedItem(item);
	const wanted = campaigns.filter((each) => !('error' in each) || !needsNone(input[each.items[0]]));
	if (wanted.length > 0) return wanted;
	const error = new UserError(
		"There is no campaign to report on: no message was accepted, so 'Campaign ID' is empty. The input items say why.",
	);
	return campaigns.map(({ items: [item] }) => ({ items: [item], error }));
}

/** Reads a campaign's id. @throws UserError when it is empty, as behind an operation that sends no campaign */
function campaignIdOf(value: unknown): string {
	const id = optionalText(value, 'Campaign ID');
	if (id !== '') return id;
	throw new UserError(
		"'Campaign ID' is empty. Choose a campaign, or check the expression for this item. Send Text and Send Template return none: their messages are in 'Log → Get Many'.",
	);
}

/** Says how many messages of the input the reports do not cover, if there are any. */
function failedMessages(
	context: IExecuteFunctions,
	campaigns: CampaignGroup[],
): string | undefined {
	const covered = new Set(campaigns.flatMap(({ items }) => items));
	const input = context.getInputData();
	const failed = input.filter((each, item) => isFailedItem(each) && !covered.has(item));
	const notSent = failed.filter(isCertainlyNotSent).length;
	const counts = [
		[notSent, 'not sent'],
		[failed.length - notSent, 'that may have been sent'],
	] as const;
	const said = counts.flatMap(([count, what]) =>
		count > 0 ? [`${numberOf(count, 'message')} ${what}`] : [],
	);
	if (said.length === 0) return undefined;
	return `Not in this report: ${said.join(', ')}. The node that sends says why.`;
}

/**
 * Reads what the user wants of a campaign from its first input item.
 *
 * @param began start of the run in ms since 1970: *Longest Wait* is for all its campaigns together
 */
function reportOptions({ parameters }: ReadRun, item: number, began: number) {
	const output = parameters.read('output', item, 'summary');
	const options = parameters.read('options', item, {}) as IDataObject;
	const wait = waitingOf(options);
	return {
		summary: output !== 'recipients',
		recipients: output !== 'summary',
		join: flag(options.joinInputItems ?? true, 'Join to Input Items'),
		html: flag(options.html, 'HTML'),
		...(wait && { wait: { until: began + wait.longest, interval: wait.interval } }),
	};
}
