import type { IDataObject } from 'n8n-workflow';
import { scanCampaign } from '../../logs/campaignLogs';
import { plainId } from '../../logs/record';
import type { Message } from '../../sending/message';
import type { Batch, LostRequest } from '../../sending/operation';
import { MOST_AT_ONCE } from '../../sending/options';
import { recipientDigits } from '../../sending/phone';
import { getLogs, type ServiceRequest } from '../../service/endpoints';
import { payloadOf } from '../../service/failure';
import { header } from '../../service/answer';
import { DEFAULT_TIMEOUT, type CallOptions, type Service } from '../../service/service';
import type { LogRecord } from '../../service/types';

/** How long after a request was given up the service may still act on it, in ms. */
const ACTS_LATER = 60_000;

/** Campaigns that this n8n has seen accepted; only the latest, of which a lookup may still find records. */
const accepted = new Set<string>();
const MOST_ACCEPTED = 10_000;

/**
 * The customer's own identifiers in requests that are in flight, or were lost: two of them with the same
 * identifier cannot tell whose campaign the logs show.
 */
const open = new Map<string, string[]>();
const MOST_OPEN = 200;

/** Keeps a set or a map from growing without end: its oldest entry goes. */
function bound(kept: Set<string> | Map<string, unknown>, most: number) {
	if (kept.size > most) kept.delete(kept.keys().next().value!);
}

/**
 * Takes note of a campaign that leaves, see {@link findCampaign}.
 *
 * @returns what to call when the service has answered: with its data when it accepted the campaign
 */
export function trackCampaign({ request, messages }: Omit<LostRequest, 'sentAt'>) {
	const identifiers = messages
		.filter(({ isGenerated, identifier }) => identifier && !isGenerated)
		.map(({ identifier }) => identifier!);
	if (identifiers.length > 0) {
		open.set(request, identifiers);
		bound(open, MOST_OPEN);
	}
	return (data?: { campaign_id: string }) => {
		open.delete(request);
		if (data) take(data.campaign_id);
	};
}

function take(campaignId: string) {
	accepted.add(plainId(campaignId));
	bound(accepted, MOST_ACCEPTED);
}

/** The service may refuse single recipients, so one that it does not know is not the last word. */
const samplesOf = (messages: Message[]): Message[] => [
	...new Set([messages[0], messages[messages.length >> 1], messages[messages.length - 1]]),
];

/**
 * Finds out in the logs (4.7) whether a campaign whose answer was lost was accepted, by the identifiers
 * of some of its messages.
 *
 * An identifier that the node made is unique, so that a record with it is proof. Callers use identifiers of
 * their own again, against the interface: there a record counts only when it is for the same recipient, was
 * made after the request left by the service's clock (its `Date` header; what another process sent left by another
 * clock), and belongs to one campaign that no other request of this n8n may have made.
 *
 * @returns the campaign's id with each message's identifier; undefined when the logs know no such
 * campaign beyond doubt, or cannot be asked
 */
export async function findCampaign(
	service: Service,
	{ request, messages, sentAt }: LostRequest,
	options: CallOptions,
): Promise<IDataObject[] | undefined> {
	// Another process may use the customer's identifiers; ours have no other.
	const ours = messages.filter(({ isGenerated }) => isGenerated);
	for (const sample of samplesOf(ours.length > 0 ? ours : messages)) {
		const { identifier, isGenerated, digits } = sample;
		if (!identifier || (!isGenerated && sentAt === undefined)) continue;
		let ahead: number | undefined;
		const answer = await service.call(getLogs({ identifier }), {
			...options,
			onReply: ({ headers }) => {
				const theirs = Date.parse(header(headers, 'date') ?? '');
				if (!Number.isNaN(theirs)) ahead = theirs - Date.now();
			},
		});
		if (!answer.ok) return undefined;
		const { timeout = DEFAULT_TIMEOUT } = options;
		const isOurs = (record: LogRecord) =>
			record.identifier === identifier &&
			(isGenerated ||
				(ahead !== undefined &&
					sentAt !== undefined &&
					recipientDigits(String(record.to)) === digits &&
					isWithin(record.createdAt, sentAt + ahead, timeout + ACTS_LATER) &&
					!accepted.has(plainId(record.campaign_id))));
		const ids = new Map(
			answer.payload.records
				.filter((record) => record.campaign_id && isOurs(record))
				.map(({ campaign_id }) => [plainId(campaign_id), campaign_id]),
		);
		if (ids.size === 0) continue;
		const [[, campaignId]] = ids;
		if (!isGenerated && (ids.size > 1 || isOpenElsewhere(request, identifier))) return undefined;
		open.delete(request);
		take(campaignId);
		return messages.map((message) => ({
			campaign_id: campaignId,
			identifier: message.identifier,
		}));
	}
	return undefined;
}

/** Whether a record was made from `start` on, within so many ms; a record without fractions tells whole seconds. */
function isWithin(createdAt: unknown, start: number, length: number): boolean {
	const at = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
	const from = /\d:\d\d(Z|$)/.test(String(createdAt)) ? Math.floor(start / 1000) * 1000 : start;
	return at >= from && at <= start + length;
}

const isOpenElsewhere = (request: string, identifier: string) =>
	[...open].some(([other, identifiers]) => other !== request && identifiers.includes(identifier));

/**
 * Finds out in the logs which messages of a crashed run were accepted, by the identifiers that the node
 * made. In which requests they left is unknown, since a person may have changed the node: so every message
 * must be found itself, in the logs of a campaign that one of them leads to.
 *
 * @param batches the requests as they would leave now: most likely they left like this
 * @returns by message its campaign's id and its identifier
 */
export async function findMessages(
	service: Service,
	batches: Batch[],
	options: CallOptions,
): Promise<Map<Message, IDataObject>> {
	const found = new Map<Message, IDataObject>();
	const byIdentifier = new Map(
		batches.flatMap(({ messages }) => messages).map((message) => [message.identifier, message]),
	);
	const ask = async <Payload>(request: ServiceRequest<Payload>) =>
		payloadOf(await service.call(request, options));
	const takeOver = (records: LogRecord[]) => {
		for (const { identifier, campaign_id } of records) {
			const message = campaign_id ? byIdentifier.get(identifier) : undefined;
			if (message) found.set(message, { campaign_id, identifier });
		}
	};
	const searchFrom = async (messages: Message[]): Promise<boolean> => {
		for (const sample of samplesOf(messages)) {
			const { identifier } = sample;
			const { records } = await ask(getLogs({ identifier }));
			const record = records.find((each) => each.identifier === identifier && each.campaign_id);
			if (!record) continue;
			found.set(sample, { campaign_id: record.campaign_id, identifier });
			await scanCampaign(record.campaign_id, ask, takeOver);
			return true;
		}
		return false;
	};
	const search = async () => {
		// Requests leave in order, so many at once: behind as many that did not leave, none did.
		let inARow = 0;
		for (const { messages } of batches) {
			let left = messages.filter((message) => !found.has(message));
			while (left.length > 0 && (await searchFrom(left))) {
				inARow = -1;
				left = left.filter((message) => !found.has(message));
			}
			if (left.length > 0 && ++inARow > MOST_AT_ONCE) break;
		}
	};
	// When the logs cannot be read on, what they have shown so far is proof all the same.
	await search().catch(() => {});
	return found;
}
