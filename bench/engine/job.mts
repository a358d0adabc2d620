import type { IDataObject, INode } from 'n8n-workflow';
import type { Cost } from './meters.mts';
import type { Tally } from './worker.mts';

/** The job of a new process: one run of one node. */
export interface Job {
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;
	items: number;
	/** Form of the input; `rows` when undefined. */
	input?: Input;
	/** The service's address. */
	url: string;
	/** Requests in flight, for clients without an option for it. */
	concurrency: number;
	/** A credential that n8n reads before the run, other than the node's own. */
	warmCredential: NonNullable<INode['credentials']>;
	/** File for a CPU profile of the run; none when undefined. */
	profile?: string;
}

export interface Figures extends Cost, Tally {
	outputItems: number;
}

export type Report = { ready: true } | { figures: Figures } | { failed: string };

/** An item like a row of a spreadsheet. Each index has its own phone number. */
export const recipientItem = (index: number): IDataObject => ({
	row_number: index + 2,
	name: `Customer ${index}`,
	phone: `3859${String(10_000_000 + index)}`,
	order: `order-${index}`,
	text: `Your order ${index} is on its way.`,
	city: 'Zagreb',
	total: 12.5 + (index % 100),
});

/** `rows`: one item per recipient. `gathered`: one item whose field `recipients` contains all of them. */
export type Input = 'rows' | 'gathered';

export const inputItems = (input: Input, count: number): IDataObject[] => {
	const rows = Array.from({ length: count }, (_, index) => recipientItem(index));
	if (input === 'rows') return rows;
	return [{ recipients: rows.map(({ phone, order }) => ({ to: phone, identifier: order })) }];
};
