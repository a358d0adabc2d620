import { hash } from 'crypto';
import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { deleteNotes, findNotes, writeNotes } from '../n8n/noteStore';
import { now } from '../service/clock';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber, timesIn } from '../utils/text';
import type { Journal } from './journal';
import type { Message } from './message';
import { isFailed, mayHaveArrived, type Result } from './results';
import type { RunSetup } from './sendOperation';

/*
 * The guard against the same send again, in the editor: whoever builds the next nodes executes the one that sends again
 * without noticing, because n8n offers it beside them ("Execute node to refresh").
 *
 * It knows messages, not lists: of each run it notes a sample, so that a row more or less, or another order, changes little.
 * Notes can only be looked for, so the time of a run is written as a path: its day, then the hour of that day, and so on.
 */

/** Messages of a run that are noted: those whose numbers have the smallest hashes, so that similar lists have similar samples. */
const SAMPLE = 64;

/** Messages of a sample that also know when the run was, and how it ended. */
const WITNESSES = 8;

const DAY = 86_400_000;
/** How long a run is remembered, in days. */
const DAYS = 7;

type Ending = 'accepted' | 'inPart' | 'unknown';

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth);
/** What may follow the day in a path. Of several endings the last one counts: a further attempt may have sent the rest. */
const FURTHER: Array<Array<number | Ending>> = [
	upTo(24),
	upTo(60),
	upTo(60),
	['inPart', 'unknown', 'accepted'],
];

/** The path of a time in ms since 1970: day, hour, minute and second. */
const pathOf = (time: number) => [
	Math.floor(time / DAY),
	...[3_600_000, 60_000, 1000].map((unit, nth) => Math.floor(time / unit) % [24, 60, 60][nth]),
];

const noteOf = (message: string, path: Array<number | Ending>) =>
	hash('sha256', `${message} ${path.join(' ')}`);

/** Notes what has become of a run. */
export type SameSend = { end(results: readonly Result[]): Promise<void> };

type Path = Array<number | Ending>;

/** A run that had at least half of the messages. `share`: of the messages that were in it. */
type Earlier = { path: Path; share: number };

type Run = Pick<RunSetup, 'context' | 'options'> &
	Record<'messages' | 'toSend', readonly Message[]>;

/**
 * Notes what an execution by hand, or its Retry, is going to send to several recipients. While n8n's database fails, there is
 * no guard.
 *
 * @throws NodeOperationError when at least half of the messages were in a run of this node within the last seven days, unless
 * *Send Again* has the code for them
 */
export async function noteSend(run: Run, journal: Journal): Promise<SameSend | undefined> {
	const { context, messages, toSend, options } = run;
	// n8n keeps how the execution of a Retry began. Where it does not, every Retry is asked.
	const mode = context.getMode();
	const began = context.getExecutionContext?.()?.source ?? (mode === 'retry' ? 'manual' : mode);
	// An attempt that sends the rest is asked nothing: its messages were noted by the first one.
	const isRest = journal.hasSent;
	const all = isRest ? messages.filter(({ problem }) => problem === undefined) : toSend;
	if (began !== 'manual' || !context.getWorkflow().id || all.length < 2) return undefined;
	const sample = await sampleOf(all);
	const earlier = isRest ? undefined : await findEarlier(context, sample).catch(() => undefined);
	if (earlier && options.sendAgain.toUpperCase() !== codeOf(context, earlier)) {
		throw refusal(context, earlier, all.length);
	}
	const path = pathOf(now());
	const witnesses = sample.slice(0, WITNESSES);
	const notes = [
		...sample.map((message) => noteOf(message, path.slice(0, 1))),
		...witnesses.flatMap((message) => [2, 3, 4].map((end) => noteOf(message, path.slice(0, end)))),
	];
	await writeNotes(context, notes).catch(() => {});
	const end = async (results: readonly Result[]) => {
		const nobody = !isRest && !results.some(mayHaveArrived);
		const ended = witnesses.map((message) => noteOf(message, [...path, endingOf(results)]));
		await (nobody ? deleteNotes(context, notes) : writeNotes(context, ended)).catch(() => {});
	};
	return { end };
}

function endingOf(results: readonly Result[]): Ending {
	if (results.some(({ outcome }) => outcome === 'unknown')) return 'unknown';
	return results.some(isFailed) ? 'inPart' : 'accepted';
}

/** Returns what identifies the messages of the sample: sender, number and content. */
async function sampleOf(messages: readonly Message[]): Promise<string[]> {
	const smallest: Array<{ rank: string; message: Message }> = [];
	const sort = () => smallest.sort((a, b) => (a.rank < b.rank ? -1 : 1));
	let most = '~';
	await forEachInSlices(messages, (message) => {
		const rank = hash('sha256', message.digits);
		if (rank >= most) return;
		smallest.push({ rank, message });
		if (smallest.length < 2 * SAMPLE) return;
		sort().splice(SAMPLE);
		most = smallest[SAMPLE - 1].rank;
	});
	const sample = sort().slice(0, SAMPLE);
	return sample.map(({ message: { from, digits, body } }) => JSON.stringify([from, digits, body]));
}

