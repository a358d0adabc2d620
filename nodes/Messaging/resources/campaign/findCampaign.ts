import type { IDataObject } from 'n8n-workflow';
import { header } from '../../service/retryAfter';
import { getLogs } from '../../service/endpoints';
import type { CallOptions, Service } from '../../service/service';
import type { LogRecord } from '../../service/types';
import type { Message } from '../../sending/message';
import { recipientDigits } from '../../sending/phone';

/** What two clocks may differ by, in ms, when the service does not tell its own. */
const CLOCKS_DIFFER = 60_000;
/** A `Date` header counts in whole seconds, and the answer took some time. */
const DATE_IS_COARSE = 2_000;

/** The service may refuse single recipients, so one that it does not know is not the last word. */
const samplesOf = (messages: Message[]): Message[] => [
	...new Set([messages[0], messages[messages.length >> 1], messages[messages.length - 1]]),
];

/**
 * Finds out in the logs (4.7) whether a campaign whose answer was lost was accepted, by the identifiers
 * of some of its messages. A record counts when it is for the same recipient and was made after the
 * request left: callers use identifiers again, against the interface.
 *
 * @param sentAt when the request left, in ms by this machine's clock
 * @returns the campaign's id with each message's identifier; undefined when the logs know no such
 * campaign, or cannot be asked
 */
export async function findCampaign(
	service: Service,
	messages: Message[],
	sentAt: number,
	options: CallOptions,
): Promise<IDataObject[] | undefined> {
	for (const { identifier, digits } of samplesOf(messages)) {
		if (!identifier) continue;
		let earliest = sentAt - CLOCKS_DIFFER;
		const answer = await service.call(getLogs({ identifier }), {
			...options,
			onReply: ({ headers }) => {
				const theirs = Date.parse(header(headers, 'date') ?? '');
				if (!Number.isNaN(theirs)) earliest = sentAt + (theirs - Date.now()) - DATE_IS_COARSE;
			},
		});
		if (!answer.ok) return undefined;
		const isOurs = (record: LogRecord) =>
			record.identifier === identifier &&
			recipientDigits(String(record.to)) === digits &&
			Date.parse(record.createdAt) >= earliest;
		const record = answer.payload.records.find(isOurs);
		if (record?.campaign_id) {
			const { campaign_id } = record;
			return messages.map((message) => ({ campaign_id, identifier: message.identifier }));
		}
	}
	return undefined;
}
