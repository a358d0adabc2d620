import { hash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sentenceOf } from '../n8n/errors';
import { now, pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';
import type { Journal } from './journal';

/*
 * The crash note: before a run sends, a note goes into n8n's database. n8n saves the journal when nodes end, but not when
 * its process is killed: a note that the journal does not know shows that an attempt crashed, and may have sent any of its
 * messages.
 *
 * The notes are stored by n8n's deduplication of items (*Remove Duplicates*), the only store that a node can write while it
 * runs. n8n documents it only for nodes of its own. A note is a hash of the token that n8n gives an execution and its
 * retries. If n8n stopped giving one, a crash would go unnoticed, and a Retry would be refused.
 */

/** The most notes that n8n keeps for a node; it drops the oldest ones. */
const KEPT = 1000;

/** A run that is sending writes its note again after this many newer notes of its process: other workers write notes, too. */
const RENEWED_AFTER = 200;

/** The same in ms, for a process that writes few notes while others write many. */
const RENEWED_EVERY = 15_000;

/** Time in ms in which two processes that retry the same execution at the same moment both write their notes. */
const BOTH_WROTE = 300;

/** Times in ms after which a note is written again: another process may have read all notes before it was there. */
const WRITTEN_AGAIN = [25, 250, 1000];

/** The first pause in ms before an overwritten note is read back again; each further one is about twice as long. */
const FIRST_PAUSE = 20;

/** A note that is still overwritten after pauses of this length, in ms: busy workers must not fail for a crash that does not come. */
const MOST_PAUSES = 3000;

/** The most tries to write a note while the database fails. */
const MOST_TRIES = 4;

const NEEDS_TOKEN =
	'This Retry needs n8n 2.14 or newer: an older one cannot show whether the earlier attempt was cut off while it was sending, so nothing was sent. Update n8n, or execute the workflow again with only those who got no message.';

const databaseFailed = (error: unknown) =>
	`n8n's database failed (${sentenceOf(error)}), so nothing was sent: if n8n were killed now, a Retry would send everything again. Try again when the database works.`;

/** An execution that is sending in this process; parallel calls by an agent share it. */
type Sending = {
	token: string;
	/** The execution's first run that sends in this process, and its attempt. */
	from: string;
	/** Ends when its first run knows whether an earlier attempt crashed. */
	first?: Promise<unknown>;
	/** It was looked up whether a crashed attempt wrote later notes. */
	isChecked: boolean;
	runs: number;
	/** How often its note was renewed. */
	renewed: number;
	/** How many notes this process had written, and the time, when the execution's note was written last. */
	written: number;
	at: number;
};

/** Notes of a run that has just begun, which are written again a little later. */
type Recent = { notes: string[]; at: number; times: number };

/** Notes that this process writes together. */
type Batch = { notes: string[]; found: Promise<Set<unknown>> };

type Store = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** What this process knows of a node's notes, while one of its runs is sending. */
type NodeNotes = {
	id: string;
	store: Store;
	/** n8n reads all notes of a node and writes them back without a lock, so a process writes them one at a time. */
	oneAtATime: Limiter;
	sending: Set<Sending>;
	recent: Recent[];
	next?: Batch;
};

const nodes = new Map<string, NodeNotes>();

/** How many new notes this process has written. */
let written = 0;

/** The key is the node's data in the execution. */
const executions = new WeakMap<object, Sending>();

/** The note of a run that sends. */
export type CrashNote = {
	/** Why nothing may be sent. */
	refusal?: string;
	/** To be called before each request: keeps the note among those that n8n has. */
	keep(): void;
	/** To be called when the run has stopped sending. */
	end(): void;
};

const NO_NOTE: CrashNote = { keep() {}, end() {} };

/**
 * Notes that a run begins to send. Afterwards the journal knows whether an attempt crashed.
 *
 * No note is written where there is no Retry (a tool called outside of an execution, a workflow that was never saved), and
 * none before n8n 2.14, which gives no token.
 */
export async function beginToSend(
	context: IExecuteFunctions,
	journal: Journal,
): Promise<CrashNote> {
	const { execution, token, isRetry, isNew } = journal;
	if (execution && !token && isRetry && isNew) return { ...NO_NOTE, refusal: NEEDS_TOKEN };
	if (!execution || !token || !context.getWorkflow().id) return NO_NOTE;
	const attempt = journal.beginAttempt();
	if (!executions.has(execution)) executions.set(execution, sendingOf(journal, token, attempt));
	const sending = executions.get(execution)!;
	// Parallel calls by an agent have no fixed order: only the first run has the note of a crashed first run.
	if (isRetry && sending.first) await sending.first;
	// Nothing is sent, and another note would only make n8n drop others.
	if (journal.wasCutOff) return NO_NOTE;
	const node = nodeOf(context);
	begin(node, sending);
	const end = () => finish(node, sending);
	// Only this process knows the random one: it shows whether another process has written the same note at the same moment.
	const own = noteOf(token, 'run', journal.run, attempt);
	const notes = isRetry ? [own, noteOf(token, randomBytes(8).toString('hex'))] : [own];
	const check = async () => {
		const isNoted =
			(await write(node, notes)).length > 0 || (isRetry && (await hasLaterNote(node, sending)));
		if (isRetry && !isNoted) await pause(BOTH_WROTE);
		if (isNoted || (await isTaken(context, node, notes))) journal.noteCutOff();
		else writeLater(node, notes);
	};
	try {
		const checking = check();
		sending.first ??= checking.catch(() => {});
		await checking;
	} catch (error) {
		end();
		return { ...NO_NOTE, refusal: databaseFailed(error) };
	}
	if (!journal.wasCutOff) return { keep: () => keep(node, sending), end };
	end();
	return NO_NOTE;
}

const noteOf = (token: string, ...parts: unknown[]) => hash('sha256', [token, ...parts].join(' '));

const sendingOf = ({ run }: Journal, token: string, attempt: number): Sending => ({
	token,
	from: `${run} ${attempt}`,
	isChecked: false,
	runs: 0,
	renewed: 0,
	written,
	at: now(),
});

function nodeOf(context: IExecuteFunctions): NodeNotes {
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	const known = nodes.get(id);
	if (known) return known;
	const { helpers: store } = context;
	const node = { id, store, oneAtATime: new Limiter(1), sending: new Set<Sending>(), recent: [] };
	nodes.set(id, node);
	return node;
}

function begin(node: NodeNotes, sending: Sending) {
	sending.runs++;
	node.sending.add(sending);
}

function finish(node: NodeNotes, sending: Sending) {
	if (--sending.runs === 0) node.sending.delete(sending);
	forgetIfIdle(node);
}

function forgetIfIdle(node: NodeNotes) {
	if (node.sending.size === 0 && node.recent.length === 0) nodes.delete(node.id);
}

/**
 * Reads the notes back, until the database has them: another process that had read all notes before these were written
 * writes them back without them.
 *
 * @param notes the run's own one first
 * @returns whether another Retry has written the run's note
 */
async function isTaken(
	context: IExecuteFunctions,
	node: NodeNotes,
	notes: string[],
): Promise<boolean> {
	let length = FIRST_PAUSE;
	for (let waited = 0; ; length *= 2) {
		// What is missing is written again.
		const kept = await write(node, notes);
		if (kept.length === notes.length) return false;
		if (kept.includes(notes[0])) return true;
		if (waited >= MOST_PAUSES) break;
		const wait = length * (0.5 + Math.random());
		await pause(wait);
		waited += wait;
	}
	context.logger.warn(
		`Other processes overwrite the note that '${context.getNode().name}' begins to send. It sends all the same. If n8n is killed before this execution ends, its Retry may send messages again.`,
	);
	return false;
}

/** The names of the notes that an execution writes again and again, in turns, so that n8n has one of them at any time. */
const renewedNote = ({ token, from }: Sending, nth: number) =>
	noteOf(token, 'renewed', from, nth % 2);

const isOld = (sending: Sending) =>
	written - sending.written >= RENEWED_AFTER || now() - sending.at >= RENEWED_EVERY;

/** Writes a run's note again if it is old. */
function keep(node: NodeNotes, sending: Sending) {
	if (isOld(sending)) void write(node, []).catch(() => {});
}

/** Writes notes, together with those of all runs that wait. @returns those that n8n, or another run, had already */
async function write(node: NodeNotes, notes: string[]): Promise<string[]> {
	const batch = (node.next ??= nextBatch(node));
	const twice = notes.filter((note) => batch.notes.includes(note));
	batch.notes.push(...notes);
	const found = await batch.found;
	return notes.filter((note) => twice.includes(note) || found.has(note));
}

function nextBatch(node: NodeNotes): Batch {
	const notes: string[] = [];
	const found = node.oneAtATime.run(async () => {
		// The caller adds its notes first.
		await Promise.resolve();
		node.next = undefined;
		const renewed: string[] = [];
		for (const each of node.sending) {
			if (!isOld(each)) continue;
			renewed.push(renewedNote(each, each.renewed++));
			Object.assign(each, { written, at: now() });
		}
		// A note that n8n has already would keep its old place.
		if (renewed.length > 0) await remove(node, renewed);
		const all = [...new Set([...notes, ...renewed])];
		const known = await record(node, all, KEPT);
		written += all.length - known.length;
		if (renewed.length > 0) writeLater(node, renewed);
		return new Set(known);
	});
	return { notes, found };
}

/** Looks for notes that a crashed execution wrote later. n8n shows whether it has a note only when it writes it. */
const hasLaterNote = async (node: NodeNotes, sending: Sending): Promise<boolean> =>
	await node.oneAtATime.run(async () => {
		if (sending.isChecked) return false;
		const later = [renewedNote(sending, 0), renewedNote(sending, 1)];
		const found = await record(node, later, KEPT + later.length);
		await remove(
			node,
			later.filter((note) => !found.includes(note)),
		);
		sending.isChecked = true;
		return found.length > 0;
	});

const remove = async ({ store }: NodeNotes, notes: string[]) =>
	await store.removeProcessed(notes, 'node', { mode: 'entries', maxEntries: KEPT });

/** @returns the notes that n8n had already */
async function record({ store }: NodeNotes, notes: string[], maxEntries: number) {
	const check = async () =>
		(await store.checkProcessedAndRecord(notes, 'node', { mode: 'entries', maxEntries })).processed;
	// The database may be busy, or another process may have written the first note of the node at the same moment.
	for (let tries = 1; tries < MOST_TRIES; tries++) {
		const found = await check().catch(() => undefined);
		if (found) return found;
		await pause(50 * tries * (0.5 + Math.random()));
	}
	return await check();
}

/** Writes a run's notes again a little later, together with those of the node's other runs. */
function writeLater(node: NodeNotes, notes: string[]) {
	node.recent.push({ notes, at: now(), times: 0 });
	if (node.recent.length === 1) void writeRecent(node);
}

async function writeRecent(node: NodeNotes) {
	while (node.recent.length > 0) {
		await pause(WRITTEN_AGAIN[0]);
		const due = node.recent.filter(({ at, times }) => now() - at >= WRITTEN_AGAIN[times]);
		for (const each of due) each.times++;
		node.recent = node.recent.filter(({ times }) => times < WRITTEN_AGAIN.length);
		// If it fails: n8n had the notes when sending began.
		if (due.length > 0) {
			await write(
				node,
				due.flatMap(({ notes }) => notes),
			).catch(() => {});
		}
	}
	forgetIfIdle(node);
}
