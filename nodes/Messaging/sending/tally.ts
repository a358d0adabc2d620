import { IF_MEANT } from '../fields/sendingOptions';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber, numberOf } from '../utils/text';
import type { Message } from './message';
import {
	haveSameReason,
	isFailed,
	nameOf,
	OUTCOMES,
	reasonOf,
	type Failed,
	type Outcome,
	type Result,
} from './results';

/*
 * What became of everybody, counted once. The errors (errors.ts) and what stands above the output (hints.ts) are written from it.
 */

/** The most recipients that a sentence names; the others are counted. */
const MOST_RECIPIENTS_NAMED = 20;

export type Tally = Awaited<ReturnType<typeof tallyOf>>;

type Counts = { [outcome in Outcome]?: number };

/** Counts results, and names those who failed. */
export async function tallyOf(results: readonly Result[], signal?: AbortSignal) {
	const counts: Counts = {};
	/** The messages that were accepted, or are ready to leave. */
	const going: Message[] = [];
	/** To how many numbers these go. */
	let numbers = 0;
	/** The ids of the campaigns that were accepted. */
	const campaigns = new Set<unknown>();
	const causes: Failed[] = [];
	/** Whom another failure or a person stopped: they are counted, but not named beside a cause. */
	const stopped: Failed[] = [];
	const count = (result: Result) => {
		counts[result.outcome] = (counts[result.outcome] ?? 0) + 1;
		if (isFailed(result)) {
			const { cause } = result.why;
			(cause === 'stopped' || cause === 'cancelled' ? stopped : causes).push(result);
		} else if (result.outcome === 'accepted' || result.outcome === 'ready') {
			going.push(result.message);
			if (result.message.twin === undefined) numbers++;
		}
		if (result.outcome === 'accepted') campaigns.add(result.receipt.campaign_id);
	};
	await forEachInSlices(results, count, signal);
	const all = results.length;
	const counted = { results, all, counts, going, numbers, campaigns };
	return causes.length > 0
		? { ...counted, ...whoFailed(causes, all), stopped: stopped.length }
		: { ...counted, ...whoFailed(stopped, all), stopped: 0 };
}

/** Names those who failed, by reason. */
function whoFailed(failures: Failed[], all: number) {
	const [first] = failures;
	const hasOneReason = failures.length > 1 && failures.every((each) => haveSameReason(each, first));
	const names = new Map<string, string[]>();
	for (const each of failures.slice(0, MOST_RECIPIENTS_NAMED)) {
		const reason = reasonOf(each);
		names.set(reason, [...(names.get(reason) ?? []), nameOf(each.message)]);
	}
	return {
		failures,
		/** Several failed, and all of these for one reason. */
		hasOneReason,
		/** All recipients failed for one reason. */
		isOfAll: hasOneReason && failures.length === all,
		/** The names of the first failures, by reason. */
		names,
		unnamed: Math.max(0, failures.length - MOST_RECIPIENTS_NAMED),
		/** How many failed because of texts that may be meant. */
		unusual: failures.filter(({ why }) => why.message.includes(IF_MEANT)).length,
	};
}

/** Writes counts, for example "3 accepted, 1 may have been sent": "0 accepted" would be wrong of messages that may have been sent. */
export function countsIn(counts: Counts): string {
	const sums = new Map<string, number>();
	for (const [outcome, { counted = '' }] of Object.entries(OUTCOMES))
		sums.set(counted, (sums.get(counted) ?? 0) + (counts[outcome as Outcome] ?? 0));
	return [...sums]
		.flatMap(([words, count]) => (words && count > 0 ? `${formatNumber(count)} ${words}` : []))
		.join(', ');
}

/** Counts the rows that cannot be sent, for example "2 of 6 rows cannot be sent"; '' for none. */
export const badRows = ({ failures, all }: Tally) =>
	failures.length > 0
		? `${formatNumber(failures.length)} of ${numberOf(all, 'row')} cannot be sent`
		: '';
