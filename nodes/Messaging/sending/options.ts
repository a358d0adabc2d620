import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { itemReader } from '../n8n/itemParameters';
import { flag, numberBetween, oneOf, optionalText, requiredText } from '../n8n/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { DEFAULT_BATCH_SIZE, LARGEST_BATCH_SIZE } from '../fields/sendingOptions';

const DUPLICATES = ['send', 'skip', 'error'] as const;
const MODES = ['send', 'test', 'dryRun'] as const;

/** The options of a run. */
export type SendOptions = ReturnType<typeof optionsOf>;

/**
 * Reads the options of this run; numbers out of range are set to the nearest limit. Expressions in the others are resolved
 * once, with the first item.
 *
 * @throws UserError naming the option that is invalid
 */
export function optionsOf(context: IExecuteFunctions) {
	refuseExpressions(context);
	const { read } = itemReader(context)(0);
	/** Whether a run sends to everyone, only to the user's own number, or to nobody. */
	const mode = oneOf(requiredText(read('sendMode', 'send'), 'Mode'), MODES, 'Mode');
	return {
		mode,
		/** Requests in flight at once. */
		batchSize: numberBetween(read('options.batchSize'), 1, LARGEST_BATCH_SIZE, DEFAULT_BATCH_SIZE),
		/** ms between the starts of two batches. */
		batchInterval: numberBetween(read('options.batchInterval'), 0, 3_600_000, 0),
		/** Time limit of one request in ms, from its start to the last byte of the answer. */
		timeout: numberBetween(read('options.timeout'), 0, 3_600_000, 0) || DEFAULT_TIMEOUT,
		maxRetries: numberBetween(read('options.maxRetries'), 0, 10, DEFAULT_MAX_RETRIES),
		onDuplicateRecipient: oneOf(
			read('options.onDuplicateRecipient'),
			DUPLICATES,
			'On Duplicate Recipient',
		),
		/** The code with which an execution in the editor may send to many. */
		code: optionalText(read('code'), 'Code'),
		/** Texts that look wrong are meant. */
		sendUnusual: flag(read('options.sendUnusual'), 'Send Unusual Texts'),
		/** The only number that gets a message in the mode `test`. */
		testRecipient:
			mode === 'test'
				? requiredText(read('testRecipient'), 'My Number', 'Enter your own number.')
				: '',
		/** Messages in one request, where the endpoint takes many; 0 for no limit. */
		perRequest: numberBetween(read('options.maxRecipients'), 0, Infinity, 0),
		/** One item per recipient, or one per campaign. */
		output: oneOf(read('options.output'), ['recipients', 'campaign'] as const, 'Output'),
	};
}

/** What decides for all items who gets a message, or what is output. An expression could give each item another value. */
const OF_THE_RUN = {
	sendMode: 'Mode',
	testRecipient: 'My Number',
	code: 'Code',
	'options.maxRecipients': 'Max Recipients per Request',
	'options.onDuplicateRecipient': 'On Duplicate Recipient',
	'options.output': 'Output',
	'options.sendUnusual': 'Send Unusual Texts',
};

/**
 * Refuses expressions in the fields of the whole run. Since they are marked `noDataExpression`, n8n takes most of them for
 * text, without the sign at their beginning: without a refusal, some would be ignored.
 *
 * @throws UserError naming the first such field
 */
function refuseExpressions(context: IExecuteFunctions) {
	const isExpression = ([name]: [string, string]) =>
		/^=|\{\{/.test(String(context.getNodeParameter(name, 0, '', { rawExpressions: true })));
	const [, label] = Object.entries(OF_THE_RUN).find(isExpression) ?? [];
	if (label === undefined) return;
	throw new UserError(
		`'${label}' is the same for all items, so it cannot be an expression. Choose a value, or separate the items before this node, for example with an 'If' node.`,
	);
}
