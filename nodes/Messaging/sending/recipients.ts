import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { ItemParameters } from '../n8n/itemParameters';
import type { ReadParameter } from '../n8n/readOperation';
import { TimeSlice } from '../utils/concurrency';
import { parseJson } from '../n8n/values';
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

const LIST = 'recipientList';

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
	return listOfRecipients(parameters.readLarge(LIST, 0)).map((entry, position) => ({
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

/** The most characters of lists that are compared: n8n evaluates each list, and a list may be very long. */
const MOST_COMPARED = 2_000_000;

/** Labels of the parameters that are read with the list, from the first item. */
const WITH_LIST: Record<string, string> = {
	from: 'From',
	'from.value': 'From',
	template: 'Template',
	'template.value': 'Template',
	templateFields: 'Template Fields',
	'options.templateFields': 'Template Fields',
	'options.save': 'Save as Conversation',
};

/**
 * Makes sure that nothing is lost silently: a list, its sender and its template are read from the first item only.
 *
 * @throws UserError when other items have other lists, or other values for the whole list
 */
export async function refuseDifferentLists(
	context: IExecuteFunctions,
	takesList = false,
): Promise<void> {
	const items = context.getInputData();
	if (items.length < 2 || !hasList(context, takesList)) return;
	const parameters = new ItemParameters(context, items);
	if (parameters.varies(LIST) || (await differs(parameters, items.length))) {
		throw new UserError(
			"'Recipient List' is read once, from the first item, but the items have different lists. Join them to one list before this node, or run it once for each item with a 'Loop Over Items' node.",
		);
	}
	const slice = new TimeSlice();
	for (const [name, label] of Object.entries(WITH_LIST)) {
		if (!parameters.canDiffer(name)) continue;
		const first = JSON.stringify(parameters.read(name, 0));
		for (let item = 1; item < items.length; item++) {
			if (slice.isOver) await slice.yieldIfOver();
			if (JSON.stringify(parameters.read(name, item)) === first) continue;
			throw new UserError(
				`'${label}' is read once for the whole list, from the first item, but its expression gives another value for item ${item + 1}. Use a value that is the same for all items, or run this node once for each item with a 'Loop Over Items' node.`,
			);
		}
	}
}

/** Whether an expression gives items different lists. Compares only some of them if there are very many or long ones. */
async function differs(parameters: ItemParameters, count: number): Promise<boolean> {
	if (parameters.isPlain(LIST) || !parameters.canDiffer(LIST)) return false;
	const first = listOf(parameters, 0) ?? '';
	const most = Math.max(2, MOST_COMPARED / first.length);
	const slice = new TimeSlice();
	for (let compared = 1; compared < count && compared <= most; compared++) {
		await slice.yieldIfOver();
		// Start with the last item, which is most likely to differ, because only some items may be compared.
		const list = listOf(parameters, compared === 1 ? count - 1 : compared - 1);
		if (list !== undefined && list !== first) return true;
	}
	return false;
}

/** An item's list as text; undefined without a list or with an empty one, where no recipient is lost. */
function listOf(parameters: ItemParameters, item: number): string | undefined {
	try {
		const list = JSON.stringify(parameters.read(LIST, item) ?? '');
		return list === '""' || list === '[]' ? undefined : list;
	} catch {
		return undefined;
	}
}
