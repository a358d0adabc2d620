import { UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { requiredText, text } from '../n8n/values';
import type { LinkFor } from './links';

/** The question as the node's parameters have it. */
export type Question = {
	message: string;
	/** The message is about an agent's tool, so parts of it are what the agent wrote. */
	isReview: boolean;
	responseType: 'approval' | 'freeText';
	/** Labels of the buttons; without the second there is nothing to decline. */
	approveLabel: string;
	disapproveLabel?: string;
	/** Before the link, when free text is asked for. */
	messageButtonLabel: string;
	formTitle: string;
	formButtonLabel: string;
};

/** @throws UserError when there is nothing to ask, or the buttons cannot be told apart */
export function readQuestion(context: IExecuteFunctions): Question {
	const read = (parameter: string, otherwise: string | IDataObject): unknown =>
		context.getNodeParameter(parameter, 0, otherwise);
	const approval = read('approvalOptions.values', {}) as IDataObject;
	const options = read('options', {}) as IDataObject;
	const question: Question = {
		message: requiredText(messageOf(context), 'Message'),
		isReview: isReview(context),
		responseType: read('responseType', 'approval') === 'freeText' ? 'freeText' : 'approval',
		approveLabel: label(approval.approveLabel) || 'Approve',
		...(approval.approvalType === 'double' && {
			disapproveLabel: label(approval.disapproveLabel) || 'Decline',
		}),
		messageButtonLabel: label(options.messageButtonLabel) || 'Respond',
		formTitle: text(options.responseFormTitle),
		formButtonLabel: text(options.responseFormButtonLabel) || 'Submit',
	};
	const { approveLabel, disapproveLabel, responseType } = question;
	if (
		responseType === 'approval' &&
		approveLabel.toLowerCase() === disapproveLabel?.toLowerCase()
	) {
		throw new UserError(
			`Both buttons are labelled "${disapproveLabel}". Give them different labels in 'Approval Options'.`,
		);
	}
	return question;
}

/** A label stands before a link, on one line. */
const label = (value: unknown) => text(value).replace(/\s+/g, ' ');

/** Whether the node asks for the human review of an agent's tool. */
export const isReview = (context: IExecuteFunctions) => context.getNode().type.endsWith('HitlTool');

const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g;
const TOOL_INPUT_AS_LINES =
	"{{ Object.entries($tool.parameters ?? {}).map(([name, value]) => name + ': ' + (typeof value === 'string' ? value : JSON.stringify(value))).join('\\n') }}";

/**
 * The message. What n8n proposes for the review of an agent's tool writes the tool's input as "[object
 * Object]", which nobody can decide on: it is written out instead.
 */
function messageOf(context: IExecuteFunctions): unknown {
	const raw: unknown = context.getNodeParameter('message', 0, '', { rawExpressions: true });
	if (typeof raw !== 'string' || !raw.startsWith('=') || raw.search(TOOL_INPUT) < 0) {
		return context.getNodeParameter('message', 0, '');
	}
	const readable = raw.slice(1).replace(TOOL_INPUT, () => TOOL_INPUT_AS_LINES);
	return context.evaluateExpression(readable, 0);
}

/**
 * The chat message: plain text, as the person wrote it, with the links below. Text that could be taken
 * for such a link is quoted line by line, as e-mail and chat apps show quotations.
 */
export function chatText(question: Question, linkFor: LinkFor): string {
	const { message, responseType, approveLabel, disapproveLabel, messageButtonLabel } = question;
	const links =
		responseType === 'freeText'
			? [`${messageButtonLabel}: ${linkFor()}`]
			: [
					`${approveLabel}: ${linkFor('approve')}`,
					...(disapproveLabel ? [`${disapproveLabel}: ${linkFor('disapprove')}`] : []),
				];
	const asked = isQuoted(question)
		? message
				.split(LINE_BREAK)
				.map((line) => `> ${line.replace(BLANKS, ' ')}`.trimEnd())
				.join('\n')
		: message;
	return [asked, ...links].join('\n\n');
}

/** Whatever a chat app may start a new line for. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** So many that a screen would start a new line after them, which looks like one without a quotation mark. */
const BLANKS = /[\s\p{Z}\p{Cf}\u2800\u115F\u1160\u3164\uFFA0]{4,}/gu;

/** `https://…`, `www.…` and `example.com/…`. */
const LINK = /:\/\/|\bwww\.|\p{L}\.\p{L}{2,}\//iu;

/** What an agent wrote is always quoted, anything else only if it holds something like our links. */
function isQuoted({ message, isReview, ...question }: Question): boolean {
	if (isReview || LINK.test(message)) return true;
	const { approveLabel, disapproveLabel = approveLabel, messageButtonLabel } = question;
	const labels = [approveLabel, disapproveLabel, messageButtonLabel].map(bare);
	return message.split(LINE_BREAK).some((line) => {
		const [start, ...rest] = line.split(/[:\uFF1A]/);
		return rest.length > 0 && labels.includes(bare(start));
	});
}

/** Only the letters and digits, for comparison. */
const bare = (words: string) =>
	words
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

const PARTS = /\[(question|link|approve|disapprove)\]/g;

/** A template's placeholder with the question's parts in it; the provider allows no line breaks there. */
export const filledIn = (value: string, question: Question, linkFor: LinkFor): string =>
	value.replace(PARTS, (_, part: string) => {
		if (part === 'question') return onOneLine(question);
		return part === 'approve' || part === 'disapprove' ? linkFor(part) : linkFor();
	});

/** Between quotation marks that the text itself cannot close. */
function onOneLine(question: Question): string {
	const line = question.message.replace(/\s+/g, ' ');
	return isQuoted(question) ? `“${line.replace(/[“”„‟"«»]/g, "'")}”` : line;
}
