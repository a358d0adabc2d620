import { number } from '../utils/number';

/** What a person is told when the records that came cannot be all. */
export function warningOf(came: number, missing: number | undefined): string {
	return missing === undefined
		? `The service gave ${number(came)} records on pages that do not fit together, also when asked again. Some may be missing.`
		: `The service counts ${number(came + missing)} records but gave only ${number(came)}, also when asked again: ${number(missing)} ${missing === 1 ? 'is' : 'are'} missing.`;
}
