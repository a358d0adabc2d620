import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { credentials, plainTemplates, serve, success } from './mockService';
import type { Harness } from './harness';
import { database } from './n8n';

type Options = {
	items?: IDataObject[];
	onError?: INode['onError'];
	credentials?: typeof credentials;
	/** Of the workflow. */
	timezone?: string;
};

/** The result of a run as a person sees it: the items of each output, or the error of the node. */
export type RunResult = {
	outputs: Array<Array<{ json: IDataObject; pairedItem: INodeExecutionData['pairedItem'] }>>;
	/** Names of other fields of the items than `json` and `pairedItem`. */
	extras: string[];
	error?: { message: string; httpCode?: string; description?: string; itemIndex?: number };
	/** The notices above the output. */
	hints: string[];
	/** Everything that n8n saves of the run, as text: for tests that look for a leak. */
	saved: string;
};

type NodeError = Error & {
	httpCode?: string;
	description?: string;
	context?: { itemIndex?: number };
};

/** Runs the Messaging node once after a manual trigger, in n8n's engine. */
export async function runMessaging(
	harness: Harness,
	parameters: INodeParameters,
	{ items = [{}], onError, credentials: own = credentials, timezone }: Options = {},
): Promise<RunResult> {
	// Each run is the first of a new workflow: nothing was accepted within the last hours.
	database.rows.clear();
	const { output, error, runData, task } = await harness.run('messaging', parameters, {
		items,
		credentials: own,
		node: onError && { onError },
		settings: timezone === undefined ? undefined : { timezone },
	});
	const failure = error as NodeError | undefined;
	const outputs = output.map((each) => each ?? []);
	return {
		outputs: outputs.map((each) => each.map(({ json, pairedItem }) => ({ json, pairedItem }))),
		extras: outputs
			.flat()
			.flatMap((item) => Object.keys(item))
			.filter((key) => key !== 'json' && key !== 'pairedItem'),
		...(failure && {
			error: {
				message: failure.message,
				httpCode: failure.httpCode ?? undefined,
				description: failure.description ?? undefined,
				itemIndex: failure.context?.itemIndex,
			},
		}),
		hints: (task?.hints ?? []).map(({ message }) => message),
		saved: JSON.stringify({ runData, error, own: error && { ...error }, stack: error?.stack }),
	};
}

/** The error of a run that makes no request. */
export async function refusalOf(
	harness: Harness,
	parameters: INodeParameters,
	items?: IDataObject[],
) {
	const asked = serve(success({}));
	const { error } = await runMessaging(harness, parameters, { items });
	expect(asked).toEqual([]);
	return error?.message;
}

/** An output item, linked to the input item with this index. */
export const paired = (json: object, item = 0) => ({ json, pairedItem: { item } });

/** The value of a resource locator as workflows save it. */
export const chosen = (mode: string, value: string) => ({ __rl: true, mode, value });

export const SENDER = '12025550100';

/** Parameters of an operation that sends, to the `to` of each item. */
export const sending = (operation: string, more: IDataObject = {}) =>
	({
		resource: operation === 'send' ? 'campaign' : 'message',
		operation,
		from: chosen('phone', SENDER),
		to: '={{ $json.to }}',
		...more,
	}) as INodeParameters;

/** A chosen template without placeholders, which every service of the test file then has. */
export function plainTemplate(name: string) {
	plainTemplates.add(name);
	return { template: chosen('name', name) };
}
