import { hash } from 'crypto';
import { TimeSlice } from '../utils/concurrency';
import type { Memory, Place } from './memory';

/** What a message is known by when the run is repeated. */
export type Marks = {
	/** Hash of the number's digits as they are sent. */
	number: string;
	/** Hash of the digits as they were given, or would be dialled in the default country. */
	given?: string;
	/** Tag of the last digits, which are the same with and without a country code. */
	tail: string;
	/** Tag of the sender and the body; empty when it could not be composed. */
	says: string;
	/** Tag of the user's own identifier. */
	named?: string;
	/** Where its number has several messages: tag of its place among them, in this list, in this node. */
	place?: string;
};

export const numberHash = (digits: string) => hash('sha256', digits).slice(0, 20);

/** How many digits at the end of a number no country code reaches. */
const TAIL = 7;

export const tailTag = (digits: string) => tag(digits.slice(-TAIL));

/** A short checksum (FNV-1a) of text that is compared only among messages to one number. */
export function tag(text: string): string {
	let sum = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
	}
	return (sum >>> 0).toString(36);
}

/** As one text: it lies in the execution's data for every message. */
export const joinMarks = ({ number, tail, says, named, given, place }: Marks): string =>
	[number, tail, says, named, given, place].join(' ').trimEnd();

export function splitMarks(text: string): Marks {
	const [number, tail = '', says = '', named = '', given = '', place = ''] = text.split(' ');
	return { number, tail, says, named, given, place };
}

/**
 * Where an earlier try noted a message. `unclear` when it sent something to that number that may be this;
 * `alike` when it sent something to a number that may be the same one with or without its country code;
 * `renamed` when it sent something to that number under another identifier of the user's own.
 */
export type Earlier = Place | 'unclear' | 'alike' | 'renamed';

/** A message that an earlier try knew; without a place it was not sent. */
type Known = { marks: Marks; place?: Place; isSameList?: boolean };
type Entry = { marks: Marks; position: number };
type Group = { entries: Entry[]; known: Known[] };

/** By which mark a message may be the same as a known one, the surest pair first. */
const NUMBERS: Array<[keyof Marks, keyof Marks]> = [
	['number', 'number'],
	// The country code was added for this try only, or for the earlier one only. Where both added one and
	// the numbers differ, so do the people.
	['given', 'number'],
	['number', 'given'],
];

/**
 * Finds out which messages of a run an earlier try has sent, by position.
 *
 * A number leads to a message as it was sent, and as it was given: a person may write it another way, or
 * change *Phone Format*, before pressing *Retry*. Where a number has several messages, what they say tells
 * them apart, not their order: one may have been removed meanwhile. Of a number that has one message in both
 * tries, the text may change: it may hold the time of day.
 *
 * @param messages all of the run, also those that cannot or shall not be sent
 */
export async function findEarlier(
	memory: Memory,
	messages: Array<{ position: number; mark: string }>,
): Promise<Map<number, Earlier>> {
	const found = new Map<number, Earlier>();
	if (memory.isEmpty) return found;
	const slice = new TimeSlice();
	let known: Known[] = [];
	const sent = new Set<string>();
	for (const { key, request, place, isSameList } of memory.all()) {
		if (slice.isOver) await slice.yieldIfOver();
		known.push({ marks: splitMarks(key), place: { request, place }, isSameList });
		sent.add(key);
	}
	for (const key of memory.several) if (!sent.has(key)) known.push({ marks: splitMarks(key) });
	let entries: Entry[] = [];
	for (const { position, mark } of messages) {
		if (slice.isOver) await slice.yieldIfOver();
		entries.push({ marks: splitMarks(mark), position });
	}
	for (const [mine, theirs] of NUMBERS) {
		const groups = new Map<string, Group>();
		for (const each of known) {
			if (slice.isOver) await slice.yieldIfOver();
			const number = each.marks[theirs];
			const group = number && groups.get(number);
			if (group) group.known.push(each);
			else if (number) groups.set(number, { entries: [], known: [each] });
		}
		for (const entry of entries) {
			if (slice.isOver) await slice.yieldIfOver();
			groups.get(entry.marks[mine]!)?.entries.push(entry);
		}
		const settled = new Set<Known | Entry>();
		for (const group of groups.values()) {
			if (slice.isOver) await slice.yieldIfOver();
			if (group.entries.length > 0) settle(group, found, settled);
		}
		entries = entries.filter((entry) => !settled.has(entry));
		known = known.filter((each) => !settled.has(each));
		if (entries.length === 0 || known.length === 0) return found;
	}
	/** By the last digits of the numbers that were sent to: whether all of them got their country code here. */
	const byTail = new Map<string, boolean>();
	for (const { marks, place } of known) {
		if (place) byTail.set(marks.tail, !!marks.given && byTail.get(marks.tail) !== false);
	}
	for (const { marks, position } of entries) {
		const haveCodes = byTail.get(marks.tail);
		// Nobody can tell whether it is the same number, once with a country code and once without.
		if (haveCodes !== undefined && !(marks.given && haveCodes)) found.set(position, 'alike');
	}
	return found;
}

/** What says that two messages to a number are the same, the surest sign first. */
const SIGNS: Array<(marks: Marks) => string | undefined> = [
	({ named, says, place }) => (named || place) && `${named} ${says} ${place}`,
	({ named }) => named,
	({ says }) => says,
	// The same list in an unchanged node: only what an expression makes of the moment differs.
	({ place }) => place,
];

/** Two identifiers of the user's own are two messages, unless the node and the list are unchanged. */
const areNamedApart = (mine: Marks, theirs: Marks) =>
	!!mine.named && !!theirs.named && mine.named !== theirs.named && mine.place !== theirs.place;

function settle(group: Group, found: Map<number, Earlier>, settled: Set<Known | Entry>) {
	const pair = (entry: Entry, known: Known) => {
		settled.add(entry).add(known);
		if (known.place) found.set(entry.position, known.place);
	};
	const [entry] = group.entries;
	const [only] = group.known;
	// One message in both tries; of one that had others beside it, `place` says so.
	const isOnly = group.entries.length === 1 && group.known.length === 1 && !only.marks.place;
	if (isOnly) {
		const { named } = entry.marks;
		const isRenamed = named && only.marks.named && named !== only.marks.named && !only.isSameList;
		pair(entry, only);
		if (isRenamed && only.place) found.set(entry.position, 'renamed');
		return;
	}
	for (const signOf of SIGNS) {
		const bySign = new Map<string, Known[]>();
		for (const each of group.known) {
			const sign = signOf(each.marks);
			if (!sign || settled.has(each)) continue;
			if (bySign.has(sign)) bySign.get(sign)!.push(each);
			else bySign.set(sign, [each]);
		}
		for (const each of group.entries) {
			if (settled.has(each)) continue;
			const candidates = bySign.get(signOf(each.marks)!) ?? [];
			const index = candidates.findIndex(({ marks }) => !areNamedApart(each.marks, marks));
			if (index >= 0) pair(each, candidates.splice(index, 1)[0]);
		}
	}
	const left = group.known.filter((each) => !settled.has(each));
	if (!left.some(({ place }) => place)) return;
	for (const each of left) settled.add(each);
	for (const each of group.entries) {
		if (settled.has(each)) continue;
		settled.add(each);
		found.set(each.position, 'unclear');
	}
}
