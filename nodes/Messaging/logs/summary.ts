import { formatNumber } from '../utils/text';
import type { LogRecord } from '../service/types';
import { medianSeconds } from './median';
import { isFinal } from './statusWords';
import { Tally } from './tally';
import { timeOf } from './timeOf';

/** Of what has no status: the service's own names are never in two words with a blank. */
const NO_STATUS = 'no status';

const isoOf = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const statusOf = ({ status }: { status?: unknown }) =>
	status === undefined || status === null || status === '' ? NO_STATUS : String(status);

/** To the millionth: what adding decimal fractions leaves behind is nobody's units. */
const exact = (units: number) => Math.round(units * 1e6) / 1e6;

/** Units as a number or as text that holds one; 0 for none, undefined for what cannot be read. */
function unitsOf(units: unknown): number | undefined {
	const given = typeof units === 'string' ? units.trim() : units;
	if (given === undefined || given === null || given === '') return 0;
	const isNumber = typeof given === 'number' || /^[+-]?\d*\.?\d+$/.test(String(given));
	return isNumber && Number.isFinite(Number(given)) ? Number(given) : undefined;
}

/** From 0 to 1 with four decimals; what is little is not shown as nothing, nor most as all. */
function shareOf(count: number, total: number): number {
	if (count === total) return 1;
	return Math.min(0.9999, Math.max(0.0001, Math.round((count / total) * 10_000) / 10_000));
}

/**
 * What happened to a campaign, added up record by record: of a record nothing is kept but its times.
 */
export class Summary {
	readonly statuses = new Tally();

	/** When messages were delivered, in ms since 1970, in no order. */
	readonly deliveredAt: number[] = [];

	private readonly reasons = new Tally();

	/** From creation to delivery, in ms. */
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
			if (!isText(record.reason) && !isFinal(String(record.status))) this.pending++;
			return;
		}
		this.deliveredAt.push(delivered);
		this.lastDeliveredAt = Math.max(this.lastDeliveredAt, delivered);
		// Two clocks may disagree by a little: nothing arrives before it exists.
		if (created !== undefined) this.durations.push(Math.max(0, delivered - created));
	}

	/** What must be known before the numbers are believed, in a sentence. */
	get warning(): string | undefined {
		const count = this.unreadableUnits;
		return count > 0
			? `The units of ${formatNumber(count)} ${count === 1 ? 'record' : 'records'} cannot be read: they are left out of 'units'.`
			: undefined;
	}

	/**
	 * In one object: how many recipients, how many in each status (under the service's own names) and
	 * their share from 0 to 1, units charged, first and last time (ISO 8601), median seconds from
	 * creation to delivery, how many have no delivery time, how many of those are still in progress, and the
	 * reasons given, most frequent first.
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
			units: exact(this.units),
			firstCreatedAt: isoOf(this.firstCreatedAt),
			lastDeliveredAt: isoOf(this.lastDeliveredAt),
			medianDeliverySeconds: medianSeconds(this.durations),
			withoutDeliveredTime: total - this.deliveredAt.length,
			pending: this.pending,
			reasons: this.reasons.mostFrequentFirst.map(([reason, count]) => ({ reason, count })),
		};
	}
}
