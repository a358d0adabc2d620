import type { IDataObject } from 'n8n-workflow';

/** A row as a spreadsheet brings it: the same for the same index, and every number once. */
export const recipientItem = (index: number): IDataObject => ({
	row_number: index + 2,
	name: `Customer ${index}`,
	phone: `3859${String(10_000_000 + index)}`,
	order: `order-${index}`,
	text: `Your order ${index} is on its way.`,
	city: 'Zagreb',
	total: 12.5 + (index % 100),
});

/**
 * What goes into the node: a row in each item; or one item whose field `recipients` holds them all, as a
 * node in front makes it that gathers rows.
 */
export type Input = 'rows' | 'gathered';

export const inputItems = (input: Input, count: number): IDataObject[] => {
	const rows = Array.from({ length: count }, (_, index) => recipientItem(index));
	if (input === 'rows') return rows;
	return [{ recipients: rows.map(({ phone, order }) => ({ to: phone, identifier: order })) }];
};
