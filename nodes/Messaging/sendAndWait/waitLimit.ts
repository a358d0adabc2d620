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

const DEFAULTS: IDataObject = {
	limitType: 'afterTimeInterval',
	resumeAmount: 1,
	resumeUnit: 'hours',
};

/** Returns the end of the wait for a question that is sent at this time (in ms since 1970). */
type LimitFrom = (sentAt: number) => Date;

/**
 * Reads *Limit Wait Time*. An interval begins when the question is sent. Without a limit, the end is n8n's
 * `WAIT_INDEFINITELY`.
 *
 * @throws UserError when the limit is invalid, or already over
 */
export function readLimit(context: IExecuteFunctions): LimitFrom {
	const limit = context.getNodeParameter('options.limitWaitTime.values', 0, {}) as IDataObject;
	if (Object.keys(limit).length === 0) return () => WAIT_INDEFINITELY;
	// A missing field has its default value. A field whose expression gives nothing (undefined, null) is invalid.
	const { limitType, resumeAmount, resumeUnit } = { ...DEFAULTS, ...limit };
	const fixed = pointInTime(limit.maxDateAndTime, context.getTimezone());
	const amount = limitType === 'afterTimeInterval' ? Number(text(resumeAmount) || NaN) : NaN;
	const interval = amount * (UNIT[String(resumeUnit)] ?? NaN);
	const from: LimitFrom = (sentAt) =>
		limitType === 'atSpecifiedTime' ? fixed : new Date(sentAt + interval);
	if (from(now()).getTime() > now()) return from;
	throw new UserError(
		"'Limit Wait Time' is not in the future. Choose a later date and time, or an amount and a unit.",
	);
}

/** Reads a date. The editor saves it without a time zone: it is in the workflow's time zone. */
function pointInTime(value: unknown, timezone: string): Date {
	try {
		return tryToParseDateTime(value, timezone).toJSDate();
	} catch {
		return new Date(NaN);
	}
}

/** The longest time in ms before the limit in which no answer is accepted: n8n needs time to record one. */
const MARGIN = 1000;

/**
 * Returns the time in ms since 1970 from which answers are no longer accepted: shortly before the limit, see
 * {@link MARGIN}; undefined without a limit.
 */
export const answersCloseAt = (until: Date): number | undefined =>
	until === WAIT_INDEFINITELY
		? undefined
		: until.getTime() - Math.min(MARGIN, Math.max(0, until.getTime() - now()) / 10);

/** Time in ms: every minute, n8n sets a timer for each wait that ends within this time. */
const TIMER = 70_000;

/** Key in the context that all nodes of an execution share. Its value is the latest question's limit, in ms since 1970. */
const LIMIT_KEY = 'messagingWaitsUntil';

/** Puts the execution to wait until an answer comes or the time is up. */
export async function waitForAnswer(context: IExecuteFunctions, until: Date): Promise<void> {
	context.getContext('flow')[LIMIT_KEY] = until.getTime();
	await context.putExecutionToWait(until);
}

/**
 * Pauses until the limit of an earlier question in this execution is over, if that is soon. n8n (2.40) does not
 * clear the timer of an answered question, and the timer would end the wait for the next question.
 */
export async function waitForEarlierLimit(context: IExecuteFunctions): Promise<void> {
	const left = Number(context.getContext('flow')[LIMIT_KEY] ?? 0) - now();
	if (left > 0 && left <= TIMER) {
		await pause(left + MARGIN, context.getExecutionCancelSignal?.());
	}
}
