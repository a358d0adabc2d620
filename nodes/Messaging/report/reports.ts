import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { CANCELLED_WHILE_READING } from '../n8n/cancelled';
import { connect } from '../n8n/connect';
import { Limiter, mapInOrder } from '../utils/concurrency';
import { asNodeError, sentenceOf } from '../n8n/errors';
import { failedItem } from '../n8n/failedItem';
import { formatNumber } from '../utils/text';
import { Parameters } from '../n8n/parameters';
import type { Ask } from '../service/endpoints';
import { Throttle } from '../service/throttle';
import { payloadOf, RequestFailed } from '../service/failure';
import { flag } from '../n8n/values';
import { showHint } from '../n8n/showHint';
import { campaignsOf, hasFailed, type Campaign } from './campaigns';
import { reportOf, type Wish } from './reportOf';

/** How many requests are under way at once, for all campaigns together. */
const AT_ONCE = 5;

/**
 * The reports of all campaigns that the input items name, each campaign's logs read once, put out in
 * the order of the campaigns' first items. Under Continue On Fail a campaign that fails becomes an
 * error item for each of its input items.
 */
export async function reports(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const parameters = new Parameters(context, items);
	const goOn = context.continueOnFail();
	const signal = context.getExecutionCancelSignal?.();
	const ask = await asking(context, signal);
	const readId = (item: number) => parameters.read('campaignId', item);

	const isExcused = (item: number) =>
		items[item].json.skipped === true || hasFailed(items[item].json);
	const campaigns = await campaignsOf(items.length, readId, isExcused);
	const unclear = campaigns.find((campaign) => 'error' in campaign);
	// Nothing is asked for when the node is going to fail anyway.
	if (unclear && !goOn) throw nodeError(context, unclear, unclear.error);
	tellOfFailed(context, campaigns);
	const outputs = await mapInOrder(campaigns, AT_ONCE, async (campaign) => {
		try {
			if ('error' in campaign) throw campaign.error;
			return await reportOf(context, campaign, wishOf(parameters, campaign.items[0]), ask);
		} catch (error) {
			if (!goOn) throw nodeError(context, campaign, error);
			return failedItems(
				campaign,
				signal?.aborted ? new UserError(CANCELLED_WHILE_READING) : error,
			);
		}
	});
	return outputs.flat();
}

/** Says above the output how many messages the reports do not cover, because they failed before. */
function tellOfFailed(context: IExecuteFunctions, campaigns: Campaign[]) {
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

/** Asks the service; a failure ends the campaign that it was asked for. */
async function asking(context: IExecuteFunctions, signal?: AbortSignal): Promise<Ask> {
	const throttle = new Throttle(signal);
	const service = await connect(context);
	const limiter = new Limiter(AT_ONCE);
	return async (request) =>
		await limiter.run(async () => payloadOf(await service.call(request, { throttle, signal })));
}

/** What the user wants of a campaign, as its first input item says. */
function wishOf(parameters: Parameters, item: number): Wish {
	const output = parameters.read('output', item, 'summary');
	const { joinInputItems, picture } = parameters.read('options', item, {}) as IDataObject;
	return {
		summary: output !== 'recipients',
		recipients: output !== 'summary',
		join: flag(joinInputItems ?? true, 'Join to Input Items'),
		picture: flag(picture, 'Picture'),
	};
}

const nodeError = (context: IExecuteFunctions, { items: [item] }: Campaign, error: unknown) =>
	asNodeError(context.getNode(), error, item);

function failedItems({ items }: Campaign, error: unknown): INodeExecutionData[] {
	const details = {
		httpStatus: error instanceof RequestFailed ? error.failure.httpStatus : undefined,
	};
	return items.map((item) => failedItem(sentenceOf(error), details, item));
}
