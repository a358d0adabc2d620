import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	get,
	listing,
	messagesOf,
	post,
	success,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { chosen, plainTemplate, SENDER } from '../../support/runMessaging';

/** The expected behaviour of an operation, with one input item for each id. */
export type OperationCase = {
	/** Its fields; its name has its resource and operation. With `simplified`, *Simplify* is off. */
	parameters: INodeParameters;
	/** The requests that the interface documents for items with these ids. */
	requests: (ids: string[]) => ServiceRequest[];
	/** The documented answer. */
	answer: (asked: ServiceRequest) => ServiceAnswer;
	/** The payload of the answer, as the error calls it when it is missing. */
	payload: string;
	/** The items that the node returns for an item with this id. */
	output: (id: string) => IDataObject[];
	/** Operations with *Simplify*: the same items when it is on. */
	simplified?: (id: string) => IDataObject[];
	/** Parameters for a run against the sandbox, whose output is compared with the preview of the output. */
	inSandbox: (ids: SandboxIds) => INodeParameters;
	/** A sending operation: its failed items have more details. */
	sends?: boolean;
	/** The request is the same for every item. */
	sameRequest?: boolean;
	/** All items go into one request. */
	together?: boolean;
	/** The identifier that is sent for an item with this id. */
	identifier?: (id: string) => string;
};

/** Ids that exist only after a campaign was sent to the sandbox. */
export type SandboxIds = { campaignId: string; logId: string };

const ID = '={{ $json.id }}';
const TIME = '2026-01-01T10:00:00.000Z';

/** Undocumented fields and values, which the node returns unchanged. */
const UNKNOWN = { later: { added: [1, null, 'x'] }, state: 'NEVER_SEEN' };

const simpleChannel = (id: string) => ({
	id,
	name: `Channel ${id}`,
	phone: null,
	medium: 'SMS',
	type: 'DEFAULT',
	country: 'HR',
	status: 'ACTIVE',
});
const channel = (id: string) => ({ ...simpleChannel(id), identifier: null, ...UNKNOWN });
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
const simpleOtpTemplate = (id: string) => ({
	id,
	name: `otp_${id}`,
	locale: 'en',
	body: '{{otp}} is your code for {{firm}}',
	status: 'approved',
});
const otpTemplate = (id: string) => ({ ...simpleOtpTemplate(id), firm_id: null, ...UNKNOWN });
const simpleLogRecord = (id: string, campaign = 'c1') => ({
	id,
	to: '385911234567',
	from: SENDER,
	status: 'delivered',
	reason: null,
	delivered_time: TIME,
	units: 1,
	campaign_id: campaign,
	identifier: `order-${id}`,
	createdAt: TIME,
});
const logRecord = (id: string, campaign = 'c1') => ({
	...simpleLogRecord(id, campaign),
	externalId: `ext-${id}`,
	...UNKNOWN,
});
/** Two records that match the filters (the campaign c9 and the identifier), because the node drops all others. */
const logsOfIdentifier = (identifier: string, record: (id: string, campaign: string) => object) =>
	[`of-${identifier}`, 'second'].map((id) => ({ ...record(id, 'c9'), identifier }));
