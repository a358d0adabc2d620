import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { flag, numberBetween, oneOf, requiredText, text } from '../n8n/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { DEFAULT_BATCH_SIZE, MOST_AT_ONCE } from '../fields/sendingOptions';
import { callingCode, formatPhone, type PhoneResult } from './phone';
import type { Recipient } from './recipients';

const DUPLICATES = ['send', 'skip', 'error'] as const;
const FORMATS = ['digits', 'e164', 'asIs'] as const;

/**
 * Writes a number as the options say. They are read for each recipient: with the country code of another one, the message
 * would go to a stranger.
 *
 * @throws UserError when the default country code or the format is invalid
 */
export function writtenNumber({ read }: Recipient, to: string): PhoneResult {
	const format = oneOf(read('options.phoneFormat'), FORMATS, 'Phone Format');
	const given = text(read('options.defaultCountryCode'));
	const code = given === '' ? undefined : callingCode(given);
	if (given !== '' && !code) {
		throw new UserError(
			`"${given}" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`,
		);
	}
	return formatPhone(to, format, code);
}

/** The options of a run. */
export type SendOptions = ReturnType<typeof optionsOf>;

/**
 * Reads the options of this run; numbers out of range are set to the nearest limit. Expressions in them are resolved once,
 * with the first item; recipients.ts refuses those that read it.
 *
 * @throws UserError naming the option that is invalid
 */
export function optionsOf(context: IExecuteFunctions) {
	const options = context.getNodeParameter('options', 0, {});
	const perRequest: unknown = options.messagesPerRequest ?? options.maxRecipients;
	// Without a value, an expression must not send to everyone.
	const given = requiredText(context.getNodeParameter('mode', 0, 'send'), 'Mode');
	/** Whether a run sends to everyone, only to the user's own number, or to nobody. */
	const mode = oneOf(given, ['send', 'test', 'dryRun'] as const, 'Mode');
	const testRecipient: unknown = context.getNodeParameter('testRecipient', 0, '');
	return {
		mode,
		/** Requests in flight at once. */
		batchSize: numberBetween(options.batchSize, 1, MOST_AT_ONCE, DEFAULT_BATCH_SIZE),
		/** ms between the starts of two batches. */
		batchInterval: numberBetween(options.batchInterval, 0, 3_600_000, 0),
		/** Time limit of one request in ms, from its start to the last byte of the answer. */
		timeout: numberBetween(options.timeout, 0, 3_600_000, 0) || DEFAULT_TIMEOUT,
		maxRetries: numberBetween(options.maxRetries, 0, 10, DEFAULT_MAX_RETRIES),
		onDuplicateRecipient: oneOf(options.onDuplicateRecipient, DUPLICATES, 'On Duplicate Recipient'),
		/** Messages that an earlier attempt may have sent are sent again. */
		resendUnknown: flag(options.resendUnknown, 'Resend Unknown'),
		/** The only number that gets a message in the mode `test`. */
		testRecipient: mode === 'test' ? requiredText(testRecipient, 'My Number') : '',
		/** Messages in one request, where the endpoint takes many; 0 for no limit. */
		perRequest: numberBetween(perRequest, 0, Infinity, 0),
		/** One item per recipient, or one per campaign. */
		output: oneOf(options.output, ['recipients', 'campaign'] as const, 'Output'),
	};
}
