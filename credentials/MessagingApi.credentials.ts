import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

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
				'32 random letters and digits of your own. If you set it, the Messaging Trigger refuses every call without it: in the URL, as ?secret=…, or in the header x-webhook-secret.',
		},
	];

	/**
	 * Adds the key: docs/development/interface.md, "Authentication". A function, because the declarative form would
	 * evaluate an expression for every request. The nodes test the credential (editor/testCredential.ts).
	 */
	authenticate = async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		headers: { ...request.headers, apiKey: String(apiKey ?? '').trim() },
	});
}
