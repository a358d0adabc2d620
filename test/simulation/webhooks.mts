import type {
	IDataObject,
	IRunExecutionData,
	IWebhookResponseData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import {
	beginsAt,
	credentialsHelperOf,
	startByWebhook,
	webhookContext,
} from '../support/n8n/execution.mts';
import { WebhookResponse } from '../support/n8n/response.mts';
import { inTheNameOf } from '../support/n8n/owners.mts';
import { clockNow } from './clock.mts';
import { core, workflow as w } from './engine.mts';
import { worldNow } from './world.mts';
import { CREDENTIAL, Job, type N8n, type Process, type SavedWorkflow } from './n8n.mts';

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
export const callTrigger = (
	n8n: N8n,
	process: Process,
	workflowId: string,
	body: unknown,
	name: string,
): Calling =>
	calling(
		process,
		name,
		async (response) => await executeWebhook(n8n, process, workflowId, body, response, name),
	);

/** Calls a link of Send and Wait in a process. */
export const callWaiting = (
	n8n: N8n,
	process: Process,
	link: string,
	form: IDataObject | undefined,
	name: string,
): Calling =>
	calling(
		process,
		name,
		async (response) => await continueExecution(n8n, process, new URL(link), form, response),
	);

function calling(
	process: Process,
	name: string,
	work: (response: WebhookResponse) => Promise<unknown>,
): Calling {
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
		void inTheNameOf(
			job,
			async () => await take(process, response, async () => await work(response)),
		);
	});
	return { reply, leave: () => inTheNameOf(job, () => response.leave()) };
}

const answerOf = ({ statusCode, body }: WebhookResponse): Reply => ({ status: statusCode, body });

/** Handles a call: errors are answered and logged (`webhook-request-handler.js`, `handleRequest`). */
async function take(
	process: Process,
	response: WebhookResponse,
	work: () => Promise<unknown>,
): Promise<void> {
	try {
		const answer = await work();
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
	/** Saves the static data. An error is only logged (`workflows/workflow-static-data.service.js`). */
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
	const { workflowData } = result;
	if (!workflowData) {
		// The node has answered, and n8n does not wait for `responseCallback` of live-webhooks.js.
		void saveStaticData();
		return undefined;
	}
	const data = w.createRunExecutionData(beginsAt(node, workflowData));
	return await startByWebhook(result, {
		isForm: choices.chance(`${name}/a form with files`, 0.1),
		write: async () => {
			// `establishContextForPersistence` creates a workflow with the same static data, which then no longer counts as changed.
			process.workflow(structuredClone(saved), staticData);
			await database.access(`static data of ${workflowId}`, readStaticData);
			// n8n's own work takes time, too; now and then its database takes seconds to write an execution.
			await waiting(choices.oneOf(`${name}/ms until it is written`, [...MOSTLY, 2000, 12_000]));
			await n8n.startFromTrigger(process, saved, data);
			// With N8N_CONCURRENCY_PRODUCTION_LIMIT it waits for others. A restarted n8n runs it then.
			await waiting(choices.oneOf(`${name}/ms until there is capacity`, [...MOSTLY, 4000, 30_000]));
		},
		save: saveStaticData,
	});
}

/**
 * Handles a call to a link of Send and Wait with a valid signature (`webhooks/waiting-webhooks.js`, `executeWebhook` and
 * `getWebhookExecutionData`).
 */
async function continueExecution(
	n8n: N8n,
	process: Process,
	link: URL,
	form: IDataObject | undefined,
	response: WebhookResponse,
): Promise<unknown> {
	const { database } = n8n;
	const id = link.pathname.split('/')[2];
	const found = await database.access(`find ${id}`, () => ({ ...database.executions.get(id)! }));
	const data = JSON.parse(found.data) as IRunExecutionData;
	if (found.status === 'running')
		return conflict(response, `The execution "${id}" is running already.`);
	if (data.resultData.error) {
		return conflict(response, `The execution "${id}" has finished with error.`);
	}
	if (found.finished) return { noAction: 'No action required' };
	const stack = data.executionData!.nodeExecutionStack;
	stack[0].node.disabled = true;
	data.waitTill = undefined;
	const last = data.resultData.lastNodeExecuted!;
	data.resultData.runData[last].pop();
	const workflow = process.workflow(JSON.parse(found.workflow) as SavedWorkflow);
	const node = workflow.getNode(last)!;
	const nodeType = process.nodeTypes.getByNameAndVersion(node.type);
	const context = webhookContext(
		core,
		workflow,
		node,
		found.mode as WorkflowExecuteMode,
		process.additionalData({
			executionId: id,
			httpRequest: {
				method: form ? 'POST' : 'GET',
				params: {},
				query: Object.fromEntries(link.searchParams),
				headers: {},
				body: form,
			},
			httpResponse: response,
		} as never),
		data,
	);
	const result = await workflow.expression.withIsolate(
		async () => await nodeType.webhook!.call(context as never),
	);
	if (!result.workflowData) return undefined;
	stack[0].data.main = result.workflowData;
	stack[0].metadata = { ...stack[0].metadata, forwardAllOutputs: true } as never;
	const isFirst = await n8n.resume(process, id, data);
	if (!isFirst) process.log.push(`error: execution ${id} is already being resumed`);
	return undefined;
}

function conflict(response: WebhookResponse, message: string): undefined {
	response.status(409).json({ code: 0, message });
}

/** Sets timers for waits: every minute, for those that end within 70 s (`wait-tracker.js`). */
export function trackWaiting(n8n: N8n, process: Process): void {
	const timers = new Set<string>();
	const { database } = n8n;
	const start = async (id: string) => {
		timers.delete(id);
		const found = await database.access(`find ${id}`, () => ({ ...database.executions.get(id)! }));
		if (found.finished || !found.data) return;
		const data = JSON.parse(found.data) as IRunExecutionData;
		await n8n.resume(process, id, data);
	};
	const look = async () => {
		const now = Date.now();
		const due = await database.access('waiting executions', () =>
			[...database.executions.values()].filter(
				({ status, waitTill = Infinity }) => status === 'waiting' && waitTill <= now + 70_000,
			),
		);
		for (const { id, waitTill } of due) {
			if (timers.has(id)) continue;
			timers.add(id);
			setTimeout(() => void start(id), waitTill! - Date.now());
		}
	};
	inTheNameOf(new Job(process, `waits in ${process}`), () => {
		setInterval(() => void look(), 60_000);
		void look();
	});
}
