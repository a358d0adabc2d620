import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { get, listing, messagesOf, post, success, type Asked, type Reply } from './fakeService';
import { chosen, SENDER } from './runs';

/** An operation of the contract's table, run with one input item for each of some ids. */
export type OperationCase = {
	parameters: INodeParameters;
	/** The requests that the interface documents for items with these ids. */
	requests: (ids: string[]) => Asked[];
	/** The documented answer. */
	answer: (asked: Asked) => Reply;
	/** What comes out for an item with this id. */
	output: (id: string) => IDataObject[];
	/** Sends: an item that failed tells more. */
	sends?: boolean;
	/** The request is the same for every item. */
	sameRequest?: boolean;
	/** All items go into one request. */
	together?: boolean;
	identifier?: (id: string) => string;
};

const ID = '={{ $json.id }}';
const TIME = '2026-01-01T10:00:00.000Z';

/** Fields and values that the interface does not show go through everything untouched. */
const UNKNOWN = { later: { added: [1, null, 'x'] }, state: 'NEVER_SEEN' };

const channel = (id: string) => ({
	id,
	phone: null,
	identifier: null,
	medium: 'SMS',
	name: `Channel ${id}`,
	status: 'ACTIVE',
	...UNKNOWN,
});
const template = (id: string) => ({
	category: 'ALERT_UPDATE',
	components: [{ type: 'BODY', text: 'Hello {{1}}', example: { body_text: [['Ana']] } }],
	language: 'en_GB',
	name: `template_${id}`,
	namespace: 'n',
	rejected_reason: null,
	status: 'submitted',
	...UNKNOWN,
});
const otpTemplate = (id: string) => ({
	id,
	body: '{{otp}} is your code for {{firm}}',
	name: `otp_${id}`,
	locale: 'en',
	status: 'approved',
	firm_id: null,
	...UNKNOWN,
});
const logRecord = (id: string, campaign = 'c1') => ({
	id,
	externalId: `ext-${id}`,
	status: 'delivered',
	reason: null,
	from: SENDER,
	to: '385911234567',
	units: 1,
	delivered_time: TIME,
	createdAt: TIME,
	campaign_id: campaign,
	identifier: `order-${id}`,
	...UNKNOWN,
});
/** Two records of a message in the campaign c9: whatever else the service gave would be left out. */
const logsOfIdentifier = (identifier: string) =>
	[`of-${identifier}`, 'second'].map((id) => ({ ...logRecord(id, 'c9'), identifier }));
const messageRecord = (to: string) => ({
	id: `message-${to}`,
	content: 'Hello',
	contentType: 'TEXT',
	sender: { name: 'Shop', authUser: true, lastActivity: TIME },
	externalId: `ext-${to}`,
	conversation_id: `conversation-${to}`,
	createdAt: TIME,
	updatedAt: TIME,
	subject: null,
	...UNKNOWN,
});
const smsReport = (id: string) => ({
	event: 'smsDeliveryReport',
	message: null,
	conversation: {
		id,
		externalId: 'e',
		status: 'delivered',
		to: '385911234567',
		units: 1,
		...UNKNOWN,
	},
	...UNKNOWN,
});

const lastOfPath = ({ path }: Asked) => path.split('/').at(-1)!;
const logs = (records: IDataObject[]) =>
	success(records, { count: records.length, currentPage: 1, totalPage: 1 });
const OTHER_OTP_TEMPLATES = ['385911000001', '385911000002', '385911000003'].map(otpTemplate);

