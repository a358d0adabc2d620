import type { IncomingMessage } from 'node:http';
import { messageRecord } from '../../sandbox/interface/records.mts';
import { seedChannels } from '../../sandbox/seed/channels.mts';
import { openingHours } from '../../sandbox/seed/channelTemplates.mts';

/*
 * The answers of the messaging service (docs/development/interface.md). They are created once as text, because the service must use as
 * little CPU time as possible.
 */

const UUID = '3f2a6c1e-8f0b-4c0e-9d55-0a1b2c3d4e5f';
const TIME = '2026-01-01T10:00:00.000Z';
export const LOG_RECORDS_PER_PAGE = 500;

const [channel] = seedChannels;
export const SENDER = channel.phone!;
export const TEMPLATE = openingHours.name;
export const CAMPAIGN = UUID;

const ok = (rest: object) => JSON.stringify({ ...rest, message: 'OK', success: true });

const MESSAGE_RECORD = ok({
	data: messageRecord({
		id: UUID,
		externalId: 'wamid.HBgLMzg1OTExMjM0NTY3',
		conversationId: UUID,
		text: 'Your order is on its way.',
		sender: 'Shop',
		at: Date.parse(TIME),
	}),
});
const ACCEPTED = ok({ data: { campaign_id: CAMPAIGN } });
const CHANNELS = ok({ data: [channel] });
const TEMPLATES = ok({ body: [openingHours] });

const STATUSES = ['delivered', 'delivered', 'delivered', 'sent', 'failed'];

function logRecord(index: number) {
	const status = STATUSES[index % STATUSES.length];
	const seconds = (n: number) => new Date(Date.parse(TIME) + n * 1000).toISOString();
	return {
		id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
		externalId: `wamid.${index}`,
		status,
		reason: status === 'failed' ? 'No such number' : null,
		from: SENDER,
		to: `3859${String(10_000_000 + index)}`,
		units: 1,
		delivered_time: status === 'delivered' ? seconds(5 + (index % 600)) : null,
		createdAt: seconds(index % 300),
		campaign_id: UUID,
		identifier: `order-${index}`,
	};
}

let pages: string[] = [];

/** Creates all pages of logs with so many records in advance, so that no scenario waits for that. */
export function makeLogPages(records: number): void {
	const size = LOG_RECORDS_PER_PAGE;
	const totalPage = Math.ceil(records / size);
	pages = Array.from({ length: totalPage }, (_, page) => {
		const length = Math.min(size, records - page * size);
		const data = Array.from({ length }, (_, index) => logRecord(page * size + index));
		return ok({ count: records, data, currentPage: page + 1, totalPage });
	});
}

export interface Answer {
	text: string;
	messages: number;
}

/** The answer to a request; undefined for an unknown path. */
export function answer({ method, url = '' }: IncomingMessage, body: Buffer): Answer | undefined {
	const { pathname, searchParams } = new URL(url, 'http://service');
	switch (`${method} ${pathname}`) {
		case 'POST /api/public/conversation/text':
			return { text: MESSAGE_RECORD, messages: 1 };
		case 'POST /api/public/chatapp/campaign': {
			const { messages } = JSON.parse(body.toString()) as { messages: unknown[] };
			return { text: ACCEPTED, messages: messages.length };
		}
		case 'GET /api/public/logs':
			if (Number(searchParams.get('page[size]')) !== LOG_RECORDS_PER_PAGE) return undefined;
			return { text: pages[Number(searchParams.get('page[number]')) - 1], messages: 0 };
		case 'GET /api/public/channels/chatapp':
			return { text: CHANNELS, messages: 0 };
		case `GET /api/public/channel/${channel.id}/templates`:
			return { text: TEMPLATES, messages: 0 };
		default:
			return undefined;
	}
}
