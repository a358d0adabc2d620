import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { showHint } from '../n8n/executionHints';
import { countryOf } from '../phone/phone';
import { sameAs } from './check';
import { dryRunHint } from './hints';
import type { Journal } from './journal';
import type { Message } from './message';
import { pairedItems } from './output';
import type { Plan } from './plan';
import { makeRequests } from './requests';
import { isFailed } from './results';

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
	const rowOf = rowWriter(plan);
	const shown = new Array<INodeExecutionData>(messages.length);
	for (const request of requests) {
		const { method, path, body } = operation.request(request.from, request.messages);
		const { from, items } = request;
		if (isPerRequest) {
			shown[items[0]] = {
				json: { dryRun: true, from, recipients: items.length, method, path, body },
				pairedItem: pairedItems(request.messages),
			};
			continue;
		}
		const parts = (body as IDataObject).messages;
		for (const [index, message] of request.messages.entries())
			shown[message.item] = rowOf(message, Array.isArray(parts) ? parts[index] : body);
	}
	leftOut.forEach((_, item) => (shown[item] = rowOf(messages[item])));
	return shown.filter(Boolean);
}

/**
 * Returns a function that makes a recipient's item. n8n's table shows the fields in this order, beginning with those of the
 * first item; so when one row has an error or a reason, all rows have the field.
 */
function rowWriter({ leftOut, duplicates }: Pick<Plan, 'leftOut' | 'duplicates'>) {
	const haveErrors = leftOut.some(isFailed);
	const haveReasons = duplicates.size > 0;
	return ({ item, to, digits, text, identifier }: Message, part?: unknown) => {
		const result = leftOut[item];
		const isBad = result !== undefined && isFailed(result);
		const country = isBad ? undefined : countryOf(digits);
		const first = duplicates.get(item);
		return {
			json: {
				to,
				...(haveErrors && { error: isBad ? result.why.message : '' }),
				...(country !== undefined && { country }),
				...(text !== undefined && { text }),
				...(haveReasons && { reason: first === undefined ? '' : sameAs(first) }),
				...(result?.outcome === 'skipped' && { skipped: true }),
				...(identifier && { identifier }),
				dryRun: true,
				// This recipient's own part of the request, as one line.
				...(part !== undefined && { message: JSON.stringify(part) }),
			},
			pairedItem: { item },
		};
	};
}
