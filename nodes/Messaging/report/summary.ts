import { loggedReason, loggedStatus, loggedTime } from '../logs/record';
import { meaningOf, statusKey, type Meaning } from '../service/status';
import type { LogRecord } from '../service/types';
import { formatNumber, numberOf } from '../utils/text';

/** The most statuses that the text of a summary names; the others share one count. */
const MOST_STATUSES = 8;
/** The most reasons that the text names for each status. */
const MOST_REASONS = 3;

/** The documented status. Messages that were read count in it. */
const DELIVERED_STATUS = 'delivered';

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

type TimeText = (time: number) => string;

/** How often each text occurs. */
type TextCounts = Map<string, number>;

/** The messages with one status, however it is spelt. */
type Status = { name: string; count: number; meaning?: Meaning; reasons: TextCounts };

/** Counts what happened to the messages of a campaign, record by record. Of each record it keeps only the times. */
export class Summary {
	private readonly statuses = new Map<string, Status>();

	private readonly bySpelling = new Map<string, Status>();

	private total = 0;

	private readonly reasons: TextCounts = new Map();

	/** Times from creation to delivery, in ms. */
	private readonly durations: number[] = [];

	private units = 0;

	private withoutDeliveredTime = 0;

	pending = 0;

	/** Time of the first record, in ms since 1970. */
	private firstCreatedAt = Infinity;

	private lastDeliveredAt = -Infinity;

	/** When the campaign was sent, in ms since 1970, if the logs say so. */
	get sentAt(): number | undefined {
		return Number.isFinite(this.firstCreatedAt) ? this.firstCreatedAt : undefined;
	}

	add(record: LogRecord) {
		const status = this.statusNamed(loggedStatus(record));
		status.count++;
		// A message that was read has been delivered, too.
		if (status.meaning === 'read') this.statusNamed(DELIVERED_STATUS).count++;
		this.total++;
		const reason = loggedReason(record);
		if (reason !== '') {
			// The reason of a message that arrived only describes the delivery.
			if (!hasArrived(status)) countOne(this.reasons, reason);
			countOne(status.reasons, reason);
		}
		this.units += Number(record.units) || 0;
		const created = loggedTime(record.createdAt);
		if (created !== undefined) this.firstCreatedAt = Math.min(this.firstCreatedAt, created);
		// At a message that failed, it is the time of the failure.
		const delivered = status.meaning === 'failed' ? undefined : loggedTime(record.delivered_time);
		if (delivered === undefined) {
			this.withoutDeliveredTime++;
			// A reason does not end it: services also describe progress, for example "Message sent to next instance".
			if (!status.meaning) this.pending++;
			return;
		}
		this.lastDeliveredAt = Math.max(this.lastDeliveredAt, delivered);
		// The two times may come from different clocks: a delivery before its creation counts as 0 ms.
		if (created !== undefined) this.durations.push(Math.max(0, delivered - created));
	}

	private statusNamed(name: string): Status {
		const known = this.bySpelling.get(name);
		if (known) return known;
		const key = statusKey(name);
		const meaning = meaningOf(name);
		const status = this.statuses.get(key) ?? { name, count: 0, meaning, reasons: new Map() };
		// Of several spellings the one in small letters is shown, whatever the order of the records.
		if (name > status.name) status.name = name;
		this.statuses.set(key, status);
		this.bySpelling.set(name, status);
		return status;
	}

