import type { IDataObject } from 'n8n-workflow';
import type { LogRecord } from '../service/types';

/** How often each value comes, most frequent first. */
function tally(values: string[]): Array<[string, number]> {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a);
}

const timesOf = (values: unknown[]): number[] =>
	values
		.map((value) => (typeof value === 'string' ? Date.parse(value) : NaN))
		.filter((time) => !Number.isNaN(time))
		.sort((a, b) => a - b);

const isoOf = (time: number | undefined) =>
	time === undefined ? null : new Date(time).toISOString();

/** Median in seconds with one decimal; null for none. */
function medianSeconds(durations: number[]): number | null {
	if (durations.length === 0) return null;
	const sorted = [...durations].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return Math.round(median / 100) / 10;
}

/**
 * What happened to a campaign, in one object: how many recipients, how many in each status (under the
 * service's own names) and their share from 0 to 1, units charged, first and last time, median seconds
 * from creation to delivery, and the reasons given, most frequent first.
 */
export function summarise(campaignId: string, records: LogRecord[]): IDataObject {
	const total = records.length;
	const statuses = tally(records.map(({ status }) => String(status)));
	const reasons = tally(
		records
			.map(({ reason }) => reason)
			.filter((reason): reason is string => typeof reason === 'string' && reason !== ''),
	);
	const created = timesOf(records.map(({ createdAt }) => createdAt));
	const delivered = timesOf(records.map(({ delivered_time }) => delivered_time));
	const durations = records.flatMap(({ createdAt, delivered_time }) => {
		const [from] = timesOf([createdAt]);
		const [until] = timesOf([delivered_time]);
		return from !== undefined && until !== undefined ? [Math.max(0, until - from)] : [];
	});
	return {
		campaign_id: campaignId,
		recipients: total,
		statuses: Object.fromEntries(statuses),
		shares: Object.fromEntries(
			statuses.map(([status, count]) => [status, Math.round((count / total) * 10_000) / 10_000]),
		),
		units: records.reduce((sum, { units }) => sum + (Number.isFinite(units) ? units : 0), 0),
		firstCreatedAt: isoOf(created[0]),
		lastDeliveredAt: isoOf(delivered.at(-1)),
		medianDeliverySeconds: medianSeconds(durations),
		withoutDeliveredTime: total - delivered.length,
		reasons: reasons.map(([reason, count]) => ({ reason, count })),
	};
}
