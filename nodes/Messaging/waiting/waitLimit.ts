import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { tryToParseDateTime, UserError, WAIT_INDEFINITELY } from 'n8n-workflow';

const UNIT: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 24 * 3_600_000,
};

/**
 * Until when an answer is waited for; without a limit as long as n8n can.
 *
 * @throws UserError when the limit cannot be understood, or leaves no time for an answer
 */
export function waitUntil(context: IExecuteFunctions): Date {
	const limit = context.getNodeParameter('options.limitWaitTime.values', 0, {}) as IDataObject;
	if (Object.keys(limit).length === 0) return WAIT_INDEFINITELY;
	const until =
		limit.limitType === 'atSpecifiedTime'
			? pointInTime(limit.maxDateAndTime, context.getTimezone())
			: afterInterval(limit.resumeAmount ?? 1, limit.resumeUnit ?? 'hours');
	if (Number.isNaN(until.getTime())) {
		throw new UserError(
			"'Limit Wait Time' is not a time that can be understood. Choose a date and time, or an amount and a unit.",
		);
	}
	if (until.getTime() <= Date.now()) {
		throw new UserError(
			"'Limit Wait Time' leaves no time for an answer: that time has already passed. Choose a later one.",
		);
	}
	return until;
}

/** What the editor saves names no time zone: the workflow's is meant. */
function pointInTime(value: unknown, timezone: string): Date {
	try {
		return tryToParseDateTime(value, timezone).toJSDate();
	} catch {
		return new Date(NaN);
	}
}

const afterInterval = (amount: unknown, unit: unknown): Date =>
	new Date(Date.now() + Number(amount) * (UNIT[String(unit)] ?? NaN));
