import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';

/** The service's clock may be behind n8n's by so much, in ms. */
const CLOCKS_DIFFER = 60_000;

/**
 * Returns a sentence when a node before this one sends campaigns, and this campaign was sent before the execution began: the
 * output of that node is pinned, or comes from an execution of yesterday, and n8n has not run it again.
 *
 * @param sentAt time of the campaign's first log record, in ms since 1970
 */
export function sentEarlier(
	context: IExecuteFunctions,
	sentAt: number | undefined,
	written: (time: number) => string,
): string | undefined {
	const { name, type } = context.getNode();
	const isSend = (node: NodeTypeAndVersion) =>
		node.type === type &&
		!node.disabled &&
		node.parameters?.resource === 'campaign' &&
		node.parameters.operation === 'send';
	const began = context.getExecutionContext()?.establishedAt;
	if (sentAt === undefined || began === undefined || sentAt >= began - CLOCKS_DIFFER) return;
	if (!context.getParentNodes(name, { includeNodeParameters: true }).some(isSend)) return;
	return `This campaign was sent earlier (${written(sentAt)}), not in this execution. If its output is pinned, remove the pin.`;
}
