import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Journal } from '../../../nodes/Messaging/sending/journal';
import type { Message, MessageGroup } from '../../../nodes/Messaging/sending/message';

/** A checked message with default values for the fields that the test does not set. */
export const message = (item: number, more: Partial<Message> = {}): Message => {
	const to = more.to ?? `38591000${String(item).padStart(4, '0')}`;
	return {
		item,
		from: 'sender',
		to,
		digits: to.replace(/\D/g, ''),
		body: {},
		...more,
	};
};

/** A request to these recipients. */
export const batch = (...messages: Message[]): MessageGroup => ({ from: 'sender', messages });

export const TOKEN = 'https://n8n.test/webhook-waiting/1?signature=token';
export const NODE = { id: 'node', type: 'n8n-nodes-messaging.messaging' };

export type Given = {
	index?: number;
	mode?: string;
	node?: typeof NODE;
	url?: string;
	args?: object;
};

/** Begins a run of the node. `data` is what n8n has saved of the execution, if there is one; `args` are an agent's. */
export const journalOf = (
	data: IDataObject | null = {},
	{ index = 0, mode = 'webhook', node = NODE, url = TOKEN, args }: Given = {},
) =>
	new Journal({
		...(data && { getContext: (kind: string) => (kind === 'node' ? data : {}) }),
		getWorkflowDataProxy: () => ({ $runIndex: index, $execution: url && { resumeUrl: url } }),
		getMode: () => mode,
		getNode: () => node,
		getExecutionId: () => (mode === 'retry' ? '2' : '1'),
		getInputData: () => [{ json: args }],
		...(args && { isToolExecution: () => true }),
	} as unknown as IExecuteFunctions);
