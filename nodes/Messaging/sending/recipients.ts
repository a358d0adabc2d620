import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { ItemParameters } from '../n8n/itemParameters';
import type { ReadParameter } from '../n8n/readOperation';
import { parseJson } from '../n8n/values';
import { formatNumber } from '../utils/text';
import { isObject } from '../service/types';

/** Somebody to send to: an input item, or an entry of the recipient list. */
export type Recipient = {
	position: number;
	item: number;
	/** The entry of the list; undefined when input items are the recipients. */
	entry?: IDataObject;
	/** Reads a parameter's value for this recipient. */
	read: ReadParameter;
};

const hasList = (context: IExecuteFunctions, takesList: boolean) =>
	takesList && context.getNodeParameter('recipients', 0, 'items') === 'list';

/**
 * Returns the recipients of a run, in order: the input items, or the entries of `recipientList`, which is resolved
 * once.
 *
 * @throws UserError when the list is invalid, or an entry is not an object
 */
export function recipientsOf(context: IExecuteFunctions, takesList = false): Recipient[] {
	const items = context.getInputData();
	const parameters = new ItemParameters(context, items);
	const readerOf =
		(item: number): Recipient['read'] =>
		(parameter, fallback = '') =>
			parameters.read(parameter, item, fallback);

	if (!hasList(context, takesList)) {
		return items.map((_, item) => ({ position: item, item, read: readerOf(item) }));
	}
	const read = readerOf(0);
	return listOfRecipients(parameters.readList('recipientList', 0)).map((entry, position) => ({
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

/** Parameters that are read once with a list, from the first item, and their labels. */
const WITH_LIST = {
	recipientList: 'Recipient List',
	from: 'From',
	template: 'Template',
	options: 'Options',
};

/**
 * Makes sure that nothing is lost silently: a list is read once, with its sender, template and options.
 *
 * @throws UserError when several items come in, and one of these parameters may read the item
 */
export function refuseListOfItems(context: IExecuteFunctions, takesList = false) {
	const items = context.getInputData();
	if (items.length < 2 || !hasList(context, takesList)) return;
	const parameters = new ItemParameters(context, items);
	for (const [name, label] of Object.entries(WITH_LIST)) {
		if (!parameters.mayDiffer(name)) continue;
		throw new UserError(
			`'${label}' is an expression that may read the input item, but a recipient list is read once, and ${formatNumber(items.length)} items came in. Turn on 'Execute Once' in the node's settings; the list may still use $input.all(). Or set 'Recipients' to 'Input Items'.`,
		);
	}
}
