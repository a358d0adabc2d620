import { IF_MEANT } from '../fields/sendingOptions';
import { destinations, unknownRanges } from '../phone/phone';
import { formatNumber, numberOf } from '../utils/text';
import type { Message } from './message';
import type { Plan } from './plan';
import { isFailed, nameOf, type Result } from './results';
import type { SendOperation } from './sendOperation';

/* What stands above the output. */

/** Counts messages, for example "3 messages to only 2 numbers". */
function recipientsIn(messages: readonly Message[]): string {
	// Only those who occur twice: a Set of 100,000 numbers takes long.
	const twins = messages.filter(({ isTwin }) => isTwin);
	const numbers = messages.length - twins.length + new Set(twins.map(({ digits }) => digits)).size;
	const only = numbers < messages.length ? ` to only ${numberOf(numbers, 'number')}` : '';
	return numberOf(messages.length, 'message') + only;
}

/** Counts countries, for example " Destinations: 24 to +44 United Kingdom, 1 to +20 Egypt."; '' for nobody. */
const countries = (messages: readonly Message[]) =>
	messages.length > 0
		? ` Destinations: ${destinations(messages.map(({ digits }) => digits))}.`
		: '';

/** Says where messages would go, and which numbers look wrong. */
export async function whereTo(messages: readonly Message[]): Promise<string> {
	const unknown = await unknownRanges(messages);
	return countries(messages) + (unknown && ` ${unknown}`);
}

/** Says what the service said beside "accepted". */
export const alsoSaid = (remark: string) =>
	`The service also said: ${remark}. Look into the logs ('Log → Get Many') to see who gets a message.`;

/** The most rows that a hint names. */
const MOST_NAMED = 3;

/** Says what a dry run found. It names bad rows: n8n's table shows 'error' far to the right when the first row has none. */
export async function dryRunHint(
	{ messages, toSend, leftOut }: Pick<Plan, 'messages' | 'toSend' | 'leftOut'>,
	requests: number,
): Promise<string> {
	const bad = leftOut.filter(isFailed);
	const named = bad.slice(0, MOST_NAMED).map(({ message }) => nameOf(message));
	const names = `${named.join(', ')}${bad.length > MOST_NAMED ? ', …' : '.'}`;
	const unusual = bad.filter(({ why }) => why.message.includes(IF_MEANT)).length;
	const ofThem = unusual > 0 ? `, ${formatNumber(unusual)} of them for unusual texts` : '';
	const what = `${recipientsIn(toSend)} in ${numberOf(requests, 'request')}`;
	const rows = `${formatNumber(bad.length)} of ${numberOf(messages.length, 'row')} cannot be sent${ofThem}`;
	const problems = bad.length > 0 ? `; ${rows}: ${names}` : '.';
	return `Dry run: nothing was sent. ${what}${problems}${await whereTo(toSend)}`;
}

/** Says what was accepted, for example "3 messages accepted as one campaign", and how to see what was delivered. */
export function acceptedHint<Payload>(
	operation: SendOperation<Payload>,
	results: readonly Result[],
): string {
	const messages: Message[] = [];
	const campaigns = new Set<unknown>();
	for (const result of results) {
		if (result.outcome !== 'accepted') continue;
		messages.push(result.message);
		campaigns.add(result.receipt.campaign_id);
	}
	if (messages.length === 0) return '';
	const left = results.length - messages.length;
	const skipped = left > 0 ? `, ${numberOf(left, 'duplicate')} skipped` : '';
	const as = campaigns.size === 1 ? 'one campaign' : numberOf(campaigns.size, 'campaign');
	const [asCampaigns, next] = operation.summary
		? [` as ${as}`, ': add Campaign → Get Report']
		: ['', ''];
	return `${recipientsIn(messages)} accepted${asCampaigns}${skipped}.${countries(messages)} Accepted is not yet delivered${next}.`;
}

export const ANOTHER_CAMPAIGN =
	'This is another campaign: each run of this node is one. For one campaign and one report remove Loop Over Items, or join the branches: the node takes all items at once.';
