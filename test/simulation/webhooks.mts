import { EventEmitter } from 'node:events';
import type {
	IDataObject,
	IExecuteResponsePromiseData,
	IRunExecutionData,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { clockNow, inTheNameOf } from './clock.mts';
import { core, workflow as w } from './engine.mts';
import { CREDENTIAL, Job, type N8n, type Process } from './n8n.mts';

/*
 * How n8n takes a call to a webhook, from the moment at which it arrives until it is answered: `webhooks/live-webhooks.js`
 * (`executeWebhook`), `webhooks/webhook-helpers.js` (`executeWebhook`, response mode `onReceived`),
 * `webhooks/webhook-request-handler.js` and `workflow-runner.js` (`run`), of n8n 2.40, below `n8n/dist/`.
 */

/** What somebody sends to a webhook. */
export interface Call {
	body: unknown;
	query?: IDataObject;
	headers?: IDataObject;
}

/** What the caller gets: an answer, or a connection that breaks. */
export type Reply = { status: number; body: any } | 'broken';

/** Express's response, as far as n8n and the nodes use it. */
export class SimulatedReply extends EventEmitter {
	statusCode = 200;

	headersSent = false;

	writableEnded = false;

	writableFinished = false;

	/** The caller is gone. */
	destroyed = false;

	body: unknown;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	setHeader(): this {
		return this;
	}

	send(body: unknown): this {
		if (this.headersSent) throw new Error('Cannot set headers after they are sent to the client');
		this.body = body;
		this.headersSent = true;
		this.writableEnded = true;
		// What is written to a connection that is gone is never finished.
		if (!this.destroyed) {
			this.writableFinished = true;
			this.emit('finish');
		}
		return this;
	}

	json(body: unknown): this {
		return this.send(structuredClone(body));
	}

	/** The caller does not wait any longer. */
	leave(): void {
		if (this.destroyed || this.writableFinished) return;
		this.destroyed = true;
		this.emit('close');
	}
}

/** A call to a process that somebody has made. */
export interface Calling {
	reply: Promise<Reply>;
	/** The caller hangs up. */
	leave: () => void;
}

/** Lets a process take a call for the trigger of a published workflow. */
export function callTrigger(
	n8n: N8n,
	process: Process,
	workflowId: string,
	call: Call,
	name: string,
): Calling {
	const response = new SimulatedReply();
	const job = new Job(process, name);
	const reply = new Promise<Reply>((resolve) => {
		const settle = (end: Reply) => {
			process.active.delete(name);
			clockNow().plan(0, undefined, () => resolve(end));
		};
		if (!process.isAlive) return settle('broken');
		process.active.set(name, {
			cancel: () => {},
			settle: () => settle(response.writableFinished ? answerOf(response) : 'broken'),
		});
		response.once('finish', () => settle(answerOf(response)));
		response.once('close', () => settle('broken'));
		void inTheNameOf(job, async () => await take(n8n, process, workflowId, call, response));
	});
	return { reply, leave: () => inTheNameOf(job, () => response.leave()) };
}

const answerOf = ({ statusCode, body }: SimulatedReply): Reply => ({ status: statusCode, body });

/** `webhook-request-handler.js`, `handleRequest`: what goes wrong is answered, and logged. */
async function take(
	n8n: N8n,
	process: Process,
	workflowId: string,
	call: Call,
	response: SimulatedReply,
): Promise<void> {
	try {
		const answer = await executeWebhook(n8n, process, workflowId, call, response);
		if (answer !== undefined) response.status(200).json(answer);
	} catch (error) {
		process.log.push(`error: Error in handling webhook request: ${(error as Error).message}`);
		if (!response.headersSent) {
			response.status(500).json({ code: 0, message: (error as Error).message });
		}
	}
}

/** @returns what n8n answers; undefined when the node has answered */
async function executeWebhook(
	n8n: N8n,
	process: Process,
	workflowId: string,
	{ body, query = {}, headers = {} }: Call,
	response: SimulatedReply,
): Promise<unknown> {
	const { database } = n8n;
	const saved = n8n.workflows.get(workflowId)!;
	const readStaticData = () =>
		JSON.parse(database.staticData.get(workflowId) ?? '{}') as IDataObject;
	const staticData = await database.access(`workflow ${workflowId}`, readStaticData);
	const workflow = process.workflow(structuredClone(saved), staticData);
	const node = Object.values(workflow.nodes).find(
		({ type }) => process.nodeTypes.getByNameAndVersion(type).webhook,
	)!;
	const nodeType = process.nodeTypes.getByNameAndVersion(node.type);
	const rawBody = Buffer.from(JSON.stringify(body));
	const additionalData = process.additionalData({
		httpRequest: {
			method: 'POST',
			params: {},
			query,
			headers: { 'content-type': 'application/json', ...headers },
			body: JSON.parse(rawBody.toString()) as unknown,
			rawBody,
		},
		httpResponse: response,
		credentialsHelper: {
			...process.additionalData({}).credentialsHelper,
			// Credentials are in the database, too.
			getDecrypted: async () =>
				await database.access('credential', () => ({ ...CREDENTIAL, ...n8n.credential })),
		},
	} as unknown as Partial<IWorkflowExecuteAdditionalData>);
	const context = new core.WebhookContext(
		workflow,
		node,
		additionalData,
		'webhook',
		{
			node: node.name,
			webhookDescription: nodeType.description.webhooks![0],
		} as unknown as IWebhookData,
		[],
		null,
	);
	/** `workflows/workflow-static-data.service.js`: an error is only logged. */
	const saveStaticData = async () => {
		if ((workflow.staticData as { __dataChanged?: boolean }).__dataChanged !== true) return;
		const text = JSON.stringify(workflow.staticData);
		try {
			await database.access(`save static data of ${workflowId}`, () =>
				database.staticData.set(workflowId, text),
			);
		} catch (error) {
			n8n.lostSaves++;
			process.log.push(
				`error: There was a problem saving the workflow: ${(error as Error).message}`,
			);
		}
	};
	const result: IWebhookResponseData = await nodeType.webhook!.call(context as never);
	const { noWebhookResponse, webhookResponse, workflowData } = result;
	// `responseCallback` of live-webhooks.js is not waited for.
	if (noWebhookResponse) void saveStaticData();
	if (workflowData === undefined) {
		return noWebhookResponse
			? undefined
			: (webhookResponse ?? { message: 'Webhook call received' });
	}
	const data: IRunExecutionData = w.createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node, data: { main: workflowData }, source: null }],
		},
	});
	try {
		// `establishContextForPersistence` makes a workflow of the same static data, which forgets that it was changed.
		process.workflow(structuredClone(saved), staticData);
		await database.access(`static data of ${workflowId}`, readStaticData);
		// Besides the database's, there is n8n's own work.
		await new Promise((resolve) => setTimeout(resolve, 2));
		await n8n.startFromWebhook(process, saved, data);
	} catch (error) {
		process.log.push(`error: ${(error as Error).message}`);
		if (noWebhookResponse) return undefined;
		throw new Error('There was a problem executing the workflow', { cause: error });
	}
	if (noWebhookResponse) return undefined;
	await saveStaticData();
	return webhookResponse as IExecuteResponsePromiseData;
}