const simpleMessageRecord = (to: string) => ({
	id: `message-${to}`,
	externalId: `ext-${to}`,
});
const messageRecord = (to: string) => ({
	...simpleMessageRecord(to),
	content: 'Hello',
	contentType: 'TEXT',
	sender: { name: 'Shop', authUser: true, lastActivity: TIME },
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

const lastOfPath = ({ path }: ServiceRequest) => path.split('/').at(-1)!;
const logs = (records: IDataObject[]) =>
	success(records, { count: records.length, currentPage: 1, totalPage: 1 });

/** Valid as an ID, as a name and as a phone number. */
export const IDS = ['385911000001', '385911000002', '385911000003'];

const OTP_TEMPLATES = IDS.map(otpTemplate);

const SANDBOX_CHANNEL = chosen('id', 'c1000000-0000-4000-8000-000000000001');
const TO_SANDBOX = {
	from: chosen('phone', SENDER),
	to: '={{ $json.phone }}',
	...plainTemplate('opening_hours'),
};

/**
 * Every operation of the node but `sendAndWait`, whose output is what a person answers
 * (test/nodes/sendAndWait). test/contract/operations.test.ts names an operation that is missing here.
 */
const CASES: Record<string, OperationCase> = {
	'campaign send': {
		parameters: {
			from: chosen('phone', SENDER),
			to: ID,
			...plainTemplate('opening_hours'),
			options: { identifier: '={{ "order-" + $json.id }}' },
		},
		requests: (ids) => [
			post('/api/public/chatapp/campaign', {
				from: SENDER,
				messages: ids.map((to) => ({
					to,
					template: { name: 'opening_hours' },
					identifier: `order-${to}`,
				})),
			}),
		],
		answer: () => success({ campaign_id: 'c1', ...UNKNOWN }),
		payload: 'campaign id',
		output: (to) => [
			{
				to,
				status: 'accepted',
				reason: '-',
				identifier: `order-${to}`,
				campaign_id: 'c1',
				...UNKNOWN,
			},
		],
		inSandbox: () => TO_SANDBOX,
		sends: true,
		together: true,
		identifier: (id) => `order-${id}`,
	},
	'campaign getReport': {
		parameters: { campaignId: ID, output: 'recipients' },
		requests: (ids) =>
			ids.map((id) =>
				get('/api/public/logs', { 'page[size]': '500', 'page[number]': '1', campaign_id: id }),
			),
		answer: ({ query }) => logs([logRecord('l1', query.campaign_id)]),
		payload: 'list of log records',
		output: (id) => [logRecord('l1', id)],
		inSandbox: ({ campaignId }) => ({ campaignId }),
	},
	'channel get': {
		parameters: { channelId: chosen('id', ID) },
		requests: (ids) => ids.map((id) => get(`/api/public/channel/${id}`)),
		answer: (asked) => success(channel(lastOfPath(asked))),
		payload: 'channel',
		output: (id) => [channel(id)],
		simplified: (id) => [simpleChannel(id)],
		inSandbox: () => ({ channelId: SANDBOX_CHANNEL }),
	},
	'channel getAll': {
		parameters: { channelFilters: { name: ID, status: 'PENDING' } },
		requests: (ids) =>
			ids.map((name) => get('/api/public/channels/chatapp', { name, status: 'PENDING' })),
		answer: ({ query }) => success([channel(query.name), channel('second')]),
		payload: 'list of channels',
		output: (id) => [channel(id), channel('second')],
		simplified: (id) => [simpleChannel(id), simpleChannel('second')],
		inSandbox: () => ({}),
	},
	'channelTemplate getAll': {
		parameters: { channelId: chosen('id', ID) },
		requests: (ids) => ids.map((id) => get(`/api/public/channel/${id}/templates`)),
		answer: ({ path }) => listing([template(path.split('/').at(-2)!), template('second')]),
		payload: 'list of templates',
		output: (id) => [template(id), template('second')],
		inSandbox: () => ({ channelId: SANDBOX_CHANNEL }),
	},
	'log get': {
		parameters: { logId: ID },
		requests: (ids) => ids.map((id) => get('/api/public/logs', { id })),
		answer: ({ query }) => logs([logRecord(query.id)]),
		payload: 'list of log records',
		output: (id) => [logRecord(id)],
		simplified: (id) => [simpleLogRecord(id)],
		inSandbox: ({ logId }) => ({ logId }),
	},
	'log getAll': {
		parameters: { logFilters: { campaignId: 'c9', identifier: ID } },
		requests: (ids) =>
			ids.map((identifier) =>
				get('/api/public/logs', {
					'page[size]': '500',
					'page[number]': '1',
					campaign_id: 'c9',
					identifier,
				}),
			),
		answer: ({ query }) => logs(logsOfIdentifier(query.identifier, logRecord)),
		payload: 'list of log records',
		output: (id) => logsOfIdentifier(id, logRecord),
		simplified: (id) => logsOfIdentifier(id, simpleLogRecord),
		inSandbox: ({ campaignId }) => ({ logFilters: { campaignId } }),
	},
	'message sendText': {
		parameters: { from: chosen('phone', SENDER), to: ID, message: 'Hello' },
		requests: (ids) =>
			ids.map((to) =>
				post('/api/public/conversation/text', { from: SENDER, to, message: 'Hello' }),
			),
		answer: ({ body }) => success(messageRecord((body as { to: string }).to)),
		payload: 'message ID',
		output: (to) => [{ to, status: 'accepted', reason: '-', ...messageRecord(to) }],
		simplified: (to) => [{ to, status: 'accepted', reason: '-', ...simpleMessageRecord(to) }],
		inSandbox: () => ({ from: TO_SANDBOX.from, to: TO_SANDBOX.to, message: 'Hello' }),
		sends: true,
	},
	'message sendTemplate': {
		parameters: {
			from: chosen('phone', SENDER),
			to: ID,
			...plainTemplate('opening_hours'),
		},
		requests: (ids) =>
			ids.map((to) =>
				post('/api/public/conversation/template', {
					from: SENDER,
					messages: [{ to, template: { name: 'opening_hours' } }],
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
		payload: 'list of sent messages',
		output: (to) => [
			{
				...{ to, status: 'accepted', reason: '-' },
				...{ response: `provider-${to}`, serviceStatus: 'success', ...UNKNOWN },
			},
		],
		inSandbox: () => TO_SANDBOX,
		sends: true,
	},
	'otpTemplate get': {
		parameters: { otpTemplateId: chosen('id', ID) },
		requests: (ids) => ids.map(() => get('/api/otp/templates')),
		answer: () => listing(OTP_TEMPLATES),
		payload: 'list of OTP templates',
		output: (id) => [otpTemplate(id)],
		simplified: (id) => [simpleOtpTemplate(id)],
		inSandbox: () => ({ otpTemplateId: chosen('id', 'a1000000-0000-4000-8000-000000000001') }),
		sameRequest: true,
	},
	'otpTemplate getAll': {
		parameters: {},
		requests: (ids) => ids.map(() => get('/api/otp/templates')),
		answer: () => listing(OTP_TEMPLATES),
		payload: 'list of OTP templates',
		output: () => OTP_TEMPLATES,
		simplified: () => IDS.map(simpleOtpTemplate),
		inSandbox: () => ({}),
		sameRequest: true,
	},
	'smsReport get': {
		parameters: { messageId: ID },
		requests: (ids) => ids.map((id) => get(`/api/public/dlr/${id}/sms`)),
		answer: ({ path }) => ({ body: smsReport(path.split('/').at(-2)!) }),
		payload: 'delivery report',
		output: (id) => [smsReport(id)],
		inSandbox: () => ({ messageId: 'd1000000-0000-4000-8000-000000000001' }),
	},
};

/** *Simplify*: an option of the operation that sends. */
export const simplifying = (name: string, simplify: boolean | string) =>
	name === 'message sendText' ? { options: { simplify } } : { simplify };

/** The cases with all of their parameters: their resource and operation are their names. */
export const OPERATIONS = Object.fromEntries(
	Object.entries(CASES).map(([name, operation]): [string, OperationCase] => {
		const [resource, value] = name.split(' ');
		const simplify = operation.simplified && simplifying(name, false);
		const parameters = { resource, operation: value, ...simplify, ...operation.parameters };
		return [name, { ...operation, parameters }];
	}),
);

/** An input item for each id. */
export const itemsOf = (ids: string[]) => ids.map((id, row) => ({ id, row }));
