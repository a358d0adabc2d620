import {
	type IDataObject,
	type IExecuteFunctions,
	tryToParseDateTime,
	UserError,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';
import { text } from '../n8n/values';
import { now, pause } from '../service/clock';

const UNIT: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 24 * 3_600_000,
};

/**
 * Returns the end of *Limit Wait Time*; without a limit, n8n's `WAIT_INDEFINITELY`.
 *
 * @throws UserError when the limit is invalid or already over
 */
export function waitUntil(context: IExecuteFunctions): Date {
	const limit = context.getNodeParameter('options.limitWaitTime.values', 0, {}) as IDataObject;
	if (Object.keys(limit).length === 0) return WAIT_INDEFINITELY;
	// A missing field has its default value. A field whose expression gives nothing (undefined, null) is invalid.
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
 * Moves the limit of an interval by the time that sending took, because the interval begins when the question is sent.
 *
 * @param limit what {@link waitUntil} returned at `checkedAt` (in ms)
 */
export function limitFromNow(context: IExecuteFunctions, limit: Date, checkedAt: number): Date {
	const type = context.getNodeParameter('options.limitWaitTime.values.limitType', 0, '');
	const isFixed = limit === WAIT_INDEFINITELY || type === 'atSpecifiedTime';
	return isFixed ? limit : new Date(limit.getTime() + now() - checkedAt);
}

/** The longest time in ms before the limit in which no answer is accepted: n8n needs time to record one. */
const MARGIN = 1000;

/** Returns the time in ms since 1970 from which answers are no longer accepted: shortly before the limit, see {@link MARGIN}. */
export const answersCloseAt = (until: Date, now = Date.now()): number =>
	until.getTime() - Math.min(MARGIN, Math.max(0, until.getTime() - now) / 10);

/** Time in ms: every minute, n8n sets a timer for each wait that ends within this time. */
const TIMER = 70_000;

/** Key in the context that all nodes of an execution share. Its value is the latest question's limit, in ms since 1970. */
const CONTEXT_KEY = 'messagingWaitsUntil';

/** Puts the execution to wait until an answer comes or the time is up. */
export async function waitForAnswer(context: IExecuteFunctions, until: Date): Promise<void> {
	context.getContext('flow')[CONTEXT_KEY] = until.getTime();
	await context.putExecutionToWait(until);
}

/**
 * Pauses until the limit of an earlier question in this execution is over, if that is soon. n8n (2.40) does not
 * clear the timer of an answered question, and the timer would end the wait for the next question.
 */
export async function waitForEarlierLimit(context: IExecuteFunctions): Promise<void> {
	const left = Number(context.getContext('flow')[CONTEXT_KEY] ?? 0) - now();
	if (left > 0 && left <= TIMER) {
		await pause(left + MARGIN, context.getExecutionCancelSignal?.());
	}
}

/** Reads a date. The editor saves it without a time zone: it is in the workflow's time zone. */
function pointInTime(value: unknown, timezone: string): Date {
	try {
		return tryToParseDateTime(value, timezone).toJSDate();
	} catch {
		return new Date(NaN);
	}
}

const afterInterval = (amount: unknown, unit: unknown): Date =>
	new Date(Date.now() + Number(text(amount) || NaN) * (UNIT[String(unit)] ?? NaN));
