/** One of the nine endpoints of section 4. `payload` is the field its answer carries (2.1, 2.6). */
export interface Endpoint {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly payload: 'data' | 'body' | 'conversation';
	readonly section: string;
}

/** The nine endpoints under the names that fault rules and counts use. */
export const endpoints = {
	getOtpTemplates: {
		method: 'GET',
		path: '/api/otp/templates',
		payload: 'body',
		section: '4.1',
	},
	getChannels: {
		method: 'GET',
		path: '/api/public/channels/chatapp',
		payload: 'data',
		section: '4.2',
	},
	sendText: {
		method: 'POST',
		path: '/api/public/conversation/text',
		payload: 'data',
		section: '4.3',
	},
	sendCampaign: {
		method: 'POST',
		path: '/api/public/chatapp/campaign',
		payload: 'data',
		section: '4.4',
	},
	getChannelTemplates: {
		method: 'GET',
		path: '/api/public/channel/:id/templates',
		payload: 'body',
		section: '4.5',
	},
	sendTemplate: {
		method: 'POST',
		path: '/api/public/conversation/template',
		payload: 'data',
		section: '4.6',
	},
	getLogs: {
		method: 'GET',
		path: '/api/public/logs',
		payload: 'data',
		section: '4.7',
	},
	getChannel: {
		method: 'GET',
		path: '/api/public/channel/:id',
		payload: 'data',
		section: '4.8',
	},
	getSmsReport: {
		method: 'GET',
		path: '/api/public/dlr/:id/sms',
		payload: 'conversation',
		section: '4.9',
	},
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export type SendingEndpoint = Extract<EndpointName, `send${string}`>;

export const endpointNames = Object.keys(endpoints) as EndpointName[];
