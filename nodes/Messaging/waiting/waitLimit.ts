import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError, WAIT_INDEFINITELY } from 'n8n-workflow';

const UNIT: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 24 * 3_600_000,
};

/**
 * Until when an answer is waited for; without a limit as long as n8n can.
 *
 * @throws UserError when the limit cannot be understood
 */
export function waitUntil(context: IExecuteFunctions): Date {
	const limit = context.getNodeParameter('options.limitWaitTime.values', 0, {}) as IDataObject;
	if (Object.keys(limit).length === 0) return WAIT_INDEFINITELY;
	const until =
		limit.limitType === 'atSpecifiedTime'
			? new Date(String(limit.maxDateAndTime))
			: new Date(
					Date.now() +
						Number(limit.resumeAmount ?? 1) * (UNIT[String(limit.resumeUnit ?? 'hours')] ?? NaN),
				);
	if (Number.isNaN(until.getTime())) {
		throw new UserError('"Limit Wait Time" is no time that can be understood.');
	}
	return until;
}
