import type { IDataObject, INode } from 'n8n-workflow';
import type { Cost } from './meters.mts';

/** The job of a new process: one run of one node. */
export interface Job {
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials' | 'executeOnce'>;
	items: number;
	/** Form of the input; `rows` when undefined. */
	input?: Input;
	/** The service's address. */
	url: string;
}

export type Report = { ready: true } | { cost: Cost } | { failed: string };

/** `rows`: one item per recipient. `gathered`: one item whose field `recipients` contains all of them. */
export type Input = 'rows' | 'gathered';

/** An item like a row of a spreadsheet. Each index has its own phone number. */
const recipientItem = (index: number): IDataObject => ({
	row_number: index + 2,
	name: `Customer ${index}`,
	phone: `3859${String(10_000_000 + index)}`,
	order: `order-${index}`,
	text: `Your order ${index} is on its way.`,
	city: 'Zagreb',
	total: 12.5 + (index % 100),
});

export const inputItems = (input: Input, count: number): IDataObject[] => {
	const rows = Array.from({ length: count }, (_, index) => recipientItem(index));
	if (input === 'rows') return rows;
	return [{ recipients: rows.map(({ phone, order }) => ({ to: phone, identifier: order })) }];
};
