import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { itemReader, type Item } from '../n8n/itemParameters';
import { holdsExpression } from '../n8n/plainExpressions';
import { oneOf, optionalText, requiredText } from '../n8n/values';
import { callingCode, formatPhone, type PhoneResult } from '../phone/phone';

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
