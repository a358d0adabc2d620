import type { IDataObject, INode } from 'n8n-workflow';
import type { Cost } from './meters.mts';

/** The job of a new process: one run of one node. */
export interface Job {
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;
	items: number;
	/** The service's address. */
	url: string;
}

export type Report = { ready: true } | { cost: Cost } | { failed: string };

/**
 * An item like a row of a spreadsheet. Each index has its own phone number. It is odd: the node refuses numbers that end in six
 * zeros, because a spreadsheet has shortened them.
 */
export const inputItem = (index: number): IDataObject => ({
	row_number: index + 2,
	name: `Customer ${index}`,
	phone: `3859${String(10_000_001 + 2 * index)}`,
	order: `order-${index}`,
	text: `Your order ${index} is on its way.`,
	city: 'Zagreb',
	total: 12.5 + (index % 100),
});
