import type { INodeExecutionData, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { PollContext } from 'n8n-core';
import { MessagingLogTrigger } from '../../../nodes/Messaging/MessagingLogTrigger.node';
import type { Harness } from '../../support/harness';

type Credentials = Parameters<Harness['additionalData']>[0];

/** A Messaging Log Trigger whose static data stays from look to look. @returns what looks once */
export function logTrigger(harness: Harness, parameters: INodeParameters = {}) {
	const workflow = new Workflow({
		id: 'watching',
		active: true,
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: harness.type('messagingLogTrigger'),
				typeVersion: 1,
				position: [0, 0],
				parameters,
				credentials: { messagingApi: { id: '1', name: 'test' } },
			},
		],
		connections: {},
		nodeTypes: harness.nodeTypes,
	});
	const node = workflow.getNode('Trigger')!;
	const look = async (
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
	return { workflow, node, look };
}
