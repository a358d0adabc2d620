import type { IExecuteFunctions } from 'n8n-workflow';
import { IF_MEANT } from '../fields/sendingOptions';
import { destinations, unknownRanges } from '../phone/phone';
import { formatNumber, numberOf } from '../utils/text';
import type { Message } from './message';
import type { Plan } from './plan';
import { isFailed, nameOf, type Result } from './results';

/* What stands above the output. */

/** Counts messages, for example "3 messages to only 2 numbers". */
function recipientsIn(messages: readonly Message[], duplicates: Plan['duplicates']): string {
	const numbers = messages.filter(({ item }) => !duplicates.has(item)).length;
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

/** Names the first rows, for example "item 5, item 6 (ask her husband), …". */
const named = (names: string[]) =>
	names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ', …' : '.');

/** Counts and names the rows that cannot be sent, for example "2 of 6 rows cannot be sent: item 5, item 6."; '' for none. */
export function badRows({ messages, leftOut }: Pick<Plan, 'messages' | 'leftOut'>): string {
	const bad = leftOut.filter(isFailed);
	if (bad.length === 0) return '';
	const rows = `${formatNumber(bad.length)} of ${numberOf(messages.length, 'row')}`;
	const unusual = bad.filter(({ why }) => why.message.includes(IF_MEANT)).length;
	const ofThem = unusual > 0 ? `, ${formatNumber(unusual)} of them for unusual texts` : '';
	return `${rows} cannot be sent${ofThem}: ${named(bad.map(({ message }) => nameOf(message)))}`;
}

/** Says what a dry run found. */
export async function dryRunHint(
	plan: Pick<Plan, 'messages' | 'toSend' | 'leftOut' | 'duplicates'>,
	requests: number,
): Promise<string> {
	const { toSend, duplicates } = plan;
	const what = `${recipientsIn(toSend, duplicates)} in ${numberOf(requests, 'request')}`;
	const bad = badRows(plan);
	const twice = [...duplicates].map(
		([item, first]) => `item ${item + 1} is also item ${first + 1}`,
	);
	const twins = twice.length > 0 ? ` Twice in the list: ${named(twice)}` : '';
	return `Dry run: nothing was sent. ${what}${bad ? `; ${bad}` : '.'}${twins}${await whereTo(toSend)}`;
}

/** Whether the canvas has a report behind this node. */
function hasReport(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	const behind = context.getChildNodes(name, { includeNodeParameters: true });
	return behind.some(
		(node) => node.type === type && !node.disabled && node.parameters?.operation === 'getReport',
	);
}

/** Says what was accepted, for example "3 messages accepted as one campaign", and how to see what was delivered. */
export function acceptedHint<Payload>(
	{ context, operation, duplicates }: Pick<Plan<Payload>, 'context' | 'operation' | 'duplicates'>,
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
	const asCampaigns = operation.summary ? ` as ${as}` : '';
	const next = operation.summary && !hasReport(context) ? ': add Campaign → Get Report' : '';
	return `${recipientsIn(messages, duplicates)} accepted${asCampaigns}${skipped}.${countries(messages)} Accepted does not mean delivered yet${next}.`;
}

export const ANOTHER_CAMPAIGN =
	'This is another campaign, because each run of this node is one. To send one campaign with one report, remove Loop Over Items or join the branches: the node takes all items at once.';
