import { formatNumber } from '../utils/text';

/** What a person is told when the records that came cannot be all. */
export function warningOf(came: number, missing: number | undefined): string {
	return missing === undefined
		? `The service gave ${formatNumber(came)} records on pages that do not fit together, also when asked again. Some may be missing.`
		: `The service counts ${formatNumber(came + missing)} records but gave only ${formatNumber(came)}, also when asked again: ${formatNumber(missing)} ${missing === 1 ? 'is' : 'are'} missing.`;
}
