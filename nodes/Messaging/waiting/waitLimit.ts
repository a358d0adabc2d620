import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { tryToParseDateTime, UserError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { text } from '../host/values';
import { now, pause } from '../service/clock';

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
	// An expression that finds nothing gives undefined or null, and must not become the default.
	const type = 'limitType' in limit ? limit.limitType : 'afterTimeInterval';
	const amount = 'resumeAmount' in limit ? limit.resumeAmount : 1;
	const unit = 'resumeUnit' in limit ? limit.resumeUnit : 'hours';
	const until =
		type === 'atSpecifiedTime'
			? pointInTime(limit.maxDateAndTime, context.getTimezone())
			: afterInterval(type === 'afterTimeInterval' ? amount : undefined, unit);
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

/**
 * Moves the limit of an interval by the time that sending took: it counts from when the question was sent.
 *
 * @param limit what {@link waitUntil} returned at `checkedAt` (in ms)
 */
export function limitFromNow(context: IExecuteFunctions, limit: Date, checkedAt: number): Date {
	const type = context.getNodeParameter('options.limitWaitTime.values.limitType', 0, '');
	const isFixed = limit === WAIT_INDEFINITELY || type === 'atSpecifiedTime';
	return isFixed ? limit : new Date(limit.getTime() + now() - checkedAt);
}

/** In ms: n8n needs a moment to note an answer that came in time before it continues without one. */
const MARGIN = 1000;

/** When answers are no longer taken, in ms: just before `until`, so that whoever is thanked is in time. */
export const closingTime = (until: Date, now = Date.now()): number =>
	until.getTime() - Math.min(MARGIN, Math.max(0, until.getTime() - now) / 10);

/** In ms: n8n looks every minute for waits that end within this time, and sets a timer for each. */
const TIMER = 70_000;

/** In the context that all nodes of an execution share: until when its last question waits, in ms. */
const FIELD = 'messagingWaitsUntil';

/** Lets the execution wait for an answer. */
export async function waitForAnswer(context: IExecuteFunctions, until: Date): Promise<void> {
	context.getContext('flow')[FIELD] = until.getTime();
	await context.putExecutionToWait(until);
}

/**
 * Waits until the limit of the execution's earlier question is over, if it was answered shortly before:
 * n8n (2.40) keeps the timer, and it would end the wait for the next question at once.
 */
export async function pastEarlierLimit(context: IExecuteFunctions): Promise<void> {
	const left = Number(context.getContext('flow')[FIELD] ?? 0) - now();
	if (left > 0 && left <= TIMER) {
		await pause(left + MARGIN, context.getExecutionCancelSignal?.());
	}
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
	new Date(Date.now() + Number(text(amount) || NaN) * (UNIT[String(unit)] ?? NaN));
