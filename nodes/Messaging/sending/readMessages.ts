import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { mayHaveGotIt } from '../n8n/failedItems';
import { itemReader, type Item } from '../n8n/itemParameters';
import { RunError, sentenceOf } from '../n8n/nodeErrors';
import { optionalText, requiredText } from '../n8n/values';
import { recipientDigits, senderNumber } from '../phone/phone';
import { forEachInSlices } from '../utils/concurrency';
import { addProblem, type Draft, type Message } from './message';
import { numberWriter, type WriteNumber } from './recipients';
import type { RunSetup, SendOperation } from './sendOperation';

/**
 * Makes each recipient's message, and checks what concerns one recipient alone: the sender, the number, and what the
 * operation's `compose` refuses. A problem with one recipient does not stop the others.
 *
 * @throws RunError
 */
export async function readMessages<Prepared>(
	setup: RunSetup,
	operation: Pick<SendOperation<never, Prepared>, 'prepare' | 'compose'>,
): Promise<Message[]> {
	const { context } = setup;
	const prepared = operation.prepare?.(setup) as Prepared;
	const itemAt = itemReader(context);
	const writeNumber = numberWriter(context);
	const items = context.getInputData();
	const messages = new Array<Message>(items.length);
	/** Most messages have the same sender, and reading a number takes longer than all else. */
	const senders = new Map<string, string>();
	const readSender = (from: string) => {
		const sender = senders.get(from) ?? senderOf(from);
		senders.set(from, sender);
		return sender;
	};
	await forEachInSlices(items, (given, item) => {
		const input = itemAt(item);
		const message = newMessage(input, writeNumber);
		const before = mayHaveGotIt(given);
		if (before !== undefined) message.mayHaveIt = isNumberOf(message, before, input, writeNumber);
		messages[item] = message;
		try {
			const draft = operation.compose(input, prepared);
			if (!(draft instanceof Promise)) return addDraft(message, draft, readSender);
			const added = draft.then((composed) => addDraft(message, composed, readSender));
			return added.catch((error) => noteProblem(message, error));
		} catch (error) {
			noteProblem(message, error);
		}
	});
	return messages;
}

/** Returns each recipient's number, empty if it cannot be read. */
export async function recipientNumbers(context: IExecuteFunctions): Promise<string[]> {
	const itemAt = itemReader(context);
	const names: string[] = [];
	const read = (_: unknown, item: number) => {
		try {
			names.push(readTo(itemAt(item)));
		} catch {
			names.push('');
		}
	};
	await forEachInSlices(context.getInputData(), read, context.getExecutionCancelSignal?.());
	return names;
}

const NO_BODY = {};

/** Begins a message with the recipient's number, also one that cannot be sent: a retry compares the numbers. */
function newMessage(input: Item, writeNumber: WriteNumber): Message {
	// All fields from the start: an object that gets them later takes more memory, and there may be very many messages.
	const message: Message = {
		item: input.item,
		from: '',
		to: '',
		digits: '',
		identifier: undefined,
		isGenerated: undefined,
		body: NO_BODY,
		text: undefined,
		language: undefined,
		doubt: undefined,
		problem: undefined,
		mayHaveIt: undefined,
		twin: undefined,
	};
	try {
		message.to = readTo(input);
		const number = writeNumber(input, message.to);
		if (number.ok) message.to = number.phone;
		else message.problem = number.message;
	} catch (error) {
		message.problem = sentenceOf(error);
	}
	message.digits = recipientDigits(message.to);
	return message;
}

/** Reads the recipient's number. @throws UserError when it is neither text nor a number */
const readTo = ({ read }: Item): string => optionalText(read('to'), 'To');

/**
 * Whether a number that may have got a message is that of the recipient. It is read like the recipient's, because it stands there
 * as somebody typed it when its whole run failed.
 */
function isNumberOf({ digits }: Message, before: string, input: Item, writeNumber: WriteNumber) {
	try {
		const number = writeNumber(input, before);
		return recipientDigits(number.ok ? number.phone : before) === digits;
	} catch {
		// An option of this item is invalid, so nobody knows which number it means: perhaps the same.
		return true;
	}
}

function addDraft(
	message: Message,
	{ from, identifier, body, text, language, doubt }: Draft,
	readSender: (from: string) => string,
) {
	message.identifier = identifier;
	message.body = body;
	message.text = text;
	message.language = language;
	message.doubt = doubt;
	// Last, because it throws when there is no sender.
	message.from = readSender(from);
}

/** Notes why a message cannot be sent, behind a problem with its number. */
function noteProblem(message: Message, error: unknown) {
	if (error instanceof RunError) throw error;
	message.problem = addProblem(message.problem, sentenceOf(error));
}

/** Reads a sender's number. @throws UserError when it is empty or no phone number */
function senderOf(from: string): string {
	const number = senderNumber(requiredText(from, 'From'));
	if (!number.ok) throw new UserError(`'From' cannot be used. ${number.message}`);
	return number.phone;
}
