import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { showHint } from '../n8n/executionHints';
import { countryOf } from '../phone/phone';
import { forEachInSlices } from '../utils/concurrency';
import { tallyOf } from './tally';
import { sameAs } from './check';
import { needsCode } from './byHand';
import { offerCode } from './offerCode';
import { dryRunHint } from './hints';
import type { Journal } from './journal';
import type { Message } from './message';
import { itemsTogether, recipientItems, type Together } from './output';
import type { Plan } from './plan';
import { makeRequests } from './requests';
import { isFailed, reasonOf, type Result } from './results';

const NO_DATABASE =
	"There is no code to send from the editor, because n8n's database failed. Make the dry run again.";

/**
 * Shows what would be sent, read from the bodies that would leave: an item for each recipient or, if the option `output` says
 * so, for each request. A recipient who cannot be sent to has an item with all problems.
 */
export async function runDry<Payload>(
	plan: Plan<Payload>,
	journal: Journal,
): Promise<INodeExecutionData[]> {
	const { context, operation, options } = plan;
	const requests = await makeRequests(plan, journal.identity);
	const tally = await tallyOf(plan.results);
	const type = tally.failures.length > 0 ? 'warning' : 'info';
	showHint(context, await dryRunHint(tally, requests.length), type);
	const isAsked = needsCode(context, plan.toSend.length);
	const code = await offerCode(plan).catch(() => (isAsked ? NO_DATABASE : undefined));
	if (code) showHint(context, code, type);
	const results = Array<Result>(plan.messages.length);
	const together: Together[] = [];
	for (const { from, messages } of requests) {
		const { method, path, body } = operation.request(from, messages);
		const json = { dryRun: true, from, recipients: messages.length, method, path, body };
		together.push({ messages, json });
		const parts = (body as IDataObject).messages;
		await forEachInSlices(messages, (message, index) => {
			const part: unknown = Array.isArray(parts) ? parts[index] : body;
			results[message.item] = rowOf({ outcome: 'ready', message }, message, part);
		});
	}
	await forEachInSlices(plan.messages, (message, item) => {
		results[item] ??= rowOf(plan.results[item], message);
	});
	const items = await recipientItems(context, results);
	return options.output === 'campaign' && operation.summary
		? await itemsTogether(items, together)
		: items;
}

/** Makes the result that a recipient's item shows. `part`: this recipient's own part of the request. */
function rowOf(result: Result, message: Message, part?: unknown): Result {
	const { twin, digits, text, identifier, doubt = '' } = message;
	const going = result.outcome === 'skipped' ? 'skipped' : 'ready';
	const outcome = isFailed(result) ? 'invalid' : going;
	const country = outcome === 'invalid' ? undefined : countryOf(digits);
	return {
		outcome,
		message,
		reason:
			reasonOf(result) || [doubt, twin === undefined ? '' : sameAs(twin)].filter(Boolean).join(' '),
		json: {
			...(country !== undefined && { country }),
			...(text !== undefined && { text }),
			...(identifier && { identifier }),
			dryRun: true,
			// As one line.
			...(part !== undefined && { message: JSON.stringify(part) }),
		},
	};
}
