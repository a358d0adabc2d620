import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { numberOf } from '../utils/text';
import { showHint } from '../n8n/hints';
import { withSameFields } from '../n8n/sameFields';
import { requestsOf, type Request } from './requests';
import { pairedItems, recipientItems } from './results';
import type { Run } from './sendOperation';

/**
 * Shows what would be sent, read from the bodies that would leave: an item for each recipient or, if the option `output` says
 * so, for each request. Recipients who would be left out have an item as after sending.
 */
export async function dryRun<Payload>(run: Run<Payload>): Promise<INodeExecutionData[]> {
	const { context, operation, options, toSend, results } = run;
	const requests = await requestsOf(run, toSend);
	const plan = `${numberOf(toSend.length, 'message')} in ${numberOf(requests.length, 'request')}`;
	const numbers = new Set(toSend.map(({ digits }) => digits)).size;
	const to = numbers < toSend.length ? ` to only ${numberOf(numbers, 'number')}` : '';
	showHint(context, `Dry run: nothing was sent. It would be ${plan}${to}.`, 'info');
	const isPerRequest = options.output === 'campaign' && operation.summary !== undefined;
	const items = new Array<INodeExecutionData>(results.length);
	for (const request of requests) {
		const { method, path, body } = operation.request(request.from, request.messages);
		if (!isPerRequest) {
			showParts(items, request, body as IDataObject);
			continue;
		}
		const { from, positions } = request;
		items[positions[0]] = {
			json: { dryRun: true, from, recipients: positions.length, method, path, body },
			pairedItem: pairedItems(request.messages),
		};
	}
	for (const [position, result] of results.entries()) {
		if (result) [items[position]] = recipientItems(context, [result]);
	}
	return await withSameFields(context, items.filter(Boolean), { dryRun: true });
}

/** Shows each recipient's own part of a request. */
function showParts(
	items: INodeExecutionData[],
	{ messages, positions }: Request,
	body: IDataObject,
) {
	for (const [index, { item, to, text, identifier }] of messages.entries()) {
		const message = Array.isArray(body.messages) ? (body.messages[index] as IDataObject) : body;
		items[positions[index]] = {
			json: {
				dryRun: true,
				to,
				...(text !== undefined && { text }),
				...(identifier && { identifier }),
				message,
			},
			pairedItem: { item },
		};
	}
}
