import { LOG_PAGES, LOG_RECORDS_PER_PAGE } from '../service/answers.mts';
import { credentialOf, LIST_EXPRESSION } from './scenario.mts';
import type { Scenario } from './scenario.mts';

const each = (items: number) => items;

export const rawHttp: Scenario = {
	name: 'raw',
	title: 'Node http, keep-alive (limit of the machine)',
	program: 'raw.mts',
	node: () => ({ type: '', typeVersion: 1, parameters: {} }),
	requests: each,
	messages: each,
};

const helper = (name: string, title: string): Scenario => ({
	name,
	title,
	program: 'worker.mts',
	node: ({ protocol }) => ({
		type: `bench.${name}`,
		typeVersion: 1,
		parameters: {},
		credentials: credentialOf('messagingApi', protocol),
	}),
	requests: each,
	messages: each,
});

export const helpers = [
	helper('helper', 'helpers.httpRequest, as it is'),
	helper('helperLean', 'helpers.httpRequest, options that cost least (limit of the platform)'),
	helper('helperCredential', 'helpers.httpRequestWithAuthentication, the same options'),
];

const bareCampaign = (name: string, title: string, input?: Scenario['input']): Scenario => ({
	...helper(name, title),
	requests: () => 1,
	input,
});

/** Nodes that do the least with which a campaign can be sent, or its list evaluated. */
export const bareCampaigns: Scenario[] = [
	bareCampaign('bareCampaign', 'items mapped to the same body, one helpers.httpRequest'),
	bareCampaign('bareCampaignList', 'the same, list in a field of one item', 'gathered'),
	{
		name: 'evaluateList',
		title: "n8n's evaluation of the list's expression alone",
		program: 'worker.mts',
		node: () => ({
			type: 'bench.evaluateList',
			typeVersion: 1,
			parameters: { list: LIST_EXPRESSION },
		}),
		requests: () => 0,
	},
];

/** The time that n8n itself needs to pass the items through a node. */
export const noOp: Scenario = {
	name: 'noOp',
	title: 'No Operation (the engine alone)',
	program: 'worker.mts',
	node: () => ({ type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }),
	requests: () => 0,
};

const httpRequest = (
	name: string,
	title: string,
	fields: { to: string; message: string },
	options = {},
): Scenario => ({
	name,
	title: `HTTP Request: ${title}`,
	program: 'worker.mts',
	requests: each,
	messages: each,
	node: ({ protocol, url }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		credentials: credentialOf('httpHeaderAuth', protocol),
		parameters: {
			method: 'POST',
			url: `${url}/api/public/conversation/text`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			contentType: 'json',
			specifyBody: 'keypair',
			bodyParameters: {
				parameters: [
					{ name: 'from', value: '385910000000' },
					{ name: 'to', value: fields.to },
					{ name: 'message', value: fields.message },
				],
			},
			options,
		},
	}),
});

const plain = { to: '={{ $json.phone }}', message: '={{ $json.text }}' };

export const httpRequests: Scenario[] = [
	httpRequest('httpRequest', 'default', plain),
	httpRequest('httpRequestBatched', 'Batching 50 / 1000 ms', plain, {
		batching: { batch: { batchSize: 50, batchInterval: 1000 } },
	}),
	httpRequest('httpRequestExpressions', 'default, two real expressions per item', {
		to: '={{ $json.phone.toString().trim() }}',
		message: '=Hello {{ $json.name }}, your {{ $json.order }} is on its way.',
	}),
];

/** A node with code: a loop that waits for each answer. */
export const twilio: Scenario = {
	name: 'twilio',
	title: 'Twilio node (serial)',
	program: 'worker.mts',
	requests: each,
	messages: each,
	node: ({ protocol }) => ({
		type: 'n8n-nodes-base.twilio',
		typeVersion: 1,
		credentials: credentialOf('twilioApi', protocol),
		parameters: {
			resource: 'sms',
			operation: 'send',
			from: '+385910000000',
			to: plain.to,
			message: plain.message,
			toWhatsapp: false,
			options: {},
		},
	}),
};

/** A declarative node: n8n sends the requests from its description. */
export const whatsApp: Scenario = {
	name: 'whatsApp',
	title: 'WhatsApp Business Cloud node (declarative)',
	program: 'worker.mts',
	requests: each,
	messages: each,
	node: ({ protocol }) => ({
		type: 'n8n-nodes-base.whatsApp',
		typeVersion: 1.1,
		credentials: credentialOf('whatsAppApi', protocol),
		parameters: {
			resource: 'message',
			operation: 'send',
			phoneNumberId: '100200300',
			recipientPhoneNumber: plain.to,
			messageType: 'text',
			textBody: plain.message,
			additionalFields: {},
		},
	}),
};

/** Reads the pages of the logs with the HTTP Request node's option Pagination. */
export const pagination: Scenario = {
	name: 'pagination',
	title: 'HTTP Request: Pagination, all pages of the logs',
	program: 'worker.mts',
	requests: () => LOG_PAGES,
	node: ({ protocol, url }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		credentials: credentialOf('httpHeaderAuth', protocol),
		parameters: {
			method: 'GET',
			url: `${url}/api/public/logs`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendQuery: true,
			specifyQuery: 'keypair',
			queryParameters: {
				parameters: [{ name: 'page[size]', value: String(LOG_RECORDS_PER_PAGE) }],
			},
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'page[number]', value: '={{ $pageCount + 1 }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $response.body.currentPage >= $response.body.totalPage }}',
						limitPagesFetched: false,
						requestInterval: 0,
					},
				},
			},
		},
	}),
};
