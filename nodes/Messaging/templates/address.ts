import { UserError } from 'n8n-workflow';
import type { Address } from './placeholders';

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * Returns the end of a button's address, which is all that the chat-app provider takes. The whole address is accepted, too,
 * because people and systems usually have that; another one would stand behind the button's, and lead nowhere.
 *
 * @throws UserError when the value is another address
 */
export function endOfAddress({ before, after }: Address, text: string, subject: string): string {
	const value = inAddress(text);
	const isWhole = SCHEME.test(value);
	if (before === '') return value;
	if (/[?#]/.test(before)) {
		// A whole address may be meant, and must not lose what stands behind its own `&`.
		return isWhole && /[?&#]/.test(value) ? encodeURIComponent(value) : value;
	}
	const start = withoutScheme(before);
	const given = withoutScheme(value);
	if (start !== '' && !given.toLowerCase().startsWith(start.toLowerCase())) {
		if (!/^(?:[a-z][a-z\d+.-]*:\/|mailto:|tel:|\/\/|www\.)/i.test(value))
			return before.endsWith('/') ? value.replace(/^\//, '') : value;
		throw new UserError(
			`${subject} is another address (${value.replace(/[?#].*$/, '')}) than the button's, which begins with ${before}. Enter only what comes behind that, or choose a template whose button has this address.`,
		);
	}
	const end = given.slice(start.length);
	const isDoubled = after !== '' && end.endsWith(after);
	const filled = isDoubled ? end.slice(0, -after.length) : end;
	if (filled === '')
		throw new UserError(`${subject} is only the beginning of the button's address.`);
	return filled;
}

/** Writes what an address cannot have, such as a blank, as addresses have it. */
const inAddress = (text: string) => text.replace(/[^!-~]+/g, encodeURIComponent);

const withoutScheme = (address: string) => address.replace(SCHEME, '');
