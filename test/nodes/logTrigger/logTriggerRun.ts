import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { PollContext } from 'n8n-core';
import { MessagingLogTrigger } from '../../../nodes/Messaging/MessagingLogTrigger.node';
import { credentials } from '../../support/mockService';
import type { Harness } from '../../support/harness';

type Credentials = Parameters<Harness['additionalData']>[0];

/** Returns a Messaging Log Changes Trigger that keeps its static data from poll to poll, and a function that polls once. */
export function logTrigger(
	harness: Harness,
	parameters: INodeParameters = {},
	id = 'watching',
	names = {},
) {
	const node = harness.node('messagingLogTrigger', parameters, names);
	const workflow = harness.workflow([node], {}, undefined, id);
	const poll = async (
		credentials: Credentials,
		mode: WorkflowExecuteMode,
		prepare: (context: PollContext) => void = () => {},
	): Promise<INodeExecutionData[][] | null> => {
		const data = harness.additionalData(credentials);
		const context = new PollContext(workflow, node, data, mode, 'activate');
		prepare(context);
		return await workflow.expression.withIsolate(
			async () => await new MessagingLogTrigger().poll.call(context),
		);
	};
	return { workflow, node, poll };
}

/** A page of the logs: docs/development/interface.md, "Get logs". */
export type Page = { data: IDataObject[]; count?: number };
type Answer = () => Page | Promise<Page>;

/** Answers with the whole log on one page. */
export const all = (data: IDataObject[]) => (): Page => ({ data, count: data.length });

/** A log record that was created a minute ago. */
export const live = (id: unknown, status: string, more: IDataObject = {}): IDataObject => ({
	id: id as string,
	status,
	createdAt: new Date(Date.now() - 60_000).toISOString(),
	...more,
});

/** A trigger that keeps its memory from poll to poll, with a service that answers as the test says. */
export function logTriggerRun(harness: Harness, names = {}) {
	const trigger = logTrigger(harness, {}, 'watching', names);
	/** The messages in n8n's log, each with its level. */
	const logged: string[] = [];
	const level = (name: string) => (text: string) => logged.push(`${name}: ${text}`);
	const logger = {
		debug: level('debug'),
		info: level('info'),
		warn: level('warn'),
		error: level('error'),
	};

	/** Polls once. @returns id, change, previous status and status; null when no workflow starts */
	const poll = async (
		answer: Answer,
		{
			mode = 'trigger' as WorkflowExecuteMode,
			credential = credentials.messagingApi,
			/** n8n's time limit, in ms; 0 for an n8n that has none. */
			budget = 300_000,
		} = {},
	) => {
		const output = await trigger.poll({ messagingApi: credential }, mode, (context) => {
			Object.defineProperty(context, 'logger', { value: logger });
			const getPollBudgetMs = budget === 0 ? undefined : () => budget;
			Object.defineProperty(context, 'getPollBudgetMs', { value: getPollBudgetMs });
			Object.assign(context.helpers, {
				httpRequestWithAuthentication: async () => ({
					statusCode: 200,
					headers: {},
					body: { success: true, message: 'OK', ...(await answer()) },
				}),
			});
		});
		return (
			output?.flat().map(({ json }) => [json.id, json.change, json.previousStatus, json.status]) ??
			null
		);
	};
	/** The static data of the trigger; n8n gives every poll the same object. */
	const memory = trigger.workflow.getStaticData('node', trigger.node);
	return { poll, logged, memory, parameters: trigger.node.parameters };
}
