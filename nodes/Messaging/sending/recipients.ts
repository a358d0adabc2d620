import { type IDataObject, type IExecuteFunctions, UserError } from 'n8n-workflow';
import { ItemParameters } from '../n8n/itemParameters';
import type { ReadParameter } from '../n8n/itemParameters';
import { optionalText, parseJson } from '../n8n/values';
import { formatNumber } from '../utils/text';
import { isObject } from '../service/types';

/** Somebody to send to: an input item, or an entry of the recipient list. */
export type Recipient = {
	item: number;
	/** The entry of the list; undefined when input items are the recipients. */
	entry?: IDataObject;
	/** Reads a parameter's value for this recipient. */
	read: ReadParameter;
};

/** The recipients of a run, in order. Each is made when it is asked for: very many of them would take much memory. */
export type Recipients = {
	count: number;
	/** They are the entries of `recipientList`, not the input items. */
	isList: boolean;
	at: (position: number) => Recipient;
};

/** Reads the number of a recipient. @throws UserError when it is neither text nor a number */
export const readTo = ({ entry, read }: Recipient): string =>
	optionalText(entry ? entry.to : read('to'), 'To');

const readableTo = (recipient: Recipient) => {
	try {
		return readTo(recipient);
	} catch {
		return '';
	}
};

/** Returns each recipient's item and number, empty if it cannot be read; undefined when the list is invalid. */
export function namesOf(context: IExecuteFunctions, takesList?: boolean) {
	try {
		const { count, at } = recipientsOf(context, takesList);
		return Array.from({ length: count }, (_, position) => {
			const recipient = at(position);
			return { item: recipient.item, to: readableTo(recipient) };
		});
	} catch {
		return undefined;
	}
}

const hasList = (context: IExecuteFunctions, takesList: boolean) =>
	takesList && context.getNodeParameter('recipients', 0, 'items') === 'list';

/**
 * Returns the recipients of a run: the input items, or the entries of `recipientList`, which is resolved once.
 *
 * @throws UserError when the list is invalid, or what is read once may read the item
 */
export function recipientsOf(context: IExecuteFunctions, takesList = false): Recipients {
	refuseItemExpressions(context, takesList);
	const items = context.getInputData();
	const parameters = new ItemParameters(context, items);
	const readerOf =
		(item: number): Recipient['read'] =>
		(parameter, fallback = '') =>
			parameters.read(parameter, item, fallback);

	if (!hasList(context, takesList)) {
		return { count: items.length, isList: false, at: (item) => ({ item, read: readerOf(item) }) };
	}
	const entries = listOfRecipients(parameters.readList('recipientList', 0));
	const read = readerOf(0);
	const at = (position: number) => ({ item: 0, entry: entries[position], read });
	return { count: entries.length, isList: true, at };
}

const NOT_A_LIST =
	'\'Recipient List\' must be a JSON array of objects, like [{ "to": "+385911234567" }].';

function listOfRecipients(value: unknown): IDataObject[] {
	const list = parseJson(value, 'Recipient List');
	if (!Array.isArray(list)) throw new UserError(NOT_A_LIST);
	const wrong = list.findIndex((entry) => !isObject(entry));
	if (wrong >= 0) throw new UserError(`${NOT_A_LIST} Entry ${wrong + 1} is no object.`);
	return list as IDataObject[];
}

/** Parameters that decide for the whole run who gets a message, or what is output. They are read once, from the first item. */
const OF_THE_RUN = {
	mode: 'Mode',
	testRecipient: 'My Number',
	'options.maxRecipients': 'Max Recipients per Request',
	'options.messagesPerRequest': 'Messages per Request',
	'options.onDuplicateRecipient': 'On Duplicate Recipient',
	'options.output': 'Output',
	'options.resendUnknown': 'Resend Unknown',
};

/** With a list, these are read once, too. */
const WITH_LIST = {
	recipientList: 'Recipient List',
	from: 'From',
	template: 'Template',
	options: 'Options',
};

const USE_ONE_ITEM =
	"Turn on 'Execute Once' in the node's settings; the list may still use $input.all(). Or set 'Recipients' to 'Input Items'.";

const USE_ONE_VALUE =
	"Use one value for all items, for example {{ $('Name of a node').first().json.mode }}, or separate them before this node, for example with an 'If' node.";

/**
 * Makes sure that no item decides for the others: what is read once must not read the item.
 *
 * @throws UserError when several items come in, and such a parameter may read the item
 */
function refuseItemExpressions(context: IExecuteFunctions, takesList: boolean) {
	const items = context.getInputData();
	if (items.length < 2) return;
	const isList = hasList(context, takesList);
	const parameters = new ItemParameters(context, items);
	const labels = Object.entries({ ...OF_THE_RUN, ...(isList && WITH_LIST) });
	const [, label] = labels.find(([name]) => parameters.mayDiffer(name)) ?? [];
	if (label === undefined) return;
	throw new UserError(
		`'${label}' is an expression that may read the input item, but it is read once, and ${formatNumber(items.length)} items came in. ${isList ? USE_ONE_ITEM : USE_ONE_VALUE}`,
	);
}