	/**
	 * Returns the sums as the fields of a report. `statuses` have the service's own names, but `delivered` includes all that were
	 * read, here and in the field of that name. `failed` counts the messages that ended without a delivery. `shares` are
	 * from 0 to 1, times in ISO 8601, and `medianDeliverySeconds` is from creation to delivery. `pending` counts the
	 * records without a delivery time or a final status. `reasons` are those of messages that have not arrived, most frequent first.
	 *
	 * @param recipients how many recipients the campaign has, in the logs or not
	 * @param written writes a time (ms since 1970) for a person
	 */
	result(campaignId: string, recipients: number, extra: Extra, written: TimeText) {
		const statuses = [...this.statuses.values()].sort((a, b) => b.count - a.count);
		const sumOf = (wanted: Meaning) =>
			statuses.reduce((sum, { meaning, count }) => sum + (meaning === wanted ? count : 0), 0);
		const read = sumOf('read');
		return {
			campaign_id: campaignId,
			text: this.text(statuses, read, recipients, extra, written),
			...(extra.complete !== undefined && { complete: extra.complete }),
			recipients,
			delivered: sumOf('delivered'),
			read,
			failed: sumOf('failed'),
			statuses: Object.fromEntries(statuses.map(({ name, count }) => [name, count])),
			shares: Object.fromEntries(
				statuses.map(({ name, count }) => [name, shareOf(count, this.total)]),
			),
			units: toMillionths(this.units),
			firstCreatedAt: isoOf(this.firstCreatedAt),
			lastDeliveredAt: isoOf(this.lastDeliveredAt),
			medianDeliverySeconds: medianSeconds(this.durations),
			withoutDeliveredTime: this.withoutDeliveredTime,
			pending: this.pending,
			reasons: mostFrequentFirst(this.reasons).map(([reason, count]) => ({ reason, count })),
			...extra,
		};
	}

	/** Returns the summary as text for a person, including every reason to doubt its numbers. */
	private text(
		statuses: Status[],
		read: number,
		recipients: number,
		{ test, missing = 0, complete, warning }: Extra,
		written: TimeText,
	): string {
		const shown = statuses.filter(({ meaning }) => meaning !== 'read');
		const parts = topOf(
			shown.map((status) => [withRead(status.name, read) + failureReasons(status), status.count]),
			MOST_STATUSES,
			'in other statuses',
		);
		if (missing > 0) parts.push(`${formatNumber(missing)} not in the logs`);
		const verb = test ? 'Test sent' : 'Sent';
		const to = numberOf(recipients, 'recipient');
		const all = this.sentAt === undefined ? to : `${verb} on ${written(this.sentAt)}, to ${to}`;
		const counts = parts.length > 0 ? `${all}: ${parts.join(read > 0 ? '; ' : ', ')}` : all;
		const remarks = complete === false ? ['Not complete: the time was up.'] : [];
		if (warning) remarks.push(warning);
		return remarks.length > 0 ? `${counts}. ${remarks.join(' ')}` : counts;
	}
}

/** Adds to the status that includes the messages which were read how many they are. */
export const withRead = (status: string, read: number) =>
	status === DELIVERED_STATUS && read > 0
		? `${status}, of them ${formatNumber(read)} read`
		: status;

const hasArrived = ({ meaning }: Status) => meaning === 'delivered' || meaning === 'read';

/** Returns why the messages of a status failed, in brackets; '' when nothing is known. */
function failureReasons({ meaning, reasons, count: all }: Status): string {
	if (meaning !== 'failed' || reasons.size === 0) return '';
	const counted = mostFrequentFirst(reasons);
	const [[only, count]] = counted;
	if (count === all) return ` (${only})`;
	return ` (${topOf(counted, MOST_REASONS, 'for other reasons').join(', ')})`;
}

/** Writes the first texts with their counts, for example "3 delivered", and the count of all others. */
function topOf(counted: Array<[string, number]>, most: number, others: string): string[] {
	const top = counted.slice(0, most).map(([text, count]) => `${formatNumber(count)} ${text}`);
	const rest = counted.slice(most).reduce((sum, [, count]) => sum + count, 0);
	return rest > 0 ? [...top, `${formatNumber(rest)} ${others}`] : top;
}

const countOne = (counts: TextCounts, text: string) =>
	counts.set(text, (counts.get(text) ?? 0) + 1);

/** Texts that occur equally often keep the order of their first occurrence. */
const mostFrequentFirst = (counts: TextCounts) => [...counts].sort(([, a], [, b]) => b - a);

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
