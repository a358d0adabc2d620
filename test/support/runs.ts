import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { credentials } from './fakeService';
import type { Harness } from './harness';

type Options = {
	items?: IDataObject[];
	onError?: INode['onError'];
	credentials?: typeof credentials;
};

/** What a person sees of a run: the items of each output, or why the node failed. */
export type Seen = {
	outputs: Array<Array<{ json: IDataObject; pairedItem: INodeExecutionData['pairedItem'] }>>;
	/** Keys that an item has besides `json` and `pairedItem`. */
	extras: string[];
	error?: { message: string; httpCode?: string; description?: string; itemIndex?: number };
	/** All that n8n saves of the run, as text. */
	saved: string;
};

type Told = Error & { httpCode?: string; description?: string; context?: { itemIndex?: number } };

/** Runs the Messaging node behind a manual trigger in the real engine. */
export async function runMessaging(
	harness: Harness,
	parameters: INodeParameters,
	{ items = [{}], onError, credentials: own = credentials }: Options = {},
): Promise<Seen> {
	const { output, error, runData } = await harness.run('messaging', parameters, {
		items,
		credentials: own,
		node: onError && { onError },
	});
	const told = error as Told | undefined;
	const outputs = output.map((each) => each ?? []);
	return {
		outputs: outputs.map((each) => each.map(({ json, pairedItem }) => ({ json, pairedItem }))),
		extras: outputs
			.flat()
			.flatMap((item) => Object.keys(item))
			.filter((key) => key !== 'json' && key !== 'pairedItem'),
		...(told && {
			error: {
				message: told.message,
				httpCode: told.httpCode ?? undefined,
				description: told.description ?? undefined,
				itemIndex: told.context?.itemIndex,
			},
		}),
		saved: JSON.stringify({ runData, error, own: error && { ...error }, stack: error?.stack }),
	};
}

/** Items as a run that only succeeded puts them out: each paired with an input item. */
export const paired = (json: object, item = 0) => ({ json, pairedItem: { item } });

/** A resource locator's saved value. */
export const chosen = (mode: string, value: string) => ({ __rl: true, mode, value });

export const SENDER = '447700900100';
