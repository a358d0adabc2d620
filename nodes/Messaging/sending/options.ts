import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { flag, numberBetween, oneOf, optionalText, requiredText, text } from '../n8n/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { DEFAULT_BATCH_SIZE, MOST_AT_ONCE } from '../fields/sendingOptions';
import { callingCode, formatPhone, type PhoneFormat, type PhoneResult } from './phone';
import type { Recipient } from './recipients';

/** How recipients' numbers are written. */
export type NumberFormat = {
	phoneFormat: PhoneFormat;
	/** Country calling code in digits. */
	defaultCountryCode?: string;
};

const MODES = ['send', 'test', 'dryRun'] as const;
const DUPLICATES = ['send', 'skip', 'error'] as const;
const OUTPUTS = ['recipients', 'campaign'] as const;
const FORMATS = ['digits', 'e164', 'asIs'] as const;

/** The options of a run, read once: they apply to the run, not to an item. */
export type SendOptions = ReturnType<typeof readOptions> & {
	/** Set when an expression gives each recipient a number format of its own. */
	numberFormatOf?: (recipient: Recipient) => NumberFormat;
};

/**
 * Reads the options of this run. Expressions in them are resolved once, with the first item (recipients.ts refuses those that
 * read it), except the number format: with the first item's country code, the messages of other items would go to strangers.
 *
 * @throws UserError naming the option that is invalid
 */
export function optionsOf(context: IExecuteFunctions): SendOptions {
	const options: IDataObject = {
		...context.getNodeParameter('options', 0, {}),
		// Without a value, an expression must not send to everyone.
		mode: requiredText(context.getNodeParameter('mode', 0, 'send'), 'Mode'),
		testRecipient: context.getNodeParameter('testRecipient', 0, ''),
	};
	const raw = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const differs = [raw.phoneFormat, raw.defaultCountryCode].some(
		(value) => typeof value === 'string' && value.startsWith('='),
	);
	if (!differs) return readOptions(options);
	return {
		...readOptions({ ...options, phoneFormat: undefined, defaultCountryCode: undefined }),
		numberFormatOf: ({ read }) =>
			readNumberFormat({
				phoneFormat: read('options.phoneFormat'),
				defaultCountryCode: read('options.defaultCountryCode'),
			}),
	};
}

/** Writes a number as the options say for this recipient. @throws UserError when they are invalid */
export function writtenNumber(options: SendOptions, recipient: Recipient, to: string): PhoneResult {
	const { phoneFormat, defaultCountryCode } = options.numberFormatOf?.(recipient) ?? options;
	return formatPhone(to, phoneFormat, defaultCountryCode);
}

/** @throws UserError when the default country code or the format is invalid */
function readNumberFormat(options: { [option: string]: unknown }): NumberFormat {
	const code = text(options.defaultCountryCode);
	const defaultCountryCode = code === '' ? undefined : callingCode(code);
	if (code !== '' && !defaultCountryCode) {
		throw new UserError(
			`"${code}" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`,
		);
	}
	return { phoneFormat: oneOf(options.phoneFormat, FORMATS, 'Phone Format'), defaultCountryCode };
}

/**
 * Reads the collection `options`, with `mode` and `testRecipient`; numbers out of range are set to the nearest limit.
 *
 * @throws UserError naming the option that is invalid
 */
export function readOptions(options: IDataObject) {
	const { batchSize, batchInterval, timeout, maxRetries, messagesPerRequest, maxRecipients } =
		options;
	/** Whether a run sends to everyone, only to the user's own number, or to nobody. */
	const mode = oneOf(options.mode, MODES, 'Mode');
	return {
		mode,
		/** Requests in flight at once. */
		batchSize: numberBetween(batchSize, 1, MOST_AT_ONCE, DEFAULT_BATCH_SIZE),
		/** ms between the starts of two batches. */
		batchInterval: numberBetween(batchInterval, 0, 3_600_000, 0),
		/** Time limit of one request in ms, from its start to the last byte of the answer. */
		timeout: numberBetween(timeout, 0, 3_600_000, 0) || DEFAULT_TIMEOUT,
		maxRetries: numberBetween(maxRetries, 0, 10, DEFAULT_MAX_RETRIES),
		...readNumberFormat(options),
		onDuplicateRecipient: oneOf(options.onDuplicateRecipient, DUPLICATES, 'On Duplicate Recipient'),
		/** Messages that an earlier attempt may have sent are sent again. */
		resendUnknown: flag(options.resendUnknown, 'Resend Unknown'),
		/** The only number that gets a message in the mode `test`. */
		testRecipient: mode === 'test' ? testNumber(options.testRecipient) : '',
		/** Messages in one request, where the endpoint takes many; 0 for no limit. */
		perRequest: numberBetween(messagesPerRequest ?? maxRecipients, 0, Number.MAX_SAFE_INTEGER, 0),
		/** One item per recipient, or one per campaign. */
		output: oneOf(options.output, OUTPUTS, 'Output'),
	};
}

/** @throws UserError when the number is empty */
function testNumber(value: unknown): string {
	const number = optionalText(value, 'My Number');
	if (number !== '') return number;
	throw new UserError(
		"'My Number' is empty, so nothing was sent. Enter your own number, or choose another 'Mode'.",
	);
}
