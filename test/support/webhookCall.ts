import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { WebhookResponse } from './webhookResponse';

/** The trigger and the call. Every field has a default. */
export type Given = {
	parameters?: IDataObject;
	credential?: IDataObject;
	credentials?: IDataObject;
	mode?: string;
	workflowId?: string;
	nodeId?: string;
	/** The workflow's static data of this trigger; the call may change it. */
	staticData?: IDataObject;
	body?: unknown;
	query?: IDataObject;
	headers?: IDataObject;
	/** Answers the requests to the service. It throws to simulate a service that cannot be reached. */
	service?: (options: IDataObject) => unknown;
	/** Replaces members of the context. */
	more?: object;
};

/** The context for the trigger, and the results of the call so far. */
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
 * A call of the trigger, with only the parts of n8n that the trigger uses. It does not load n8n-core, which is too slow for
 * mutation tests. Tests of n8n's own behaviour use n8n-core's context (test/nodes/trigger/hook.ts).
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
