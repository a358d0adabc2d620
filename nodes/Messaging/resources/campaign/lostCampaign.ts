import type { IDataObject } from 'n8n-workflow';
import { scanCampaign } from '../../logs/campaignLogs';
import { plainId } from '../../logs/record';
import type { MessageGroup } from '../../sending/messageGroups';
import type { Message } from '../../sending/message';
import { MOST_AT_ONCE } from '../../sending/options';
import { recipientDigits } from '../../sending/phone';
import type { LostRequest } from '../../sending/sendOperation';
import { getLogs, type ServiceRequest } from '../../service/endpoints';
import { payloadOf } from '../../service/failure';
import { header } from '../../service/answer';
import { DEFAULT_TIMEOUT, type CallOptions, type Service } from '../../service/service';
import type { LogRecord } from '../../service/types';

/** Time after a request's time limit, in ms, in which the service may still act on the request. */
const ACTS_LATER = 60_000;

/** Ids of campaigns whose acceptance this process knows, so they cannot be the lost one. */
const accepted = new Set<string>();
/** The most ids that are kept, the latest ones: a lookup finds only records of recent campaigns. */
const MOST_ACCEPTED = 10_000;

/**
 * The customer's own identifiers in requests that are in flight or were lost, by request: if two requests have the same
 * identifier, nothing shows to which of them a log record belongs.
 */
const open = new Map<string, string[]>();
/** The most requests that are kept, the latest ones. */
const MOST_OPEN = 200;

/** Drops the oldest entry of a set or a map that is too large. */
function bound(kept: Set<string> | Map<string, unknown>, most: number) {
	if (kept.size > most) kept.delete(kept.keys().next().value!);
}

/**
 * Notes a campaign that is being sent, for {@link findLostCampaign}.
 *
 * @returns a function to be called with the service's answer; without one if the campaign was refused
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
		if (data) addAccepted(data.campaign_id);
	};
}

function addAccepted(campaignId: string) {
	accepted.add(plainId(campaignId));
	bound(accepted, MOST_ACCEPTED);
}

/** Several messages are looked up, because the service may have refused one of them. */
const samplesOf = (messages: Message[]): Message[] => [
	...new Set([messages[0], messages[messages.length >> 1], messages[messages.length - 1]]),
];

/**
 * Finds out in the logs (docs/interface.md, "Get logs") whether a campaign whose answer was lost was accepted, by the
 * identifiers of some of its messages.
 *
 * A log record with an identifier that the node generated is proof, because it is unique. Callers reuse their own
 * identifiers, although the interface forbids it. A record with one counts only if all of this is true: it is for the same
 * recipient; this process sent the request, and the record was made after that, by the service's clock (its `Date` header);
 * no other request of this process is known to have made its campaign, or may have made it; and only one campaign is left.
 *
 * @returns the campaign's id with each message's identifier; undefined when the logs prove no such campaign, or cannot
 * be read
 */
export async function findLostCampaign(
	service: Service,
	{ request, messages, sentAt }: LostRequest,
	options: CallOptions,
): Promise<IDataObject[] | undefined> {
	// Another process may use the customer's identifiers, but not the generated ones.
	const generated = messages.filter(({ isGenerated }) => isGenerated);
	for (const sample of samplesOf(generated.length > 0 ? generated : messages)) {
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
		addAccepted(campaignId);
		return messages.map((message) => ({
			campaign_id: campaignId,
			identifier: message.identifier,
		}));
	}
	return undefined;
}

/** Whether a record was made within `length` ms from `start`. A time without fractions is precise to one second. */
function isWithin(createdAt: unknown, start: number, length: number): boolean {
	const at = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
	const from = /\d:\d\d(Z|$)/.test(String(createdAt)) ? Math.floor(start / 1000) * 1000 : start;
	return at >= from && at <= start + length;
}

const isOpenElsewhere = (request: string, identifier: string) =>
	[...open].some(([other, identifiers]) => other !== request && identifiers.includes(identifier));

/**
 * Finds out in the logs which messages of a crashed run were accepted, by the identifiers that the node generated. A
 * person may have changed the node since, so it is unknown which requests the messages left in: one message leads to its
 * campaign, and the logs of that campaign must show each of the others.
 *
 * @param groups the requests as they would leave now, which are usually those that left
 * @returns by message, its campaign's id and its identifier
 */
export async function findAcceptedMessages(
	service: Service,
	groups: MessageGroup[],
	options: CallOptions,
): Promise<Map<Message, IDataObject>> {
	const found = new Map<Message, IDataObject>();
	const byIdentifier = new Map(
		groups.flatMap(({ messages }) => messages).map((message) => [message.identifier, message]),
	);
	const ask = async <Payload>(request: ServiceRequest<Payload>) =>
		payloadOf(await service.call(request, options));
	const addFound = (records: LogRecord[]) => {
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
			await scanCampaign(record.campaign_id, ask, addFound);
			return true;
		}
		return false;
	};
	const search = async () => {
		// Requests leave in order, at most MOST_AT_ONCE at once. If more than that in a row are not in the logs, no later one left.
		let missing = 0;
		for (const { messages } of groups) {
			let left = messages.filter((message) => !found.has(message));
			while (left.length > 0 && (await searchFrom(left))) {
				missing = -1;
				left = left.filter((message) => !found.has(message));
			}
			if (left.length > 0 && ++missing > MOST_AT_ONCE) break;
		}
	};
	// If reading the logs fails, the records found so far are still proof.
	await search().catch(() => {});
	return found;
}
