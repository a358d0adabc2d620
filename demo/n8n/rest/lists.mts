import type { Session } from './session.mts';

export interface ListQuestion {
	node: { name: string; version: number };
	parameter: string;
	method: string;
	/** The node's current parameters in the editor. */
	parameters?: Record<string, unknown>;
	credentials: Record<string, { id: string; name: string }>;
	filter?: string;
	paginationToken?: string;
}

export interface ListAnswer {
	results: Array<{ name: string; value: string; url?: string; description?: string }>;
	paginationToken?: string;
}

/** Sends the editor's request for a *From list*, as when a user opens it, scrolls or searches. */
export async function searchList(session: Session, question: ListQuestion): Promise<ListAnswer> {
	return await session.post('/rest/dynamic-node-parameters/resource-locator-results', {
		nodeTypeAndVersion: question.node,
		path: `parameters.${question.parameter}`,
		methodName: question.method,
		currentNodeParameters: question.parameters ?? {},
		credentials: question.credentials,
		filter: question.filter,
		paginationToken: question.paginationToken,
	});
}
