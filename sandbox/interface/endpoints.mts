/** An endpoint of docs/development/interface.md. `payload` is the field of its answer that contains the payload. */
export interface Endpoint {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly payload: 'data' | 'body' | 'conversation';
}

/** All endpoints, by the names that fault rules and counts use. */
export const endpoints = {
	getOtpTemplates: {
		method: 'GET',
		path: '/api/otp/templates',
		payload: 'body',
	},
	getChannels: {
		method: 'GET',
		path: '/api/public/channels/chatapp',
		payload: 'data',
	},
	sendText: {
		method: 'POST',
		path: '/api/public/conversation/text',
		payload: 'data',
	},
	sendCampaign: {
		method: 'POST',
		path: '/api/public/chatapp/campaign',
		payload: 'data',
	},
	getChannelTemplates: {
		method: 'GET',
		path: '/api/public/channel/:id/templates',
		payload: 'body',
	},
	sendTemplate: {
		method: 'POST',
		path: '/api/public/conversation/template',
		payload: 'data',
	},
	getLogs: {
		method: 'GET',
		path: '/api/public/logs',
		payload: 'data',
	},
	getChannel: {
		method: 'GET',
		path: '/api/public/channel/:id',
		payload: 'data',
	},
	getSmsReport: {
		method: 'GET',
		path: '/api/public/dlr/:id/sms',
		payload: 'conversation',
	},
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export type SendingEndpoint = Extract<EndpointName, `send${string}`>;

export const endpointNames = Object.keys(endpoints) as EndpointName[];
