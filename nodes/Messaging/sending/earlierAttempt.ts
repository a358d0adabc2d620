import { TimeSlice } from '../utils/concurrency';
import { parseFingerprint, type Fingerprint } from './fingerprint';
import type { Message } from './message';
import type { SendOptions } from './options';
import type { MemoryEntry, RunMemory } from './runMemory';

/**
 * How an earlier attempt sent this message: its entry in the run memory, or why it is uncertain whether it was sent.
 * `unclear`: a message was sent to this number that may be this one.
 * `alike`: a message was sent to a number that may be this one with or without its country code.
 * `renamed`: a message was sent to this number with another identifier of the user's own.
 */
export type EarlierMessage = MemoryEntry | 'unclear' | 'alike' | 'renamed';

/** A message of an earlier attempt; without an entry it was not sent. */
type Known = { fingerprint: Fingerprint; entry?: MemoryEntry; isSameList?: boolean };
type Candidate = { fingerprint: Fingerprint; position: number };
type Group = { candidates: Candidate[]; known: Known[] };

/** Which number of a message is compared with which number of an earlier one, the most certain pair first. */
const NUMBER_PAIRS: Array<[keyof Fingerprint, keyof Fingerprint]> = [
	['number', 'number'],
	// Only one of the two attempts added a country code. Numbers that differ after both added one are different people.
	['given', 'number'],
	['number', 'given'],
];

/**
 * Finds out which messages of a run an earlier attempt has sent, by position.
 *
 * Numbers are compared as they were sent and as they were given: before pressing *Retry*, a person may write them
 * differently or change *Phone Format*. Several messages to one number are distinguished by their content, not by their
 * order: one may have been removed. If a number has only one message, its content may change: it may contain the time.
 *
 * @param messages all of the run, also those that cannot or will not be sent
 */
export async function findEarlierMessages(
	memory: RunMemory,
	messages: Array<Pick<Message, 'position' | 'fingerprint'>>,
): Promise<Map<number, EarlierMessage>> {
	const found = new Map<number, EarlierMessage>();
	if (memory.isEmpty) return found;
	const slice = new TimeSlice();
	let known: Known[] = [];
	const sent = new Set<string>();
	for (const { entry, fingerprint, isSameList } of memory.all()) {
		if (slice.isOver) await slice.yieldIfOver();
		known.push({ fingerprint: parseFingerprint(fingerprint), entry, isSameList });
		sent.add(fingerprint);
	}
	for (const text of memory.several) {
		if (!sent.has(text)) known.push({ fingerprint: parseFingerprint(text) });
	}
	let candidates: Candidate[] = [];
	for (const { position, fingerprint } of messages) {
		if (slice.isOver) await slice.yieldIfOver();
		candidates.push({ fingerprint: parseFingerprint(fingerprint), position });
	}
	for (const [mine, theirs] of NUMBER_PAIRS) {
		const groups = new Map<string, Group>();
		for (const each of known) {
			if (slice.isOver) await slice.yieldIfOver();
			const number = each.fingerprint[theirs];
			const group = number && groups.get(number);
			if (group) group.known.push(each);
			else if (number) groups.set(number, { candidates: [], known: [each] });
		}
		for (const candidate of candidates) {
			if (slice.isOver) await slice.yieldIfOver();
			groups.get(candidate.fingerprint[mine]!)?.candidates.push(candidate);
		}
		const matched = new Set<Known | Candidate>();
		for (const group of groups.values()) {
			if (slice.isOver) await slice.yieldIfOver();
			if (group.candidates.length > 0) matchGroup(group, found, matched);
		}
		candidates = candidates.filter((candidate) => !matched.has(candidate));
		known = known.filter((each) => !matched.has(each));
		if (candidates.length === 0 || known.length === 0) return found;
	}
	/** For the last digits of numbers that were sent to: whether the node added the country code of all these numbers. */
	const byTail = new Map<string, boolean>();
	for (const { fingerprint, entry } of known) {
		const { tail, given } = fingerprint;
		if (entry) byTail.set(tail, !!given && byTail.get(tail) !== false);
	}
	for (const { fingerprint, position } of candidates) {
		const hadCodesAdded = byTail.get(fingerprint.tail);
		// It may be the same number, once with its country code and once without.
		if (hadCodesAdded !== undefined && !(fingerprint.given && hadCodesAdded)) {
			found.set(position, 'alike');
		}
	}
	return found;
}

