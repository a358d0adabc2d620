import { UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { isReview } from '../n8n/execution';
import { ItemParameters } from '../n8n/itemParameters';
import { holdsExpression } from '../n8n/plainExpressions';
import { oneOf, requiredText, text } from '../n8n/values';
import { messageText, refuseUnreadable } from '../words/readable';
import { type PageLanguage, readLanguage } from './pageTexts';

/** What the person is asked, and how the message and the page show it. */
export type Question = {
	message: string;
	/** The node reviews an agent's tool call, so an agent wrote parts of the message. */
	isReview: boolean;
	responseType: 'approval' | 'freeText';
	/** Labels of the buttons; without a second label the page has one button. */
	approveLabel: string;
	disapproveLabel?: string;
	/** The text before the link in the message. */
	linkLabel: string;
	pageTitle: string;
	submitLabel: string;
} & PageLanguage;

/**
 * Reads the question from the node's parameters.
 *
 * @throws UserError when the message is empty, or both buttons have the same label
 */
export function readQuestion(context: IExecuteFunctions): Question {
	const parameters = new ItemParameters(context, context.getInputData());
	const read = (parameter: string, fallback: string | IDataObject): unknown =>
		parameters.read(parameter, 0, fallback);
	const approval = read('approvalOptions.values', {}) as IDataObject;
	const options = read('options', {}) as IDataObject;
	const question: Question = {
		message: questionText(context, parameters),
		isReview: isReview(context),
		responseType: oneOf(
			read('responseType', 'approval'),
			['approval', 'freeText'],
			'Response Type',
		),
		approveLabel: text(approval.approveLabel) || 'Approve',
		...(approval.approvalType === 'double' && {
			disapproveLabel: text(approval.disapproveLabel) || 'Decline',
		}),
		// On one line, because it stands before the link.
		linkLabel: linkLabelOf(
			text(options.messageButtonLabel).replace(/\s+/g, ' '),
			parameters.raw('options.messageButtonLabel'),
			context.getTimezone(),
		),
		pageTitle: text(options.responseFormTitle),
		submitLabel: text(options.responseFormButtonLabel) || 'Submit',
		...readLanguage(options),
	};
	const { approveLabel, disapproveLabel } = question;
	if (
		question.responseType === 'approval' &&
		approveLabel.toLowerCase() === disapproveLabel?.toLowerCase()
	) {
		throw new UserError(
			`Both buttons are labelled "${disapproveLabel}". Give them different labels in 'Approval Options'.`,
		);
	}
	return question;
}

/** Reads *Text Before Link*, which stands in the message. @throws UserError when it has something of a machine in it */
function linkLabelOf(label: string, raw: unknown, timeZone: string): string {
	refuseUnreadable({
		subject: "'Text Before Link'",
		text: label,
		raw,
		timeZone,
		mayBeUnusual: true,
	});
	return label || 'Answer here';
}

const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g;
const TOOL_INPUT_AS_LINES =
	"{{ Object.entries($tool.parameters ?? {}).map(([name, value]) => name + ': ' + (typeof value === 'string' ? value : JSON.stringify(value))).join('\\n') }}";

/**
 * Returns the message. n8n's default message for a human review would show the tool's input as "[object Object]", so the
 * input is written with one line for each field.
 */
function questionText(context: IExecuteFunctions, parameters: ItemParameters): string {
	const raw = String(parameters.raw('message'));
	const isInput = holdsExpression(raw) && raw.search(TOOL_INPUT) >= 0;
	const message: unknown = isInput
		? context.evaluateExpression(
				raw.slice(1).replace(TOOL_INPUT, () => TOOL_INPUT_AS_LINES),
				0,
			)
		: parameters.read('message', 0);
	// A review shows what a machine is going to do, in the machine's words.
	return isReview(context)
		? requiredText(message, 'Message')
		: messageText(message, raw, { mayBeUnusual: true, timeZone: context.getTimezone() }).trim();
}

/**
 * Returns the text of the chat message: the question with the link below it. In a human review each line of the question
 * begins with `>`, so that nothing that the agent wrote can be mistaken for the link.
 */
export function chatText({ message, isReview, linkLabel }: Question, link: string): string {
	const asked = isReview ? message.split(LINE_BREAK).map(quotedLine).join('\n') : message;
	return `${asked}\n\n${linkLabel}: ${link}`;
}

const quotedLine = (line: string) => `> ${line.replace(BLANKS, ' ')}`.trimEnd();

/** Every character after which a chat app may start a new line. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Matches runs of blank characters. A long run fills a line on the screen: the text after it looks like a line without `>`. */
const BLANKS = /[\s\p{Z}\p{Cf}\u2800\u115F\u1160\u3164\uFFA0]{4,}/gu;

/** Replaces `[question]` and `[link]` in a placeholder's value; on one line, because the provider refuses line breaks. */
export const placeholderValue = (value: string, question: Question, link: string): string =>
	value.replace(/\[(question|link)\]/gi, (_, part: string) =>
		part.toLowerCase() === 'link' ? link : onOneLine(question),
	);

/** Puts the question of a human review between quotation marks, which its own text cannot close. */
function onOneLine({ message, isReview }: Question): string {
	const line = message.replace(/[\s\u0085]+/g, ' ');
	return isReview ? `“${line.replace(/[“”„‟"«»]/g, "'")}”` : line;
}
