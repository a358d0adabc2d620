import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { flag, numberBetween, oneOf, text } from '../host/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { callingCode, type PhoneFormat } from './phone';
import type { Recipient } from './recipients';

/** More at once would only queue: n8n opens a connection for each. */
export const MOST_AT_ONCE = 50;

/** How recipients' numbers are written. */
export type NumberFormat = {
	phoneFormat: PhoneFormat;
	/** Country calling code in digits. */
	defaultCountryCode?: string;
};

/** The options of a sending run, read once: they are about the run, not about an item. */
export type SendingOptions = NumberFormat & {
	/** Where an expression gives each recipient a number format of its own. */
	numberFormatOf?: (recipient: Recipient) => NumberFormat;
	/** Requests in flight at once. */
	batchSize: number;
	/** ms between the starts of two batches. */
	batchInterval: number;
	/** The longest time of one request in ms, from its start to the last byte of the answer. */
	timeout: number;
	maxRetries: number;
	dryRun: boolean;
	onDuplicateRecipient: 'send' | 'skip' | 'error';
	/** Send again what may have been sent by an earlier try. */
	resendUnknown: boolean;
	/** Messages in one request, where the endpoint takes many; Infinity for no bound. */
	perRequest: number;
	/** One item per recipient, or one per campaign. */
	output: 'recipients' | 'campaign';
};

/**
 * The options of this run. Expressions in them are resolved once, with the first item; but a number
 * format is about a recipient, and taking the first item's would send to strangers.
 *
 * @throws UserError naming the option that is no good
 */
export function optionsOf(context: IExecuteFunctions): SendingOptions {
	const options = context.getNodeParameter('options', 0, {});
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

/** @throws UserError when the default country code is none, or there is no such format */
function readNumberFormat(options: { [option: string]: unknown }): NumberFormat {
	const code = text(options.defaultCountryCode);
	const defaultCountryCode = code === '' ? undefined : callingCode(code);
	if (code !== '' && !defaultCountryCode) {
		throw new UserError(
			`"${code}" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`,
		);
	}
	const formats = ['asIs', 'digits', 'e164'] as const;
	return { phoneFormat: oneOf(options.phoneFormat, formats, 'Phone Format'), defaultCountryCode };
}

/**
 * Reads the collection `options`; out-of-range numbers are brought into range.
 *
 * @throws UserError naming the option that is no good
 */
export function readOptions(options: IDataObject): SendingOptions {
	const perRequest = numberBetween(
		options.messagesPerRequest ?? options.maxRecipients,
		0,
		Number.MAX_SAFE_INTEGER,
		0,
	);
	return {
		batchSize: numberBetween(options.batchSize, 1, MOST_AT_ONCE, 10),
		batchInterval: numberBetween(options.batchInterval, 0, 3_600_000, 0),
		timeout: numberBetween(options.timeout, 0, 3_600_000, 0) || DEFAULT_TIMEOUT,
		maxRetries: numberBetween(options.maxRetries, 0, 10, DEFAULT_MAX_RETRIES),
		dryRun: flag(options.dryRun, 'Dry Run'),
		...readNumberFormat(options),
		onDuplicateRecipient: oneOf(
			options.onDuplicateRecipient,
			['send', 'skip', 'error'],
			'On Duplicate Recipient',
		),
		resendUnknown: flag(options.resendUnknown, 'Resend Unknown'),
		perRequest,
		output: oneOf(options.output, ['recipients', 'campaign'], 'Output'),
	};
}
