import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { mayHaveGotIt } from '../n8n/failedItems';
import { itemReader, type Item } from '../n8n/itemParameters';
import { holdsExpression } from '../n8n/plainExpressions';
import { oneOf, optionalText, requiredText } from '../n8n/values';
import { forEachInSlices } from '../utils/concurrency';
import {
	callingCode,
	formatPhone,
	recipientDigits,
	senderNumber,
	type PhoneResult,
} from '../phone/phone';
import type { Message } from './message';

/**
 * Returns whether the input item of a message says that its number may have got one before. The number in it is read like the
 * recipient's, because it stands there as somebody typed it when its whole run failed.
 */
export function mayHaveReader(context: IExecuteFunctions) {
	const itemAt = itemReader(context);
	const writeNumber = numberWriter(context);
	const items = context.getInputData();
	return ({ item, digits }: Message): boolean => {
		const before = mayHaveGotIt(items[item]);
		if (before === undefined) return false;
		try {
			const number = writeNumber(itemAt(item), before);
			return recipientDigits(number.ok ? number.phone : before) === digits;
		} catch {
			// An option of this item is invalid, so nobody knows which number it means: perhaps the same.
			return true;
		}
	};
}

/** Writes a recipient's number as the options say. @throws UserError when an option is invalid */
export type WriteNumber = (input: Item, to: string) => PhoneResult;

/**
 * Returns a function that writes numbers. Only options by expression are read for each recipient: with the country code of
 * another one, the message would go to a stranger.
 *
 * @throws UserError when a fixed option is invalid
 */
export function numberWriter(context: IExecuteFunctions): WriteNumber {
	const first = itemReader(context)(0);
	const optionOf = <Value>(
		name: string,
		valueIn: (given: unknown) => Value,
		valueOfItem = valueIn,
	) => {
		if (holdsExpression(first.raw(name))) return ({ read }: Item) => valueOfItem(read(name));
		const value = valueIn(first.read(name));
		return () => value;
	};
	const formatOf = optionOf('options.phoneFormat', formatIn);
	const codeOf = optionOf('options.defaultCountryCode', codeIn, codeOfItem);
	return (input, to) => {
		const code = to.startsWith('+') ? undefined : codeOf(input);
		const number = formatPhone(to, formatOf(input), code);
		if (number.ok || to !== '') return number;
		// Another name of the column is the likeliest reason.
		const [nowhere] = input.missing(input.raw('to')).flatMap((each) => each.nowhere ?? []);
		return nowhere ? { ok: false, message: `The recipient is empty: ${nowhere}` } : number;
	};
}

const FORMATS = ['digits', 'e164', 'asIs'] as const;

const formatIn = (value: unknown) => oneOf(value, FORMATS, 'Phone Format');

const CODE_FIELD = 'Default Country Code';

/** Reads the code of an item whose number has no plus. It must not be empty: a number that lacks its code would be sent as if it had it, to a stranger. */
const codeOfItem = (value: unknown) => codeIn(requiredText(value, CODE_FIELD));

function codeIn(value: unknown): string | undefined {
	const given = optionalText(value, CODE_FIELD);
	const code = given === '' ? undefined : callingCode(given);
	if (given === '' || code) return code;
	throw new UserError(
		`"${given}" is not a country calling code. Enter digits in '${CODE_FIELD}', for example 385.`,
	);
}

/** Returns each recipient's number, empty if it cannot be read. */
export async function recipientNumbers(context: IExecuteFunctions): Promise<string[]> {
	const itemAt = itemReader(context);
	const names: string[] = [];
	const read = (_: unknown, item: number) => {
		try {
			names.push(readTo(itemAt(item)));
		} catch {
			names.push('');
		}
	};
	await forEachInSlices(context.getInputData(), read, context.getExecutionCancelSignal?.());
	return names;
}

/** Reads the recipient's number. @throws UserError when it is neither text nor a number */
export const readTo = ({ read }: Item): string => optionalText(read('to'), 'To');

/** Reads a sender's number. @throws UserError when it is empty or no phone number */
export function senderOf(from: string): string {
	const number = senderNumber(requiredText(from, 'From'));
	if (!number.ok) throw new UserError(`'From' cannot be used. ${number.message}`);
	return number.phone;
}
