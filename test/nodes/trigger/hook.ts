import type {
	IDataObject,
	IWebhookFunctions,
	IWebhookResponseData,
	Logger,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { WebhookContext } from 'n8n-core';
import { MessagingTrigger } from '../../../nodes/Messaging/MessagingTrigger.node';
import { startByWebhook, webhookContext, WebhookResponse } from '../../support/n8n';
import { ADDRESS, KEY } from '../../support/mockService';
import type { Harness } from '../../support/harness';

/** Found nowhere else: a test that meets it in an output, a log or an answer has found a leak. */
export const SECRET = 'example-secret+of the/webhook';

export type Delivery = {
	/** What is sent; an object is sent as JSON. */
	body?: unknown;
	/** Null for none; undefined for what fits the body. */
	contentType?: string | null;
	query?: IDataObject;
	headers?: IDataObject;
	/** The fields of a multipart form, which has a file, too. */
	form?: IDataObject;
};

/** The result of a delivery. */
export type Outcome = {
	status: number;
	message: string;
	/** How often the call was answered. n8n answers, too, unless the trigger says that it has. */
	answers: number;
	/** Undefined when nothing was started. */
	items: IDataObject[] | undefined;
	log: string;
};

type Sabotage = (context: IWebhookFunctions, response: WebhookResponse) => void;

/** The content types that n8n parses; any other body it leaves alone (2.41, `webhooks/webhook-helpers.js`). */
const PARSED = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];

/** What n8n's body parser makes of a call (2.40, `middlewares/body-parser.js`). */
function parseAsN8n(raw: Buffer, contentType: string): unknown {
	const text = raw.toString('utf8').replace(/^\uFEFF/, '');
	if (raw.length === 0) return {};
	if (contentType === 'application/json') return JSON.parse(text) ?? {};
	if (contentType === 'application/x-www-form-urlencoded') {
		return Object.assign(
			Object.create(null) as object,
			Object.fromEntries(new URLSearchParams(text)),
		);
	}
	return text;
}

function bytesOf(body: unknown): { raw: Buffer; isJson: boolean } {
	if (Buffer.isBuffer(body)) return { raw: body, isJson: false };
	if (typeof body === 'string') return { raw: Buffer.from(body), isJson: false };
	return body === undefined
		? { raw: Buffer.alloc(0), isJson: false }
		: { raw: Buffer.from(JSON.stringify(body)), isJson: true };
}

/** The static data that n8n stores of a workflow. Each call reads it, and overwrites it when the data has changed. */
export class Database {
	staticData = '{}';

	saves = 0;

	/** The items of each execution. */
	executions: IDataObject[][] = [];

	/** Delays the writing of an execution; it throws to let it fail. */
	beforeWrite: () => Promise<void> = async () => {};
}

/**
 * The trigger in n8n-core's webhook context, called as n8n calls it: a workflow and a context of its own
 * for each call, its static data read before and saved after.
 */
export class Hook {
	parameters: IDataObject = {};

