import type { LogRecord } from '../service/types';
import { formatNumber } from '../utils/text';
import { isFinalStatus, timeOf } from './record';

/** Stands for a missing status. No status of the service can have this name, because it has a blank. */
const NO_STATUS = 'no status';

/** Adds up what happened to a campaign, record by record. Of a record it keeps only the times. */
export class Summary {
	readonly statuses = new Tally();

	/** When messages were delivered, in ms since 1970, in no order. */
	readonly deliveredAt: number[] = [];

	private readonly reasons = new Tally();

	/** Times from creation to delivery, in ms. */
	private readonly durations: number[] = [];

	private units = 0;

	private unreadableUnits = 0;

	private pending = 0;

	private firstCreatedAt = Infinity;

	private lastDeliveredAt = -Infinity;

	add(record: LogRecord) {
		this.statuses.add(statusOf(record));
		if (isText(record.reason)) this.reasons.add(record.reason);
		const units = unitsOf(record.units);
		if (units === undefined) this.unreadableUnits++;
		else this.units += units;
		const created = timeOf(record.createdAt);
		if (created !== undefined) this.firstCreatedAt = Math.min(this.firstCreatedAt, created);
		const delivered = timeOf(record.delivered_time);
		if (delivered === undefined) {
			if (!isText(record.reason) && !isFinalStatus(String(record.status))) this.pending++;
			return;
		}
		this.deliveredAt.push(delivered);
		this.lastDeliveredAt = Math.max(this.lastDeliveredAt, delivered);
		// The two times may come from different clocks: a delivery before its creation counts as 0 ms.
		if (created !== undefined) this.durations.push(Math.max(0, delivered - created));
	}

	/** What a person must know before trusting the numbers, in a sentence. */
	get warning(): string | undefined {
		const count = this.unreadableUnits;
		return count > 0
			? `The units of ${formatNumber(count)} ${count === 1 ? 'record' : 'records'} cannot be read: they are left out of 'units'.`
			: undefined;
	}

	/**
	 * Returns the sums as the fields of a report: `statuses` under the service's own names, `shares` from 0 to 1,
	 * times in ISO 8601, `medianDeliverySeconds` from creation to delivery, `pending` without a delivery
	 * time, a reason or a final status, `reasons` most frequent first.
	 */
	result(campaignId: string) {
		const { total } = this.statuses;
		const statuses = this.statuses.mostFrequentFirst;
		return {
			campaign_id: campaignId,
			recipients: total,
			statuses: Object.fromEntries(statuses),
			shares: Object.fromEntries(
				statuses.map(([status, count]) => [status, shareOf(count, total)]),
			),
			units: toMillionths(this.units),
			firstCreatedAt: isoOf(this.firstCreatedAt),
			lastDeliveredAt: isoOf(this.lastDeliveredAt),
			medianDeliverySeconds: medianSeconds(this.durations),
			withoutDeliveredTime: total - this.deliveredAt.length,
			pending: this.pending,
			reasons: this.reasons.mostFrequentFirst.map(([reason, count]) => ({ reason, count })),
		};
	}
}

/** Counts how often each text occurs. */
class Tally {
	private readonly counts = new Map<string, number>();

	total = 0;

	add(text: string) {
		this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
		this.total++;
	}

	/** Texts that occur equally often keep the order of their first occurrence. */
	get mostFrequentFirst(): Array<[string, number]> {
		return [...this.counts].sort(([, a], [, b]) => b - a);
	}
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const statusOf = ({ status }: { status?: unknown }) =>
	status === undefined || status === null || status === '' ? NO_STATUS : String(status);

/** Reads units given as a number or as text; 0 for none, undefined for what cannot be read. */
function unitsOf(units: unknown): number | undefined {
	const given = typeof units === 'string' ? units.trim() : units;
	if (given === undefined || given === null || given === '') return 0;
	const isNumber = typeof given === 'number' || /^[+-]?\d*\.?\d+$/.test(String(given));
	return isNumber && Number.isFinite(Number(given)) ? Number(given) : undefined;
}

/** Rounds away the error of adding decimal fractions. */
const toMillionths = (units: number) => Math.round(units * 1e6) / 1e6;

/** Returns a share with four decimals. Only no records are a share of 0, and only all of them a share of 1. */
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
	const sorted = Float64Array.from(durations).sort();
	const middle = sorted.length >> 1;
	const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return Math.round(median / 100) / 10;
}
