import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { numberBetween, text } from '../host/values';
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT } from '../service/service';
import { callingCode, type PhoneFormat } from './phone';

/** More at once would only queue: n8n opens a connection for each. */
export const MOST_AT_ONCE = 50;

/** The options of a sending run, read once: they are about the run, not about an item. */
export type SendingOptions = {
	/** Requests in flight at once. */
	batchSize: number;
	/** ms between the starts of two batches. */
	batchInterval: number;
	/** ms until a request without an answer is given up. */
	timeout: number;
	maxRetries: number;
	dryRun: boolean;
	phoneFormat: PhoneFormat;
	/** Country calling code in digits. */
	defaultCountryCode?: string;
	onDuplicateRecipient: 'send' | 'skip' | 'error';
	/** Send again what may have been sent by an earlier try. */
	resendUnknown: boolean;
	/** Messages in one request, where the endpoint takes many; Infinity for no bound. */
	perRequest: number;
	/** One item per recipient, or one per campaign. */
	output: 'recipients' | 'campaign';
};

const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value =>
	values.find((candidate) => candidate === value) ?? values[0];

/**
 * Reads the collection `options`; out-of-range numbers are brought into range.
 *
 * @throws UserError when the default country code is none
 */
export function readOptions(options: IDataObject): SendingOptions {
	const code = text(options.defaultCountryCode);
	const defaultCountryCode = code === '' ? undefined : callingCode(code);
	if (code !== '' && !defaultCountryCode) {
		throw new UserError(
			`"${code}" is not a country calling code. Enter digits in "Default Country Code", for example 385.`,
		);
	}
	const perRequest = numberBetween(
		options.messagesPerRequest ?? options.maxRecipients,
		0,
		Number.MAX_SAFE_INTEGER,
		0,
	);
	return {
		batchSize: numberBetween(options.batchSize, 1, MOST_AT_ONCE, 10),
		batchInterval: numberBetween(options.batchInterval, 0, 3_600_000, 0),
		timeout: numberBetween(options.timeout, 1, 3_600_000, DEFAULT_TIMEOUT),
		maxRetries: numberBetween(options.maxRetries, 0, 10, DEFAULT_MAX_RETRIES),
		dryRun: options.dryRun === true,
		phoneFormat: oneOf(options.phoneFormat, ['asIs', 'digits', 'e164']),
		defaultCountryCode,
		onDuplicateRecipient: oneOf(options.onDuplicateRecipient, ['send', 'skip', 'error']),
		resendUnknown: options.resendUnknown === true,
		perRequest,
		output: oneOf(options.output, ['recipients', 'campaign']),
	};
}
