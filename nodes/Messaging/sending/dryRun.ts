import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { showHint } from '../n8n/executionHints';
import { countryOf } from '../phone/phone';
import { dryRunHint } from './hints';
import type { Journal } from './journal';
import type { Message, Request } from './message';
import { pairedItems } from './output';
import type { Plan } from './plan';
import { makeRequests } from './requests';
import { isFailed, type Result } from './results';

/**
 * Shows what would be sent, read from the bodies that would leave: an item for each recipient or, if the option `output` says
 * so, for each request. A recipient who cannot be sent to has an item with all problems.
 */
export async function dryRun<Payload>(
	plan: Plan<Payload>,
	journal: Journal,
): Promise<INodeExecutionData[]> {
	const { context, operation, options, messages, toSend, leftOut } = plan;
	const requests = await makeRequests(toSend, operation, options, (each) =>
		journal.identifiersOf(each),
	);
	const type = leftOut.some(isFailed) ? 'warning' : 'info';
	showHint(context, await dryRunHint(plan, requests.length), type);
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
	leftOut.forEach((result, item) => (shown[item] = row(messages[item], whyNot(result))));
	return shown.filter(Boolean);
}

/** Returns why a recipient would be left out. */
function whyNot(result: Result): IDataObject {
	if (isFailed(result)) return { error: result.why.message };
	const { skipped, reason } = result.json;
	return { skipped, reason };
}

/** Shows each recipient's own part of a request, as one line of JSON. */
function showParts(shown: INodeExecutionData[], { messages }: Request, body: IDataObject) {
	for (const [index, message] of messages.entries()) {
		const own = Array.isArray(body.messages) ? (body.messages[index] as IDataObject) : body;
		shown[message.item] = row(message, {}, JSON.stringify(own));
	}
}

/** Returns the item of a recipient. n8n's table shows the fields in this order. */
function row(
	{ item, to, digits, text, identifier }: Message,
	why: IDataObject,
	message?: string,
): INodeExecutionData {
	const country = why.error === undefined ? countryOf(digits) : undefined;
	return {
		json: {
			to,
			...(country !== undefined && { country }),
			...(text !== undefined && { text }),
			...why,
			...(identifier && { identifier }),
			dryRun: true,
			...(message !== undefined && { message }),
		},
		pairedItem: { item },
	};
}
