import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { WebhookResponse } from './webhookResponse';

/** What a test says of the trigger that is called; the rest is filled in. */
export type Given = {
	parameters?: IDataObject;
	credential?: IDataObject;
	credentials?: IDataObject;
	mode?: string;
	workflowId?: string;
	nodeId?: string;
	/** What n8n keeps for this trigger; the call may change it. */
	staticData?: IDataObject;
	body?: unknown;
	query?: IDataObject;
	headers?: IDataObject;
	/** The service behind the credential; throws when it cannot be reached. */
	service?: (options: IDataObject) => unknown;
	/** Replaces members of the context. */
	more?: object;
};

/** What came of it so far. */
export type Call = {
	context: IWebhookFunctions;
	response: WebhookResponse;
	answers: Array<{ status: number; message: string }>;
	log: string[];
};

const CREDENTIAL = {
	baseUrl: 'https://api.messaging.test',
	apiKey: 'example-key',
	webhookSecret: '',
};

/**
 * A call of the trigger with just what it uses of n8n. It loads in no time, for the tests that run once
 * for each mutant; how n8n itself behaves is tested with n8n-core's context (trigger/hook.ts).
 */
export function webhookCall({
	parameters = {},
	credential = CREDENTIAL,
	credentials = {},
	mode = 'webhook',
	workflowId = 'workflow',
	nodeId = 'node',
	staticData = {},
	body = {},
	query = {},
	headers = {},
	service = () => undefined,
	more = {},
}: Given): Call {
	const answers: Call['answers'] = [];
	const log: string[] = [];
	const note = (level: string) => (text: string, details?: { error: unknown }) => {
		log.push(`${level} ${text}${details ? ` ${String(details.error)}` : ''}`);
	};
	const response = new WebhookResponse();
	response.once('finish', () => {
		const { message } = response.body as { message: string };
		answers.push({ status: response.statusCode, message });
	});
	const context = {
		getQueryData: () => query,
		getHeaderData: () => headers,
		getRequestObject: () => ({ body, headers, rawBody: Buffer.from('') }),
		getResponseObject: () => response,
		getNodeParameter: (name: string, otherwise: unknown) =>
			name in parameters ? parameters[name] : otherwise,
		getMode: () => mode,
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: nodeId, credentials }),
		getWorkflowStaticData: (whose: string) => (whose === 'node' ? staticData : {}),
		getCredentials: async () => credential,
		helpers: {
			httpRequestWithAuthentication: async (_: unknown, options: IDataObject) => service(options),
		},
		logger: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
		...more,
	};
	return { context: context as unknown as IWebhookFunctions, response, answers, log };
}
