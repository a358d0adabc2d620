import type {
	Channel,
	ChannelTemplate,
	LogPage,
	LogRecord,
	MessageRecord,
	OtpTemplate,
	SmsDeliveryReport,
} from './types';
import { isObject, listOf, objectOf, type Json, type ReadPayload } from './payload';

/** A call of one endpoint: what is sent, and how the answer's payload is recognised. */
export type ServiceRequest<Payload> = {
	method: 'GET' | 'POST';
	/** Below the base URL, begins with a slash; ids in it are encoded. */
	path: string;
	query?: Record<string, string | number>;
	body?: Json;
	/** Takes the payload out of a successful answer; undefined when it is not there. */
	read: ReadPayload<Payload>;
	/** What the answer must hold, as a phrase: completes "The answer contains no …". */
	expects: string;
	/** Answers of this endpoint carry no `success` (2.6). */
	bare?: true;
};

/** Asks the service, and gives the payload or throws. */
export type Ask = <Payload>(request: ServiceRequest<Payload>) => Promise<Payload>;

/**
 * An id as one segment of a path. `.` and `..` survive encoding, and URL parsers take even `%2E` for
 * them; encoded twice they name nothing, but leave the path what it is.
 */
const inPath = (id: string) =>
	id === '.' || id === '..' ? id.replaceAll('.', '%252E') : encodeURIComponent(id);

const filled = (query: Record<string, string | number | undefined>) =>
	Object.fromEntries(
		Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
	) as Record<string, string | number>;

/** Fetch OTP templates (4.1). */
export const getOtpTemplates = (): ServiceRequest<OtpTemplate[]> => ({
	method: 'GET',
	path: '/api/otp/templates',
	read: listOf('body'),
	expects: 'list of OTP templates',
});

/** Fetch chat-app channels (4.2), by name and status (`ACTIVE`, `INACTIVE`, `PENDING`). */
export const getChannels = (
	filters: { name?: string; status?: string } = {},
): ServiceRequest<Channel[]> => ({
	method: 'GET',
	path: '/api/public/channels/chatapp',
	query: filled(filters),
	read: listOf('data'),
	expects: 'list of channels',
});

/** Fetch one channel of any medium by its id (4.8). */
export const getChannel = (id: string): ServiceRequest<Channel> => ({
	method: 'GET',
	path: `/api/public/channel/${inPath(id)}`,
	read: objectOf('data'),
	expects: 'channel',
});

/** Fetch the templates of a chat-app channel (4.5). */
export const getChannelTemplates = (channelId: string): ServiceRequest<ChannelTemplate[]> => ({
	method: 'GET',
	path: `/api/public/channel/${inPath(channelId)}/templates`,
	read: listOf('body'),
	expects: 'list of templates',
});

const readMessage = objectOf<MessageRecord>('data');

/** Send a free-text message inside the 24-hour window (4.3). */
export const sendText = (body: {
	from: string;
	to: string;
	message: string;
}): ServiceRequest<MessageRecord> => ({
	method: 'POST',
	path: '/api/public/conversation/text',
	body,
	read: readMessage,
	expects: 'message record',
});

/** An empty list says of no message that it was sent. */
const readSent = (answer: Json) => {
	const sent = listOf<Json>('data')(answer);
	return sent?.length ? sent : undefined;
};

/** Send template messages (4.6); the payload has an element per message, in no stated order. */
export const sendTemplate = (body: { from: string; messages: Json[] }): ServiceRequest<Json[]> => ({
	method: 'POST',
	path: '/api/public/conversation/template',
	body,
	read: readSent,
	expects: 'list of sent messages',
});

/** Send a campaign: many template messages in one request, grouped under one id (4.4). */
export const sendCampaign = (body: {
	from: string;
	messages: Json[];
}): ServiceRequest<Json & { campaign_id: string }> => ({
	method: 'POST',
	path: '/api/public/chatapp/campaign',
	body,
	read: (answer) => {
		const data = answer.data;
		return isObject(data) && typeof data.campaign_id === 'string' && data.campaign_id !== ''
			? (data as Json & { campaign_id: string })
			: undefined;
	},
	expects: 'campaign id',
});

/** Fetch one page of the logs (4.7), counted from 1, filtered by exact values. */
export const getLogs = (
	filters: { id?: string; campaignId?: string; identifier?: string },
	page: { size?: number; number?: number } = {},
): ServiceRequest<LogPage> => ({
	method: 'GET',
	path: '/api/public/logs',
	query: filled({
		'page[size]': page.size,
		'page[number]': page.number,
		id: filters.id,
		campaign_id: filters.campaignId,
		identifier: filters.identifier,
	}),
	read: (answer) => {
		const records = listOf<LogRecord>('data')(answer);
		if (!records) return undefined;
		const { count, totalPage } = answer;
		return {
			records,
			...(typeof count === 'number' && { count }),
			...(typeof totalPage === 'number' && { totalPage }),
		};
	},
	expects: 'list of log records',
});

/** Get the delivery report of an SMS (4.9). */
export const getSmsReport = (messageId: string): ServiceRequest<SmsDeliveryReport> => ({
	method: 'GET',
	path: `/api/public/dlr/${inPath(messageId)}/sms`,
	read: (answer) => (isObject(answer.conversation) ? (answer as SmsDeliveryReport) : undefined),
	expects: 'delivery report',
	bare: true,
});
