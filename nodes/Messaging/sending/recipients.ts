import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { Parameters } from '../host/parameters';
import { parseJson } from '../host/values';
import { isObject } from '../service/payload';

/** Somebody to send to: an input item, or an entry of the recipient list. */
export type Recipient = {
	position: number;
	item: number;
	/** The entry of the list; undefined when input items are the recipients. */
	entry?: IDataObject;
	/** A parameter's value for this recipient. */
	read: (parameter: string, otherwise?: object | string | boolean) => unknown;
};

/**
 * The recipients of a run, in order: the input items, or the entries of `recipientList`, which is
 * resolved once.
 *
 * @throws UserError when the list is none, an entry is no object, or other items have other lists
 */
export function recipientsOf(context: IExecuteFunctions, takesList: boolean): Recipient[] {
	const items = context.getInputData();
	const parameters = new Parameters(context, items);
	const readerOf =
		(item: number): Recipient['read'] =>
		(parameter, otherwise = '') =>
			parameters.read(parameter, item, otherwise);

	const fromList = takesList && context.getNodeParameter('recipients', 0, 'items') === 'list';
	if (!fromList) {
		return items.map((_, item) => ({ position: item, item, read: readerOf(item) }));
	}
	if (parameters.varies('recipientList')) {
		throw new UserError(
			"'Recipient List' is read once, from the first item, but the items have different lists. Join them to one list before this node, or run it once for each item with a 'Loop Over Items' node.",
		);
	}
	const read = readerOf(0);
	return listOfRecipients(parameters.readLarge('recipientList', 0)).map((entry, position) => ({
		position,
		item: 0,
		entry,
		read,
	}));
}

function listOfRecipients(value: unknown): IDataObject[] {
	const list = parseJson(value, 'Recipient List');
	if (!Array.isArray(list)) {
		throw new UserError(
			'\'Recipient List\' must be a JSON array, like [{ "to": "+385911234567" }].',
		);
	}
	return list.map((entry: unknown, index) => {
		if (!isObject(entry)) {
			throw new UserError(
				`'Recipient List' contains something that is not an object at place ${index + 1}. Each entry looks like { "to": "+385911234567" }.`,
			);
		}
		return entry as IDataObject;
	});
}
