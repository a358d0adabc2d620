import type {
	IDataObject,
	IRunExecutionData,
	IWebhookResponseData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import {
	beginsAt,
	continueWith,
	credentialsHelperOf,
	startByWebhook,
	webhookContext,
} from '../support/n8n/execution.mts';
import { WebhookResponse } from '../support/n8n/response.mts';
import { inTheNameOf } from '../support/n8n/owners.mts';
import { clockNow } from './clock.mts';
import { core, workflow as w } from './engine.mts';
import { worldNow } from './world.mts';
import {
	CREDENTIAL,
	Job,
	type N8n,
	type Process,
	type Running,
	type SavedWorkflow,
} from './n8n.mts';

/*
 * How n8n handles a call to a webhook, from its arrival to its answer: `webhooks/live-webhooks.js`
 * (`executeWebhook`), `webhooks/webhook-helpers.js` (`executeWebhook`, response mode `onReceived`),
 * `webhooks/webhook-request-handler.js` and `workflow-runner.js` (`run`), of n8n 2.41, below `n8n/dist/`.
 */

/** The caller's result: an answer, or a broken connection. */
export type Reply = { status: number; body: any } | 'broken';

/** A call that has been made to a process. */
export interface Calling {
	reply: Promise<Reply>;
	/** Closes the connection. */
	leave: () => void;
}

/** Calls the trigger of a published workflow in a process. */
export function callTrigger(
	n8n: N8n,
	process: Process,
	workflowId: string,
	body: unknown,
	name: string,
): Calling {
	const work = async (response: WebhookResponse) =>
		await executeWebhook(n8n, process, workflowId, body, response, name);
	const response = new WebhookResponse();
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
		void inTheNameOf(job, async () => await take(process, response, work));
	});
	return { reply, leave: () => inTheNameOf(job, () => response.leave()) };
}

const answerOf = ({ statusCode, body }: WebhookResponse): Reply => ({ status: statusCode, body });

/** Handles a call: errors are answered and logged (`webhook-request-handler.js`, `handleRequest`). */
async function take(
	process: Process,
	response: WebhookResponse,
	work: (response: WebhookResponse) => Promise<unknown>,
): Promise<void> {
	try {
		const answer = await work(response);
		if (answer !== undefined) response.status(200).json(answer);
	} catch (error) {
		process.log.push(`error: Error in handling webhook request: ${(error as Error).message}`);
		if (!response.headersSent) {
			response.status(500).json({ code: 0, message: (error as Error).message });
		}
	}
}

/** ms of most waits of n8n: drawn among these and two long ones. */
const MOSTLY = Array.from({ length: 40 }, () => 2);

const waiting = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** @returns n8n's answer; undefined if the node has answered */
async function executeWebhook(
	n8n: N8n,
	process: Process,
	workflowId: string,
	body: unknown,
	response: WebhookResponse,
	name: string,
): Promise<unknown> {
	const { database } = n8n;
	const { choices } = worldNow();
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
	const context = webhookContext(
		core,
		workflow,
		node,
		'webhook',
		process.additionalData({
			httpRequest: {
				method: 'POST',
				params: {},
				query: {},
				headers: { 'content-type': 'application/json' },
				body: JSON.parse(rawBody.toString()) as unknown,
				rawBody,
				readRawBody: async () => {},
			},
			httpResponse: response,
			// Reading a credential is a database access.
			credentialsHelper: credentialsHelperOf(
				process.authenticate,
				async () => await database.access('credential', () => CREDENTIAL),
			),
		} as never),
	);
	const result: IWebhookResponseData = await nodeType.webhook!.call(context as never);
	const { workflowData } = result;
	// The node has answered.
	if (!workflowData) return undefined;
	const data = w.createRunExecutionData(beginsAt(node, workflowData));
	return await startByWebhook(result, {
		write: async () => {
			await database.access(`static data of ${workflowId}`, readStaticData);
			// n8n's own work takes time, too; now and then its database takes seconds to write an execution.
			await waiting(choices.oneOf(`${name}/ms until it is written`, [...MOSTLY, 2000, 12_000]));
			await n8n.startFromTrigger(process, saved, data);
			// With N8N_CONCURRENCY_PRODUCTION_LIMIT it waits for others. A restarted n8n runs it then.
			await waiting(choices.oneOf(`${name}/ms until there is capacity`, [...MOSTLY, 4000, 30_000]));
		},
	});
}

/** What a person gets who has answered a question: thanks, a page that says that it is closed, or no page. */
export type Pressed = 'thanks' | 'closed' | 'broken';

/**
 * A person answers a question at its link (`webhooks/waiting-webhooks.js`).
 *
 * @returns the page, and the execution if it continues
 */
export async function answerAt(
	n8n: N8n,
	process: Process,
	link: string,
	decision: string,
): Promise<{ page: Pressed; running?: Running | undefined }> {
	const url = new URL(link);
	const [executionId] = url.pathname.split('/').slice(-2);
	const job = new Job(process, `an answer to execution ${executionId}`);
	const { database } = n8n;
	const response = new WebhookResponse();
	const pageOf = (): Pressed => {
		if (!response.writableFinished) return 'closed';
		return String(response.body).includes('Thank you') ? 'thanks' : 'closed';
	};
	return await new Promise((resolve) => {
		const key = `press ${Math.random()}`;
		const settle = (running?: Running) => {
			process.active.delete(key);
			const page = process.isAlive || response.writableFinished ? pageOf() : 'broken';
			clockNow().plan(0, undefined, () => resolve({ page, running }));
		};
		if (!process.isAlive) return settle();
		process.active.set(key, { cancel: () => {}, settle: () => settle() });
		const work = async () => {
			const { status, data, workflow, mode } = await database.access(
				`find ${executionId}`,
				() => database.executions.get(executionId)!,
			);
			if (status !== 'waiting') return undefined;
			const saved = JSON.parse(workflow) as SavedWorkflow;
			const result = await askNode(process, saved, JSON.parse(data), mode, response, {
				query: Object.fromEntries(url.searchParams),
				body: { decision },
			});
			const { workflowData } = result;
			if (!workflowData) return undefined;
			return await n8n.resume(process, executionId, (run) => continueWith(run, workflowData));
		};
		void inTheNameOf(job, work).then(settle, (error: Error) => {
			process.log.push(`error: ${error.stack}`);
			settle();
		});
	});
}

/** Calls the webhook of the node that waits. */
async function askNode(
	process: Process,
	saved: SavedWorkflow,
	data: IRunExecutionData,
	mode: WorkflowExecuteMode,
	response: WebhookResponse,
	request: { query: IDataObject; body: IDataObject },
): Promise<IWebhookResponseData> {
	const workflow = process.workflow(saved);
	const node = workflow.getNode(data.resultData.lastNodeExecuted!)!;
	const httpRequest = { method: 'POST', params: {}, headers: {}, ...request };
	const extra = { httpRequest, httpResponse: response } as never;
	const additionalData = process.additionalData(extra);
	const context = webhookContext(core, workflow, node, mode, additionalData, data);
	const { webhook } = process.nodeTypes.getByNameAndVersion(node.type);
	return await workflow.expression.withIsolate(async () => await webhook!.call(context as never));
}
