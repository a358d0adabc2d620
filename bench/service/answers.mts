import type { IncomingMessage } from 'node:http';
import { messageRecord } from '../../sandbox/interface/records.mts';

/*
 * The answers of the messaging service (docs/interface.md), and of the services of n8n's own nodes. They are
 * created once as text, because the service must use as little CPU time as possible.
 */

const UUID = '3f2a6c1e-8f0b-4c0e-9d55-0a1b2c3d4e5f';
const TIME = '2026-01-01T10:00:00.000Z';
export const LOG_RECORDS_PER_PAGE = 500;
export const LOG_PAGES = 100;

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
const CAMPAIGN = ok({ data: { campaign_id: UUID } });
const ONE_TEMPLATE = ok({ data: [{ status: 'success', response: 'wamid.HBgLMzg1OTEx' }] });
const TWILIO = JSON.stringify({
	sid: 'SM3f2a6c1e8f0b4c0e9d550a1b2c3d4e5f',
	account_sid: 'AC3f2a6c1e8f0b4c0e9d550a1b2c3d4e5f',
	body: 'Your order is on its way.',
	status: 'queued',
	date_created: TIME,
	direction: 'outbound-api',
	error_code: null,
	error_message: null,
	num_segments: '1',
	uri: '/2010-04-01/Accounts/AC3f2a/Messages/SM3f2a.json',
});
const WHATSAPP = JSON.stringify({
	messaging_product: 'whatsapp',
	contacts: [{ input: '385911234567', wa_id: '385911234567' }],
	messages: [{ id: 'wamid.HBgLMzg1OTExMjM0NTY3', message_status: 'accepted' }],
});

const CHANNEL_ID = '0c8e3a52-5f6e-4a8e-a1a8-1f2e3d4c5b6a';
const CHANNELS = ok({
	data: [
		{
			id: CHANNEL_ID,
			phone: '385910000000',
			identifier: null,
			medium: 'CHATAPP',
			credentials: null,
			description: null,
			name: 'Shop',
			type: 'DEFAULT',
			country: 'HR',
			status: 'ACTIVE',
			createdAt: TIME,
			updatedAt: TIME,
			firm_id: UUID,
			provider_config_id: UUID,
		},
	],
});
const CHANNEL_TEMPLATES = JSON.stringify({
	body: [
		{
			category: 'ALERT_UPDATE',
			components: [
				{
					type: 'BODY',
					text: 'Hello {{1}}, your order {{2}} is ready.',
					example: { body_text: [['Ana', '12']] },
				},
			],
			language: 'en_US',
			name: 'order_ready',
			namespace: 'a1b2c3',
			rejected_reason: null,
			status: 'submitted',
		},
	],
	message: 'OK',
	success: true,
});

const STATUSES = ['delivered', 'delivered', 'delivered', 'sent', 'failed'];

function logRecord(index: number) {
	const status = STATUSES[index % STATUSES.length];
	const seconds = (n: number) => new Date(Date.parse(TIME) + n * 1000).toISOString();
	return {
		id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
		externalId: `wamid.${index}`,
		status,
		reason: status === 'failed' ? 'No such number' : null,
		from: '385910000000',
		to: `3859${String(10_000_000 + index)}`,
		units: 1,
		delivered_time: status === 'delivered' ? seconds(5 + (index % 600)) : null,
		createdAt: seconds(index % 300),
		campaign_id: UUID,
		identifier: `order-${index}`,
	};
}

const pages = new Map<string, string>();

/** A page of the logs, created once. */
function logPage(size: number, number: number): string {
	const key = `${size}/${number}`;
	let page = pages.get(key);
	if (page === undefined) {
		const count = LOG_PAGES * LOG_RECORDS_PER_PAGE;
		const from = (number - 1) * size;
		const length = Math.max(0, Math.min(size, count - from));
		page = ok({
			count,
			data: Array.from({ length }, (_, index) => logRecord(from + index)),
			currentPage: number,
			totalPage: Math.ceil(count / size),
		});
		pages.set(key, page);
	}
	return page;
}

/** Creates all pages in advance, so that no scenario waits for that. */
export function makeLogPages(): void {
	for (let number = 1; number <= LOG_PAGES; number++) logPage(LOG_RECORDS_PER_PAGE, number);
}

export interface Answer {
	text: string;
	messages: number;
}

const messagesIn = (body: Buffer) =>
	(JSON.parse(body.toString()) as { messages: unknown[] }).messages.length;

/** The answer to a request; undefined for an unknown path. */
export function answer({ method, url = '' }: IncomingMessage, body: Buffer): Answer | undefined {
	const path = url.split('?', 1)[0];
	if (method === 'POST') {
		if (path === '/api/public/conversation/text') return { text: MESSAGE_RECORD, messages: 1 };
		if (path === '/api/public/conversation/template') {
			const messages = messagesIn(body);
			if (messages === 1) return { text: ONE_TEMPLATE, messages };
			const data = Array.from({ length: messages }, (_, index) => ({
				status: 'success',
				response: `wamid.${index}`,
			}));
			return { text: ok({ data }), messages };
		}
		if (path === '/api/public/chatapp/campaign') {
			return { text: CAMPAIGN, messages: messagesIn(body) };
		}
		if (path.startsWith('/2010-04-01/Accounts/')) return { text: TWILIO, messages: 1 };
		if (path.startsWith('/v13.0/')) return { text: WHATSAPP, messages: 1 };
	}
	if (method === 'GET') {
		if (path === '/api/public/logs') {
			const { searchParams } = new URL(url, 'http://service');
			const size = Number(searchParams.get('page[size]'));
			const number = Number(searchParams.get('page[number]'));
			return { text: logPage(size, number), messages: size };
		}
		if (path === '/api/public/channels/chatapp') return { text: CHANNELS, messages: 0 };
		if (path === `/api/public/channel/${CHANNEL_ID}/templates`) {
			return { text: CHANNEL_TEMPLATES, messages: 0 };
		}
	}
	return undefined;
}
