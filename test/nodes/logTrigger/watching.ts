import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { credentials } from '../../support/fakeService';
import type { Harness } from '../../support/harness';
import { logTrigger } from './logTriggerNode';

/** A page of the logs (4.7), or what comes instead. */
export type Page = { data: IDataObject[]; count?: number; totalPage?: number };
type Answer = () => Page | Promise<Page>;

/** The whole log on one page. */
export const all = (data: IDataObject[]) => (): Page => ({
	data,
	count: data.length,
	totalPage: 1,
});

/** A log record of a minute ago. */
export const live = (id: unknown, status: string, more: IDataObject = {}): IDataObject => ({
	id: id as string,
	status,
	createdAt: new Date(Date.now() - 60_000).toISOString(),
	...more,
});

/** A trigger whose memory stays from look to look, and a service that answers each as the test says. */
export function watching(harness: Harness) {
	const trigger = logTrigger(harness);
	/** What the node told n8n's log, with its level. */
	const told: string[] = [];
	const level = (name: string) => (text: string) => told.push(`${name}: ${text}`);
	const logger = {
		debug: level('debug'),
		info: level('info'),
		warn: level('warn'),
		error: level('error'),
	};

	/** One look. @returns id, change, status before and now; null when nothing starts */
	const look = async (
		answer: Answer,
		{ mode = 'trigger' as WorkflowExecuteMode, credential = credentials.messagingApi } = {},
	) => {
		const output = await trigger.look({ messagingApi: credential }, mode, (context) => {
			Object.defineProperty(context, 'logger', { value: logger });
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
	/** What n8n keeps for the trigger: the same object always. */
	const memory = trigger.workflow.getStaticData('node', trigger.node);
	return { look, told, memory, parameters: trigger.node.parameters };
}
