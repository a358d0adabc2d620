import type { IExecuteFunctions } from 'n8n-workflow';
import { destinations, unknownRanges } from '../phone/phone';
import { formatNumber, numberOf } from '../utils/text';
import { badRows, countsIn, tallyOf, type Tally } from './tally';
import { needsCode } from './byHand';
import type { Plan } from './plan';

/* What stands above the output. */

/** Says what a dry run found. */
export async function dryRunHint(tally: Tally, requests: number): Promise<string> {
	const what = `${messagesIn(tally)} in ${numberOf(requests, 'request')}${skippedIn(tally)}`;
	const bad = badRowsIn(tally);
	return `Dry run: nothing was sent. ${what}${bad ? `; ${bad}` : '.'}${await whereTo(tally)}`;
}

/** Says what a test to this number has shown, and what comes next. */
export async function testHint<Payload>(plan: Plan<Payload>, to: string): Promise<string> {
	const { context, results, toSend, continueOnFail } = plan;
	const tally = await tallyOf(results);
	const bad = badRowsIn(tally);
	const mode = needsCode(context, toSend.length) ? 'Dry Run, which shows the code,' : 'Send';
	const next = `Set 'Mode' to ${mode} to send to everyone.${bad && ` ${bad}`}`;
	const then = bad && !continueOnFail ? `Send would be refused: ${bad}` : next;
	const where = await whereTo(tally, ' with Send');
	return `Only a test was sent: the first recipient's message, to ${to}. ${then}${where}`;
}

/** Says what became of a run, and what another execution would do; '' where there is nothing to say. */
export async function resultHint<Payload>(plan: Plan<Payload>, tally: Tally): Promise<string> {
	const { all, counts, failures } = tally;
	// What another execution would send: neither duplicates nor rows that cannot be sent.
	const again = plan.earlier.reduce(
		(sum, { messages }) => sum + messages.length,
		plan.toSend.length,
	);
	const said =
		failures.length > 0
			? `${numberOf(all, 'message')}: ${countsIn(counts)}. The failed items say why.`
			: await acceptedHint(plan, tally);
	if (!counts.accepted && !counts.unknown) return said;
	if (again === 0 || needsCode(plan.context, again)) return said;
	return `${said} Executing again sends ${again > 1 ? 'to all' : 'it'} again.`;
}

/** Says what was accepted, for example "3 messages accepted as one campaign", and how to see what was delivered. */
async function acceptedHint<Payload>(
	{ context, operation }: Plan<Payload>,
	tally: Tally,
): Promise<string> {
	if (tally.going.length === 0) return '';
	const { size } = tally.campaigns;
	const as = size === 1 ? 'one campaign' : numberOf(size, 'campaign');
	const asCampaigns = operation.summary ? ` as ${as}` : '';
	const next = operation.summary && !hasReport(context) ? ': add Campaign → Get Report' : '';
	return `${messagesIn(tally)} accepted${asCampaigns}${skippedIn(tally)}.${await countries(tally)} Accepted does not mean delivered yet${next}.`;
}

/** Whether the canvas has a report behind this node. */
function hasReport(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	const behind = context.getChildNodes(name, { includeNodeParameters: true });
	return behind.some(
		(node) => node.type === type && !node.disabled && node.parameters?.operation === 'getReport',
	);
}

/** Counts messages, for example "3 messages to 2 numbers". */
function messagesIn({ going, numbers }: Tally): string {
	const to = numbers < going.length ? ` to ${numberOf(numbers, 'number')}` : '';
	return numberOf(going.length, 'message') + to;
}

const skippedIn = ({ counts: { skipped = 0 } }: Tally) =>
	skipped > 0 ? `, ${numberOf(skipped, 'duplicate')} skipped` : '';

/** Names the rows that cannot be sent; '' for none. */
function badRowsIn(tally: Tally): string {
	const { failures, names, unnamed, unusual } = tally;
	if (failures.length === 0) return '';
	const ofThem = unusual > 0 ? `, ${formatNumber(unusual)} of them for unusual texts` : '';
	const more = unnamed > 0 ? [`and ${formatNumber(unnamed)} more`] : [];
	return `${badRows(tally)}${ofThem}: ${[...names.values()].flat().concat(more).join(', ')}.`;
}

/** Says where messages would go, and which numbers look wrong. */
async function whereTo(tally: Tally, when?: string): Promise<string> {
	const unknown = await unknownRanges(tally.going);
	return (await countries(tally, when)) + (unknown && ` ${unknown}`);
}

/** Counts countries, for example " Destinations: 24 to +49 Germany, 1 to +20 Egypt."; '' for nobody. */
const countries = async ({ going }: Tally, when = '') =>
	going.length > 0 ? ` Destinations${when}: ${await destinations(going)}.` : '';

/** Says in the service's own words what it answered, for whoever is interested. */
export const serviceSaid = (said: string) => `The service said: "${said}"`;

/** Says what the service counts beside "accepted". */
export const alsoSaid = (remark: string) =>
	`The service also said: ${remark}. Look into the logs ('Log → Get Many') to see who gets a message.`;

export const ANOTHER_CAMPAIGN =
	'This is another campaign, because each run of this node is one. To send one campaign with one report, remove Loop Over Items or join the branches: the node takes all items at once.';
