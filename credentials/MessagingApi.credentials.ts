import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { parseBaseUrl } from '../nodes/Messaging/service/baseUrl';

const KEY_REFUSED = 'The service refused the API key. Check that it is complete and still valid.';

/** For `success: false`, which may have another reason than the key. n8n's rules cannot show the service's message. */
const REFUSED =
	'The service refused the request. Check that the API key is complete and still valid. If it is, the service does not work at the moment: try again later.';

/** HTTP statuses that say nothing about the key. */
const KEY_NOT_CHECKED = {
	429: 'The service received too many requests (HTTP 429), so the API key could not be checked. Wait a minute and try again.',
	502: 'The service cannot be reached behind its gateway (HTTP 502), so the API key could not be checked. Try again later.',
	503: 'The service is unavailable (HTTP 503), so the API key could not be checked. Try again later.',
	504: 'The service did not answer its gateway in time (HTTP 504), so the API key could not be checked. Try again later.',
};

export class MessagingApi implements ICredentialType {
	name = 'messagingApi';

	displayName = 'Messaging API';

	icon = {
		light: 'file:../icons/messaging.svg',
		dark: 'file:../icons/messaging.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/n8n-nodes-messaging/n8n-nodes-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://api.example.com',
			description: 'The address that your provider gave you, without the path of an endpoint',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key from your provider',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'A long random text of your own. When set, the Messaging Trigger refuses every call that does not carry it, as ?secret=… in the URL or in the header x-webhook-secret.',
		},
	];

	/**
	 * Adds the key: docs/development/interface.md, "Authentication". A function, because the declarative form would
	 * evaluate an expression for every request. Only the credential test has a `baseURL`, which is checked here.
	 */
	authenticate = async (
		{ baseUrl, apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		...(request.baseURL !== undefined && { baseURL: parseBaseUrl(baseUrl) }),
		headers: { ...request.headers, apiKey: String(apiKey ?? '').trim() },
	});

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/api/public/channels/chatapp',
			// The HTTP status of a refused key is not documented, so the rules read the answer of every other
			// status. An n8n version without `except` reads this as `true`.
			ignoreHttpStatusErrors: {
				ignore: true,
				except: [401, ...Object.keys(KEY_NOT_CHECKED).map(Number)],
			},
			disableFollowRedirect: true,
			json: true,
		},
		rules: [
			{
				type: 'responseCode',
				properties: { value: 401, message: KEY_REFUSED },
			},
			...Object.entries(KEY_NOT_CHECKED).map(([status, message]) => ({
				type: 'responseCode',
				properties: { value: Number(status), message },
			})),
			{
				type: 'responseSuccessBody',
				properties: { key: 'message', value: 'Invalid API Key', message: KEY_REFUSED },
			},
			...[false, 'false', 0].map((value) => ({
				type: 'responseSuccessBody',
				properties: { key: 'success', value, message: REFUSED },
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message:
						'The Base URL does not lead to the messaging service. Check the address, and whether a proxy or a firewall is in between.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
