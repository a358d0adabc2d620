import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { formatNumber } from '../utils/text';
import { ItemParameters } from '../n8n/itemParameters';
import { TimeSlice } from '../utils/concurrency';
import { flag, numberBetween, oneOf, text } from '../n8n/values';
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
 * The options of this run. Expressions in them are resolved once, with the first item (see
 * {@link refuseDifferentOptions}); but a number format is about a recipient, and taking the first item's
 * would send to strangers.
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

/** Options that decide for the whole run who is sent to, or what is output. */
const OF_THE_RUN: Record<string, string> = {
	dryRun: 'Dry Run',
	maxRecipients: 'Max Recipients',
	messagesPerRequest: 'Messages per Request',
	onDuplicateRecipient: 'On Duplicate Recipient',
	output: 'Output',
	resendUnknown: 'Resend Unknown',
	testRecipient: 'Test Recipient',
};

/** A switch or word as it is compared: all ways to say "off" are one. */
const comparable = (value: unknown) => {
	const word = String(value ?? '').trim();
	return /^(false|0)$/i.test(word) ? '' : word.toLowerCase();
};

/**
 * Sees to it that no item decides for the others what is about the whole run.
 *
 * @throws UserError naming the option whose expression gives different values for different items
 */
export async function refuseDifferentOptions(context: IExecuteFunctions): Promise<void> {
	const items = context.getInputData();
	if (items.length < 2) return;
	const options = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const parameters = new ItemParameters(context, items);
	const slice = new TimeSlice();
	for (const [name, shown] of Object.entries(OF_THE_RUN)) {
		if (options[name] === undefined || !parameters.canDiffer(`options.${name}`)) continue;
		const first = parameters.read(`options.${name}`, 0);
		const wanted = comparable(first);
		for (let item = 1; item < items.length; item++) {
			if (slice.isOver) await slice.yieldIfOver();
			const value = parameters.read(`options.${name}`, item);
			if (comparable(value) === wanted) continue;
			throw new UserError(
				`'${shown}' is one setting for all items, but its expression gives ${said(first)} for item 1 and ${said(value)} for item ${formatNumber(item + 1)}. Use a value that is the same for all items, or separate them before this node, for example with an 'If' node.`,
			);
		}
	}
}

const said = (value: unknown) =>
	comparable(value) === '' ? 'false or nothing' : `"${String(value)}"`;

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
