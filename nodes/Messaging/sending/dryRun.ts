import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { numberOf } from '../utils/text';
import { hasErrorOutput } from '../n8n/failedItems';
import { showHint } from '../n8n/hints';
import type { Journal } from './journal';
import type { Request } from './message';
import { pairedItems, recipientItems } from './output';
import type { Plan } from './plan';
import { makeRequests } from './requests';
import { isFailed, type Result } from './results';

/**
 * Shows what would be sent, read from the bodies that would leave: an item for each recipient or, if the option `output` says
 * so, for each request. Recipients who would be left out have an item as after sending.
 */
export async function dryRun<Payload>(
	{ context, operation, options, messages, toSend, leftOut }: Plan<Payload>,
	journal: Journal,
): Promise<INodeExecutionData[]> {
	const requests = await makeRequests(toSend, operation, options, (each) =>
		journal.identifiersOf(each),
	);
	const what = `${numberOf(toSend.length, 'message')} in ${numberOf(requests.length, 'request')}`;
	const numbers = new Set(toSend.map(({ digits }) => digits)).size;
	const to = numbers < toSend.length ? ` to only ${numberOf(numbers, 'number')}` : '';
	showHint(context, `Dry run: nothing was sent. It would be ${what}${to}.`, 'info');
	const isPerRequest = options.output === 'campaign' && operation.summary !== undefined;
	const shown = new Array<INodeExecutionData>(messages.length);
	for (const request of requests) {
		const { method, path, body } = operation.request(request.from, request.messages);
		if (!isPerRequest) {
			showParts(shown, request, body as IDataObject);
			continue;
		}
		const { from, items } = request;
		shown[items[0]] = {
			json: { dryRun: true, from, recipients: items.length, method, path, body },
			pairedItem: pairedItems(request.messages),
		};
	}
	leftOut.forEach((result, item) => (shown[item] = dryRunItem(context, result)));
	return shown.filter(Boolean);
}

/** Returns the item of a recipient who is left out. n8n recognises one for the error output by its fields. */
function dryRunItem(context: IExecuteFunctions, result: Result): INodeExecutionData {
	const [item] = recipientItems(context, [result]);
	if (isFailed(result) && hasErrorOutput(context)) return item;
	return { ...item, json: { dryRun: true, ...item.json } };
}

/** Shows each recipient's own part of a request. */
function showParts(shown: INodeExecutionData[], { messages }: Request, body: IDataObject) {
	for (const [index, { item, to, text, identifier }] of messages.entries()) {
		const message = Array.isArray(body.messages) ? (body.messages[index] as IDataObject) : body;
		shown[item] = {
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