/** Properties that show that two messages to one number are the same, the most certain first. */
const SIGNS: Array<(fingerprint: Fingerprint) => string | undefined> = [
	({ identifier, content, place }) => (identifier || place) && `${identifier} ${content} ${place}`,
	({ identifier }) => identifier,
	({ content }) => content,
	// The same place: the node and its list are unchanged, and only values of expressions, such as the time, can differ.
	({ place }) => place,
];

/** Whether the user's own identifiers show two messages: they differ, and the node or the list has changed. */
const haveOtherIdentifiers = (mine: Fingerprint, theirs: Fingerprint) =>
	!!mine.identifier &&
	!!theirs.identifier &&
	mine.identifier !== theirs.identifier &&
	mine.place !== theirs.place;

/** Matches the messages to one number with those of the earlier attempt, and adds them to `found` and `matched`. */
function matchGroup(
	group: Group,
	found: Map<number, EarlierMessage>,
	matched: Set<Known | Candidate>,
) {
	const pair = (candidate: Candidate, known: Known) => {
		matched.add(candidate).add(known);
		if (known.entry) found.set(candidate.position, known.entry);
	};
	const [candidate] = group.candidates;
	const [only] = group.known;
	// Both attempts have one message to the number. If the earlier attempt had several, its message has a `place`.
	const isOnly =
		group.candidates.length === 1 && group.known.length === 1 && !only.fingerprint.place;
	if (isOnly) {
		const { identifier } = candidate.fingerprint;
		const earlier = only.fingerprint.identifier;
		pair(candidate, only);
		const isRenamed = identifier && earlier && identifier !== earlier && !only.isSameList;
		if (isRenamed && only.entry) found.set(candidate.position, 'renamed');
		return;
	}
	for (const signOf of SIGNS) {
		const bySign = new Map<string, Known[]>();
		for (const each of group.known) {
			const sign = signOf(each.fingerprint);
			if (!sign || matched.has(each)) continue;
			if (bySign.has(sign)) bySign.get(sign)!.push(each);
			else bySign.set(sign, [each]);
		}
		for (const each of group.candidates) {
			if (matched.has(each)) continue;
			const same = bySign.get(signOf(each.fingerprint)!) ?? [];
			const index = same.findIndex(
				({ fingerprint }) => !haveOtherIdentifiers(each.fingerprint, fingerprint),
			);
			if (index >= 0) pair(each, same.splice(index, 1)[0]);
		}
	}
	const left = group.known.filter((each) => !matched.has(each));
	if (!left.some(({ entry }) => entry)) return;
	for (const each of left) matched.add(each);
	for (const each of group.candidates) {
		if (matched.has(each)) continue;
		matched.add(each);
		found.set(each.position, 'unclear');
	}
}

/**
 * Whether the result of an earlier attempt counts for a message, even if this attempt would skip or refuse it: a person may
 * have changed the node in between.
 */
export function isDecidedEarlier(
	memory: RunMemory,
	earlier: EarlierMessage | undefined,
	{ resendUnknown }: SendOptions,
): boolean {
	if (!earlier) return false;
	return isAccepted(memory, earlier) || !resendUnknown;
}

/** Whether an earlier attempt's request with this very message was accepted. */
export const isAccepted = (memory: RunMemory, earlier: EarlierMessage) =>
	typeof earlier !== 'string' && memory.fateOf(earlier).fate === 'accepted';
