import type { IWebhookDescription } from 'n8n-workflow';

/**
 * Where the links of a question lead: n8n checks their signature and hands on to the node's `webhook`.
 * These are no webhooks of a service, so there is nothing to register and to remove.
 */
export const questionWebhooks: IWebhookDescription[] = (['GET', 'POST'] as const).map(
	(httpMethod) => ({
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	}),
);
