import {
	isObject,
	type Channel,
	type ChannelTemplate,
	type Json,
	type LogPage,
	type LogRecord,
	type MessageRecord,
	type OtpTemplate,
	type SmsDeliveryReport,
} from './types';

/** Returns the payload of a successful answer; undefined when the answer does not contain it. */
type ReadPayload<Payload> = (answer: Json) => Payload | undefined;

/** A request to one endpoint, and how to read the payload of its answer. */
export type ServiceRequest<Payload> = {
	method: 'GET' | 'POST';
	/** Follows the base URL; begins with a slash, and its ids are encoded. */
	path: string;
	query?: Record<string, string | number>;
	body?: Json;
	read: ReadPayload<Payload>;
	/** Name of the payload, which completes the sentence "The answer contains no …". */
	expects: string;
};

/** Sends a request and returns the payload of its answer; throws when the request fails. */
export type Ask = <Payload>(request: ServiceRequest<Payload>) => Promise<Payload>;

/** docs/development/interface.md, "Get OTP templates" */
export const getOtpTemplates = (): ServiceRequest<OtpTemplate[]> => ({
	method: 'GET',
	path: '/api/otp/templates',
	read: listOf('body'),
	expects: 'list of OTP templates',
});

/** docs/development/interface.md, "Get channels" */
export const getChannels = (
	filters: { name?: string; status?: string } = {},
): ServiceRequest<Channel[]> => ({
	method: 'GET',
	path: '/api/public/channels/chatapp',
	query: withoutEmpty(filters),
	read: listOf('data'),
	expects: 'list of channels',
});

/** docs/development/interface.md, "Get channel by id" */
export const getChannel = (id: string): ServiceRequest<Channel> => ({
	method: 'GET',
	path: `/api/public/channel/${inPath(id)}`,
	read: readObject<Channel>,
	expects: 'channel',
});

/** docs/development/interface.md, "Get channel templates" */
export const getChannelTemplates = (channelId: string): ServiceRequest<ChannelTemplate[]> => ({
	method: 'GET',
	path: `/api/public/channel/${inPath(channelId)}/templates`,
	read: listOf('body'),
	expects: 'list of templates',
});

/** docs/development/interface.md, "Send session message" */
export const sendText = (body: {
	from: string;
	to: string;
	message: string;
}): ServiceRequest<MessageRecord> => ({
	method: 'POST',
	path: '/api/public/conversation/text',
	body,
	read: objectWith<MessageRecord>('id'),
	expects: 'message ID',
});

/** docs/development/interface.md, "Send template message". The order of the payload's elements is not documented. */
export const sendTemplate = (body: { from: string; messages: Json[] }): ServiceRequest<Json[]> => ({
	method: 'POST',
	path: '/api/public/conversation/template',
	body,
	read: readSent,
	expects: 'list of sent messages',
});

/** docs/development/interface.md, "Send campaign" */
export const sendCampaign = (body: {
	from: string;
	messages: Json[];
}): ServiceRequest<Json & { campaign_id: string }> => ({
	method: 'POST',
	path: '/api/public/chatapp/campaign',
	body,
	read: objectWith<Json & { campaign_id: string }>('campaign_id'),
	expects: 'campaign id',
});

/** docs/development/interface.md, "Get logs". The node counts pages from 1, which is usual but not documented. */
export const getLogs = (
	filters: { id?: string; campaignId?: string; identifier?: string },
	page: { size?: number; number?: number } = {},
): ServiceRequest<LogPage> => ({
	method: 'GET',
	path: '/api/public/logs',
	query: withoutEmpty({
		'page[size]': page.size,
		'page[number]': page.number,
		id: filters.id,
		campaign_id: filters.campaignId,
		identifier: filters.identifier,
	}),
	read: (answer) => {
		const records = listOf<LogRecord>('data')(answer);
		if (!records) return undefined;
		const [count, totalPage] = [answer.count, answer.totalPage].map(wholeNumber);
		return { records, count, totalPage, isNull: answer.data === null };
	},
	expects: 'list of log records',
});

/** docs/development/interface.md, "Get SMS delivery report" */
export const getSmsReport = (messageId: string): ServiceRequest<SmsDeliveryReport> => ({
	method: 'GET',
	path: `/api/public/dlr/${inPath(messageId)}/sms`,
	read: (answer) => (isObject(answer.conversation) ? (answer as SmsDeliveryReport) : undefined),
	expects: 'delivery report',
});

/** Reads the object in `data`, if it has this id: only an id shows that something was accepted. */
const objectWith =
	<Payload extends Json>(id: keyof Payload & string): ReadPayload<Payload> =>
	(answer) => {
		const data = readObject<Payload>(answer);
		const value = data?.[id];
		return isText(value) ? data : undefined;
	};

/** Reads the object in `data`. */
const readObject = <Payload extends Json>({ data }: Json): Payload | undefined =>
	isObject(data) ? (data as Payload) : undefined;

/** Reads the elements of `data`; undefined when none of them confirms a message. */
const readSent = (answer: Json) => {
	const sent = listOf<Json>('data')(answer);
	return sent?.some(isSent) ? sent : undefined;
};

/** Reads the list in a field, which some services write as `null` when it is empty; undefined for any other value. */
const listOf =
	<Element extends Json>(field: 'data' | 'body'): ReadPayload<Element[]> =>
	(answer) => {
		const list = answer[field];
		if (list === null && answer.success === true) return [];
		return Array.isArray(list) && list.every(isObject) ? (list as Element[]) : undefined;
	};

/** Whether a record of "Send template message" says anything about a message: its status, or the provider's ID. */
const isSent = ({ status, response }: Json) => isText(status) || isText(response);

/** Whether a value is an id or a word: a number, or text that is not blank. */
const isText = (value: unknown) =>
	typeof value === 'number' || (typeof value === 'string' && /\S/.test(value));

/** Reads a number that may be written as text, as databases count. */
const wholeNumber = (value: unknown) =>
	/^\d{1,15}$/.test(String(value).trim()) ? Number(value) : undefined;

const withoutEmpty = (query: Record<string, string | number | undefined>) =>
	Object.fromEntries(
		Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
	) as Record<string, string | number>;

/**
 * Encodes an id as one segment of a path. URL parsers resolve `.` and `..` even when they are written as `%2E`.
 * Encoded twice, they match no id and do not change the rest of the path.
 */
const inPath = (id: string) =>
	id === '.' || id === '..' ? id.replaceAll('.', '%252E') : encodeURIComponent(id);