	credential: IDataObject = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: '' };

	mode: WorkflowExecuteMode = 'webhook';

	workflowId = 'workflow';

	node = { id: 'node', name: 'Messaging Trigger' };

	database = new Database();

	/** Changes the context or the response before the trigger gets them. */
	sabotage: Sabotage = () => {};

	constructor(
		private readonly harness: Harness,
		settings: Partial<Hook> = {},
		/** A new one after a restart of n8n. */
		private readonly trigger = new MessagingTrigger(),
	) {
		Object.assign(this, settings);
	}

	private workflow() {
		const node = this.harness.node('messagingTrigger', this.parameters as never, this.node);
		const staticData = JSON.parse(this.database.staticData) as IDataObject;
		return this.harness.workflow([node], {}, staticData, this.workflowId);
	}

	async deliver({ body, contentType, query = {}, headers = {}, form }: Delivery): Promise<Outcome> {
		const { raw, isJson } = bytesOf(body);
		const fitting = form ? 'multipart/form-data; boundary=x' : isJson ? 'application/json' : '';
		const type = contentType === undefined ? fitting : (contentType ?? '');
		const outcome = { log: '' };
		const response = new WebhookResponse();
		const httpRequest = {
			method: 'POST',
			params: {},
			query,
			headers: { ...(type !== '' && { 'content-type': type }), ...headers },
			// n8n keeps no bytes of a form with files, which are streams.
			body: form ? { data: form, files: { photo: aCircle() } } : (undefined as unknown),
			rawBody: undefined as Buffer | undefined,
			readRawBody: async () => void (httpRequest.rawBody = raw),
		};
		if (PARSED.includes(type)) {
			httpRequest.body = parseAsN8n(raw, type);
			httpRequest.rawBody = raw;
		}
		const workflow = this.workflow();
		const context = this.context(workflow, { httpRequest, httpResponse: response }, outcome);
		this.sabotage(context, response);
		const result = await workflow.expression.withIsolate(
			async () => await this.trigger.webhook.call(context),
		);
		if (!result.noWebhookResponse) await this.answer(workflow, result, response, form);
		const { message } = (response.body ?? { message: '' }) as { message: string };
		return {
			...outcome,
			message,
			status: response.statusCode,
			answers: response.answers,
			// Nothing starts when n8n answers 500.
			items:
				response.statusCode === 500
					? undefined
					: result.workflowData?.flat().map(({ json }) => json),
		};
	}

	/** Starts the workflow and answers the call. */
	private async answer(
		workflow: Workflow,
		result: IWebhookResponseData,
		response: WebhookResponse,
		form: IDataObject | undefined,
	) {
		try {
			const answer = await startByWebhook(result, {
				isForm: form !== undefined,
				write: async () => {
					await this.storeExecution(workflow, result.workflowData);
					this.database.executions.push(result.workflowData!.flat().map(({ json }) => json));
				},
				save: () => this.save(workflow),
			});
			response.status(200).json(answer);
		} catch (error) {
			response.status(500).json({ code: 0, message: (error as Error).message });
		}
	}

	private context(workflow: Workflow, extra: object, outcome: { log: string }): IWebhookFunctions {
		const context = webhookContext(
			{ WebhookContext },
			workflow,
			Object.values(workflow.nodes)[0],
			this.mode,
			this.harness.additionalData({ messagingApi: this.credential as never }, extra),
		);
		const note = (text: string) => {
			outcome.log += `${text}\n`;
		};
		const logger = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
		Object.defineProperty(context, 'logger', { value: logger });
		return context as unknown as IWebhookFunctions;
	}

	/** Does what n8n does before it answers a call that starts the workflow (2.41, `workflow-runner.js`). */
	private async storeExecution({ staticData }: Workflow, items: unknown) {
		JSON.stringify(items);
		// The database takes a moment: long enough for timers of 0 ms that were started before.
		await sleep(0);
		await this.database.beforeWrite();
		// n8n makes a second workflow of the same data, which loses the mark, unless the data was empty.
		if (this.database.staticData !== '{}') staticData.__dataChanged = false;
	}

	/** Saves the static data (2.41, `workflow-static-data.service.js`). */
	private save(workflow: Workflow) {
		if (this.mode === 'manual' || workflow.staticData.__dataChanged !== true) return;
		this.database.staticData = JSON.stringify(workflow.staticData);
		this.database.saves++;
	}
}

/** A call of a completed campaign. */
export const completionOf = (campaign_id: unknown): Delivery => ({
	body: { event: 'campaign.completed', campaign_id },
});

/** Stands for a stream. */
function aCircle() {
	const circle: IDataObject = {};
	circle.self = circle;
	return circle;
}

/** What the logs answer. No network is used. */
export type Logs = 'known' | 'unknown' | 'unavailable' | 'keyRefused';

export const reply = (body: unknown, statusCode = 200) => ({ statusCode, headers: {}, body });

export const replyOf = (logs: Logs, campaign_id: unknown) =>
	({
		known: reply({ success: true, message: '', data: [{ id: 'l', campaign_id }], count: 1 }),
		unknown: reply({ success: true, message: '', data: [], count: 0 }),
		unavailable: reply('Service Unavailable', 503),
		keyRefused: reply({ success: false, message: 'Invalid API Key', data: null }),
	})[logs];

type LogRequest = { qs: { campaign_id: string } };

/** Lets the trigger read these logs. @returns the campaigns in its requests so far */
export function withLogs(hook: Hook, logs: Logs | ((id: string) => Promise<unknown> | unknown)) {
	const requested: string[] = [];
	const before = hook.sabotage;
	hook.sabotage = (context, response) => {
		before(context, response);
		context.helpers.httpRequestWithAuthentication = async (...[, options]: unknown[]) => {
			const id = (options as LogRequest).qs.campaign_id;
			requested.push(id);
			return typeof logs === 'function' ? await logs(id) : replyOf(logs, id);
		};
	};
	return requested;
}