/** Every operation of the contract but `sendAndWait`. */
export const OPERATIONS: Record<string, OperationCase> = {
	'campaign send': {
		parameters: {
			resource: 'campaign',
			operation: 'send',
			from: chosen('phone', SENDER),
			to: ID,
			template: chosen('name', 'opening_hours'),
			identifier: '={{ "order-" + $json.id }}',
		},
		requests: (ids) => [
			post('/api/public/chatapp/campaign', {
				from: SENDER,
				messages: ids.map((to) => ({
					to,
					save: false,
					template: { name: 'opening_hours' },
					identifier: `order-${to}`,
				})),
			}),
		],
		answer: () => success({ campaign_id: 'c1', ...UNKNOWN }),
		output: (to) => [{ to, identifier: `order-${to}`, campaign_id: 'c1', ...UNKNOWN }],
		sends: true,
		together: true,
		identifier: (id) => `order-${id}`,
	},
	'campaign getReport': {
		parameters: {
			resource: 'campaign',
			operation: 'getReport',
			campaignId: ID,
			output: 'recipients',
		},
		requests: (ids) =>
			ids.map((id) =>
				get('/api/public/logs', { 'page[size]': '500', 'page[number]': '1', campaign_id: id }),
			),
		answer: ({ query }) => logs([logRecord('l1', query.campaign_id)]),
		output: (id) => [logRecord('l1', id)],
	},
	'channel get': {
		parameters: { resource: 'channel', operation: 'get', channelId: chosen('id', ID) },
		requests: (ids) => ids.map((id) => get(`/api/public/channel/${id}`)),
		answer: (asked) => success(channel(lastOfPath(asked))),
		output: (id) => [channel(id)],
	},
	'channel getAll': {
		parameters: {
			resource: 'channel',
			operation: 'getAll',
			channelFilters: { name: ID, status: 'PENDING' },
		},
		requests: (ids) =>
			ids.map((name) => get('/api/public/channels/chatapp', { name, status: 'PENDING' })),
		answer: ({ query }) => success([channel(query.name), channel('second')]),
		output: (id) => [channel(id), channel('second')],
	},
	'channelTemplate getAll': {
		parameters: { resource: 'channelTemplate', operation: 'getAll', channelId: chosen('id', ID) },
		requests: (ids) => ids.map((id) => get(`/api/public/channel/${id}/templates`)),
		answer: ({ path }) => listing([template(path.split('/').at(-2)!), template('second')]),
		output: (id) => [template(id), template('second')],
	},
	'log get': {
		parameters: { resource: 'log', operation: 'get', logId: ID },
		requests: (ids) => ids.map((id) => get('/api/public/logs', { id })),
		answer: ({ query }) => logs([logRecord(query.id)]),
		output: (id) => [logRecord(id)],
	},
	'log getAll': {
		parameters: {
			resource: 'log',
			operation: 'getAll',
			logFilters: { campaignId: 'c9', identifier: ID },
		},
		requests: (ids) =>
			ids.map((identifier) =>
				get('/api/public/logs', {
					'page[size]': '50',
					'page[number]': '1',
					campaign_id: 'c9',
					identifier,
				}),
			),
		answer: ({ query }) => logs(logsOfIdentifier(query.identifier)),
		output: logsOfIdentifier,
	},
	'message sendText': {
		parameters: {
			resource: 'message',
			operation: 'sendText',
			from: chosen('phone', SENDER),
			to: ID,
			message: 'Hello',
		},
		requests: (ids) =>
			ids.map((to) =>
				post('/api/public/conversation/text', { from: SENDER, to, message: 'Hello' }),
			),
		answer: ({ body }) => success(messageRecord((body as { to: string }).to)),
		output: (to) => [messageRecord(to)],
		sends: true,
	},
	'message sendTemplate': {
		parameters: {
			resource: 'message',
			operation: 'sendTemplate',
			from: chosen('phone', SENDER),
			to: ID,
			template: chosen('name', 'opening_hours'),
		},
		requests: (ids) =>
			ids.map((to) =>
				post('/api/public/conversation/template', {
					from: SENDER,
					messages: [{ to, save: false, template: { name: 'opening_hours' } }],
				}),
			),
		answer: (asked) =>
			success(
				messagesOf(asked).map(({ to }) => ({
					status: 'success',
					response: `provider-${String(to)}`,
					...UNKNOWN,
				})),
			),
		output: (to) => [{ to, status: 'success', response: `provider-${to}`, ...UNKNOWN }],
		sends: true,
	},
	'otpTemplate get': {
		parameters: { resource: 'otpTemplate', operation: 'get', otpTemplateId: chosen('id', ID) },
		requests: (ids) => ids.map(() => get('/api/otp/templates')),
		answer: () => listing(OTHER_OTP_TEMPLATES),
		output: (id) => [otpTemplate(id)],
		sameRequest: true,
	},
	'otpTemplate getAll': {
		parameters: { resource: 'otpTemplate', operation: 'getAll' },
		requests: (ids) => ids.map(() => get('/api/otp/templates')),
		answer: () => listing(OTHER_OTP_TEMPLATES),
		output: () => OTHER_OTP_TEMPLATES,
		sameRequest: true,
	},
	'smsReport get': {
		parameters: { resource: 'smsReport', operation: 'get', messageId: ID },
		requests: (ids) => ids.map((id) => get(`/api/public/dlr/${id}/sms`)),
		answer: ({ path }) => ({ body: smsReport(path.split('/').at(-2)!) }),
		output: (id) => [smsReport(id)],
	},
};

/** Fit to be an id, a name and a phone number. */
export const IDS = ['385911000001', '385911000002', '385911000003'];

export const itemsOf = (ids: string[]) => ids.map((id, row) => ({ id, row }));
