import type { LogRecord } from '../service/types';
import { formatNumber, numberOf } from '../utils/text';
import { FAILED_STATUS, isFinalStatus, reasonOf, statusOf, timeOf } from './record';

/** The most statuses that the text of a summary names; the others share one count. */
const MOST_STATUSES = 8;
/** The most reasons that the text names for each status. */
const MOST_REASONS = 3;

/** What is known of a campaign besides its records. */
type Extra = {
	/** Records are missing. */
	incomplete?: true;
	/** Says in sentences what is missing or was left out, or that there are no records. */
	warning?: string;
	/** Recipients of the input that are not in the logs. */
	missing?: number;
	/** Whether the campaign was complete when *Wait for Completion* ended. */
	complete?: boolean;
	/** It was a test: its one recipient is not the campaign's. */
	test?: true;
};

type Written = (time: number) => string;

/** Counts what happened to the messages of a campaign, record by record. Of each record it keeps only the times. */
export class Summary {
	private readonly statuses = new Tally();

	private readonly reasons = new Tally();

	/** The reasons of each status. */
	private readonly reasonsOf = new Map<string, Tally>();

	/** Times from creation to delivery, in ms. */
	private readonly durations: number[] = [];

	private units = 0;

	private delivered = 0;

	pending = 0;

	/** Time of the first record, in ms since 1970. */
	private firstCreatedAt = Infinity;

	private lastDeliveredAt = -Infinity;

	/** When the campaign was sent, in ms since 1970, if the logs say so. */
	get sentAt(): number | undefined {
		return Number.isFinite(this.firstCreatedAt) ? this.firstCreatedAt : undefined;
	}

	add(record: LogRecord) {
		const status = statusOf(record);
		this.statuses.add(status);
		const reason = reasonOf(record);
		if (reason !== '') this.addReason(status, reason);
		this.units += Number(record.units) || 0;
		const created = timeOf(record.createdAt);
		if (created !== undefined) this.firstCreatedAt = Math.min(this.firstCreatedAt, created);
		const delivered = timeOf(record.delivered_time);
		if (delivered === undefined) {
			// Only text is documented: a code or an object may also say why a message waits.
			const isText = reason !== '' && typeof record.reason === 'string';
			if (!isText && !isFinalStatus(status)) this.pending++;
			return;
		}
		this.delivered++;
		this.lastDeliveredAt = Math.max(this.lastDeliveredAt, delivered);
		// The two times may come from different clocks: a delivery before its creation counts as 0 ms.
		if (created !== undefined) this.durations.push(Math.max(0, delivered - created));
	}

	private addReason(status: string, reason: string) {
		this.reasons.add(reason);
		const ofStatus = this.reasonsOf.get(status) ?? new Tally();
		this.reasonsOf.set(status, ofStatus);
		ofStatus.add(reason);
	}

	/**
	 * Returns the sums as the fields of a report. `statuses` have the service's own names, and `shares` are from 0 to 1.
	 * Times are in ISO 8601, and `medianDeliverySeconds` is from creation to delivery. `pending` counts the records without
	 * a delivery time, a reason or a final status. `reasons` are most frequent first. `text` says the counts in a sentence.
	 *
	 * @param recipients how many recipients the campaign has, in the logs or not
	 * @param written writes a time (ms since 1970) for a person
	 */
	result(campaignId: string, recipients: number, extra: Extra, written: Written) {
		const { total } = this.statuses;
		const statuses = this.statuses.mostFrequentFirst;
		return {
			campaign_id: campaignId,
			text: this.text(recipients, extra, written),
			...(extra.complete !== undefined && { complete: extra.complete }),
			recipients,
			statuses: Object.fromEntries(statuses),
			shares: Object.fromEntries(
				statuses.map(([status, count]) => [status, shareOf(count, total)]),
			),
			units: toMillionths(this.units),
			firstCreatedAt: isoOf(this.firstCreatedAt),
			lastDeliveredAt: isoOf(this.lastDeliveredAt),
			medianDeliverySeconds: medianSeconds(this.durations),
			withoutDeliveredTime: total - this.delivered,
			pending: this.pending,
			reasons: this.reasons.mostFrequentFirst.map(([reason, count]) => ({ reason, count })),
			...extra,
		};
	}

	/** Returns the summary as text for a person, including every reason to doubt its numbers. */
	private text(
		recipients: number,
		{ test, missing = 0, complete, warning }: Extra,
		written: Written,
	): string {
		const parts = topOf(this.statuses, MOST_STATUSES, 'in other statuses', (status) =>
			this.reasonsIn(status),
		);
		if (missing > 0) parts.push(`${formatNumber(missing)} not in the logs`);
		const verb = test ? 'Test sent' : 'Sent';
		const to = numberOf(recipients, 'recipient');
		const all = this.sentAt === undefined ? to : `${verb} on ${written(this.sentAt)}, to ${to}`;
		const counts = parts.length > 0 ? `${all}: ${parts.join(', ')}` : all;
		const remarks = complete === false ? ['Not complete: the time was up.'] : [];
		if (warning) remarks.push(warning);
		return remarks.length > 0 ? `${counts}. ${remarks.join(' ')}` : counts;
	}

	/** Returns why the messages of a status failed, in brackets; '' when nothing is known. */
	private reasonsIn(status: string): string {
		const reasons = this.reasonsOf.get(status);
		if (!reasons || !FAILED_STATUS.test(status)) return '';
		const [[only, count]] = reasons.mostFrequentFirst;
		if (count === this.statuses.of(status)) return ` (${only})`;
		return ` (${topOf(reasons, MOST_REASONS, 'for other reasons').join(', ')})`;
	}
}

/**
 * Writes the most frequent texts with their counts, for example "3 delivered", and the count of all others.
 *
 * @param more what follows a text
 */
function topOf(tally: Tally, most: number, others: string, more?: (text: string) => string) {
	const all = tally.mostFrequentFirst;
	const top = all
		.slice(0, most)
		.map(([text, count]) => `${formatNumber(count)} ${text}${more?.(text) ?? ''}`);
	const rest = all.slice(most).reduce((sum, [, count]) => sum + count, 0);
	return rest > 0 ? [...top, `${formatNumber(rest)} ${others}`] : top;
}

/** Counts how often each text occurs. */
class Tally {
	private readonly counts = new Map<string, number>();

	total = 0;

	add(text: string) {
		this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
		this.total++;
	}

	of(text: string) {
		return this.counts.get(text) ?? 0;
	}

	/** Texts that occur equally often keep the order of their first occurrence. */
	get mostFrequentFirst(): Array<[string, number]> {
		return [...this.counts].sort(([, a], [, b]) => b - a);
	}
}

/** Rounds away the error of adding decimal fractions. */
const toMillionths = (units: number) => Math.round(units * 1e6) / 1e6;

/** Returns the share of a count above 0, with four decimals: 1 only for all records, otherwise from 0.0001 to 0.9999. */
function shareOf(count: number, total: number): number {
	if (count === total) return 1;
	return Math.min(0.9999, Math.max(0.0001, Math.round((count / total) * 10_000) / 10_000));
}

const isoOf = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null);

/**
 * Returns the median in seconds with one decimal; null for an empty list.
 *
 * @param durations in ms
 */
function medianSeconds(durations: number[]): number | null {
	if (durations.length === 0) return null;
	const sorted = new Float64Array(durations).sort();
	const middle = sorted.length >> 1;
	const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return Math.round(median / 100) / 10;
}