/** Finds the latest run within the last days that had at least half of the messages. */
async function findEarlier(context: IExecuteFunctions, sample: string[]) {
	const [today] = pathOf(now());
	const days = upTo(DAYS + 1).map((ago) => today - ago);
	const notes = days.flatMap((day) => sample.map((message) => noteOf(message, [day])));
	const found = new Set(await findNotes(context, notes));
	for (const day of days) {
		const same = sample.filter((message) => found.has(noteOf(message, [day])));
		const share = shareOf(same, sample);
		if (share < 0.5) continue;
		const path = await findFurther(context, same.slice(0, WITNESSES), [day]);
		if (now() - timeOf(path) <= DAYS * DAY) return { path, share };
	}
	return undefined;
}

/** Of a long run only its smallest hashes are noted: when some are found, only those up to the last one are compared. */
function shareOf(same: string[], sample: string[]): number {
	const compared = sample.lastIndexOf(same[same.length - 1]) + 1;
	return Math.max(same.length / sample.length, same.length >= 4 ? same.length / compared : 0);
}

/** Finds how the path of the latest run of a day goes on. */
async function findFurther(context: IExecuteFunctions, witnesses: string[], day: Path) {
	let [path, messages] = [day, witnesses];
	for (const steps of FURTHER) {
		const asked = steps.flatMap((step) =>
			messages.map((message) => ({ message, step, note: noteOf(message, [...path, step]) })),
		);
		const found = new Set(
			await findNotes(
				context,
				asked.map(({ note }) => note),
			),
		);
		const last = asked.findLast(({ note }) => found.has(note));
		if (!last) break;
		[path, messages] = [[...path, last.step], [last.message]];
	}
	return path;
}

/** Returns the time of a path in ms since 1970. */
const timeOf = ([day, hour = 0, minute = 0, second = 0]: Path) =>
	Number(day) * DAY + Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000;

/** Without letters and digits that look alike. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Returns the code that lets these messages be sent once more: after that they are in a later run, which has another one. */
function codeOf(context: IExecuteFunctions, { path }: Earlier): string {
	const key = hash('sha256', [context.getWorkflow().id, context.getNode().id, ...path].join(' '));
	const bytes = [...Buffer.from(key.slice(0, 8), 'hex')];
	return bytes.map((byte) => SIGNS[byte % SIGNS.length]).join('');
}

const SEE_LOGS = "'Log → Get Many' shows who got one";

/** Says what became of a run. One without an ending was cut off, or still sends. */
const ENDED: Record<Ending | 'none', (all: string, when: string) => string> = {
	accepted: (all, when) => `${all} messages were accepted ${when}.`,
	inPart: (all, when) =>
		`${all} messages were sent in part ${when}: retry that execution, not this one.`,
	unknown: (all, when) => `${all} messages may have been sent ${when}: ${SEE_LOGS}.`,
	none: (all, when) =>
		`${all} messages may have been sent ${when}, in an execution that did not end: ${SEE_LOGS}.`,
};

/** Of a longer list, perhaps none of the messages is among those that say when it was, and how it ended. */
const SOME_DAY = 'messages were sent, or may have been, within the last seven days';

/** Returns an error that says which messages were sent when, and what to do. */
function refusal(context: IExecuteFunctions, earlier: Earlier, count: number) {
	const { path, share } = earlier;
	const [all, same] = [count, share * count].map((each) => formatNumber(Math.round(each)));
	const about = count > SAMPLE ? 'About ' : '';
	const which = share === 1 ? `These ${all}` : `${about}${same} of these ${all}`;
	const ending = (path[FURTHER.length] as Ending | undefined) ?? 'none';
	const message =
		path.length < 3
			? `${which} ${SOME_DAY}: ${SEE_LOGS}.`
			: ENDED[ending](which, whenOf(context, path));
	const enter = `enter ${codeOf(context, earlier)} in 'Options → Send Again'`;
	const again =
		share === 1
			? `To send these messages once more, ${enter}.`
			: `Take those out of the list, or ${enter} to send to all.`;
	const description = `To build the next nodes: load this page again, open this node, press 'set mock data', then 'Save'. Do not retry this execution. ${again}`;
	return new NodeOperationError(context.getNode(), message, { description });
}

/** Writes the time of a path for a person, such as "at 12:36"; of another day, with its date. */
function whenOf(context: IExecuteFunctions, path: Path): string {
	const [date, time] = timesIn(context.getTimezone())(timeOf(path)).split(', ');
	const [today] = timesIn(context.getTimezone())(now()).split(', ');
	return date === today ? `at ${time}` : `on ${date} at ${time}`;
}
