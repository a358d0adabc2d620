import type { IExecuteFunctions } from 'n8n-workflow';
import { executionData, isInLoop } from '../n8n/execution';
import { deleteNotes, findNotes, writeNotes } from '../n8n/noteStore';
import { formatNumber, numberOf } from '../utils/text';
import { needsCode, triedAs } from './byHand';
import type { Checked } from './check';
import { newCode } from './code';
import { isFailed } from './results';
import { COMPARED, contentOf, NOTED, notesOf, saySentBefore } from './sentBefore';
import type { RunSetup } from './sendOperation';

/** What the rounds of a dry run have shown. Of several rounds the last one has the code, for all of them. */
type Offered = {
	count: number;
	/** How many of them are known to have been sent before, or perhaps. */
	sent: number;
	/** How many of them are known to be in an earlier round, too. */
	repeats: number;
	/** A round has more messages than are compared. */
	isPartly: boolean;
	/** Some rows would be refused. */
	isBad: boolean;
	/** What a send of the rounds would note: parts of notes. */
	contents: string[];
	/** Of the code: the next round deletes it. */
	note?: string;
};

/** What the rounds of the node have in common in an execution. */
type Own = { messagingOffered?: Offered };

/** What a dry run knows of its rows. */
type Rows = Pick<RunSetup, 'context'> & Checked & { continueOnFail: boolean };

const NOTHING: Offered = {
	count: 0,
	sent: 0,
	repeats: 0,
	isPartly: false,
	isBad: false,
	contents: [],
};

const NO_CODE =
	"There is no code to send them as long as some rows cannot be sent: correct these rows, or set Settings → 'On Error' to 'Continue'.";

const PARTLY = `Of more than ${formatNumber(COMPARED)} messages, only ${formatNumber(COMPARED)} are compared with those that were sent before. `;

/** Makes the code of a dry run by hand, if all its rows can be sent. @returns what the dry run says about it */
export async function offerCode(rows: Rows): Promise<string | undefined> {
	const { context } = rows;
	const tried = triedAs(context);
	if (tried === undefined || tried === 'evaluation') return undefined;
	const own: Own = executionData(context) ?? {};
	const earlier = own.messagingOffered;
	const offered = await withRows(rows, earlier ?? NOTHING);
	own.messagingOffered = offered;
	if (earlier?.note) await deleteNotes(context, [earlier.note]);
	const { count, sent, repeats, isPartly, isBad } = offered;
	const said = saySentBefore(offered) + sayRepeats(offered) + (isPartly ? PARTLY : '');
	if (count === 0 || !needsCode(context, count)) return said.trim();
	if (isBad) return said + NO_CODE;
	const { code, note } = newCode(count, { sent, saidRepeats: repeats > 0 });
	offered.note = note;
	await writeNotes(context, [note]);
	return said + howToUse(context, code, count, earlier !== undefined);
}

/** Adds a round's rows to what the rounds before it have shown. */
async function withRows(
	{ context, continueOnFail, results, toSend }: Rows,
	earlier: Offered,
): Promise<Offered> {
	const notes = (await notesOf(toSend)).map(({ note }) => note);
	const sent = (await findNotes(context, notes)).length;
	const inEarlier = new Set(earlier.contents);
	const repeats = notes.filter((note) => inEarlier.has(contentOf(note))).length;
	return {
		count: earlier.count + toSend.length,
		sent: earlier.sent + sent,
		repeats: earlier.repeats + repeats,
		isPartly: earlier.isPartly || toSend.length > COMPARED,
		isBad: earlier.isBad || (results.some(isFailed) && !continueOnFail),
		contents: [...inEarlier, ...notes.slice(0, NOTED).map(contentOf)],
	};
}

/** Says how many of these messages an earlier round of the dry run has, too; '' for none. */
const sayRepeats = ({ count, repeats }: Offered) =>
	repeats > 0
		? `At least ${formatNumber(repeats)} of these ${formatNumber(count)} messages repeat a message of an earlier round, to the same number. `
		: '';

function howToUse(context: IExecuteFunctions, code: string, count: number, isLaterRound: boolean) {
	const hasRounds = isLaterRound || isInLoop(context);
	const all = count === 1 ? 'the message' : `all ${numberOf(count, 'message')}`;
	const which = hasRounds ? `${all} of this execution` : 'them';
	const until = hasRounds ? ' If another round follows, only the code of the last one counts.' : '';
	return `To send ${which} from the editor: in '${context.getNode().name}', set 'Mode' to Send and enter the code ${code} (it works once).${until}`;
}
