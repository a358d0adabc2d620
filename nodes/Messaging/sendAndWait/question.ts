import { UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { oneOf, requiredText, text } from '../n8n/values';
import { type FormElement, readForm } from './form';
import type { LinkFor } from './links';
import { type PageLanguage, readLanguage } from './pageTexts';

/** What the person is asked, and how the message and the page show it. */
export type Question = {
	message: string;
	/** The node reviews an agent's tool call, so an agent wrote parts of the message. */
	isReview: boolean;
	responseType: 'approval' | 'freeText' | 'customForm';
	/** Labels of the buttons; without a second label the page has one button. */
	approveLabel: string;
	disapproveLabel?: string;
	/** The text before the link, for a free-text answer or a form. */
	messageButtonLabel: string;
	formTitle: string;
	/** Shown on the page instead of the message. */
	formDescription: string;
	formButtonLabel: string;
	/** The elements of a custom form, from top to bottom. */
	form: FormElement[];
} & PageLanguage;

/**
 * Reads the question from the node's parameters.
 *
 * @throws UserError when the message is empty, both buttons have the same label, or the form cannot be filled in
 */
export function readQuestion(context: IExecuteFunctions): Question {
	const read = (parameter: string, fallback: string | IDataObject): unknown =>
		context.getNodeParameter(parameter, 0, fallback);
	const approval = read('approvalOptions.values', {}) as IDataObject;
	const options = read('options', {}) as IDataObject;
	const responseType = oneOf(
		read('responseType', 'approval'),
		['approval', 'freeText', 'customForm'],
		'Response Type',
	);
	const question: Question = {
		message: requiredText(messageOf(context), 'Message'),
		isReview: isReview(context),
		responseType,
		approveLabel: label(approval.approveLabel) || 'Approve',
		...(approval.approvalType === 'double' && {
			disapproveLabel: label(approval.disapproveLabel) || 'Decline',
		}),
		messageButtonLabel: label(options.messageButtonLabel) || 'Respond',
		formTitle: text(options.responseFormTitle),
		formDescription: text(options.responseFormDescription),
		formButtonLabel: text(options.responseFormButtonLabel) || 'Submit',
		form: responseType === 'customForm' ? readForm(context) : [],
		...readLanguage(options),
	};
	const { approveLabel, disapproveLabel } = question;
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

/** Puts a label on one line, because it stands before a link. */
const label = (value: unknown) => text(value).replace(/\s+/g, ' ');

/** Whether the node runs as the human review of an agent's tool. */
export const isReview = (context: IExecuteFunctions) => context.getNode().type.endsWith('HitlTool');

const TOOL_INPUT = /\{\{\s*\$tool\.parameters\s*\}\}/g;
const TOOL_INPUT_AS_LINES =
	"{{ Object.entries($tool.parameters ?? {}).map(([name, value]) => name + ': ' + (typeof value === 'string' ? value : JSON.stringify(value))).join('\\n') }}";

/**
 * Returns the message. n8n's default message for a human review would show the tool's input as "[object Object]", so the
 * input is written with one line for each field.
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
 * Returns the text of the session message: the question as it was written, with the links below. A question that
 * could imitate these links is quoted with `>` on each line.
 */
export function sessionText(question: Question, linkFor: LinkFor): string {
	const { message, responseType, approveLabel, disapproveLabel, messageButtonLabel } = question;
	const links =
		responseType === 'approval'
			? [
					`${approveLabel}: ${linkFor('approve')}`,
					...(disapproveLabel ? [`${disapproveLabel}: ${linkFor('disapprove')}`] : []),
				]
			: [`${messageButtonLabel}: ${linkFor()}`];
	const asked = isQuoted(question)
		? message
				.split(LINE_BREAK)
				.map((line) => `> ${line.replace(BLANKS, ' ')}`.trimEnd())
				.join('\n')
		: message;
	return [asked, ...links].join('\n\n');
}

/** Every character after which a chat app may start a new line. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Matches runs of blank characters. A long run fills a line on the screen: the text after it looks like a line without `>`. */
const BLANKS = /[\s\p{Z}\p{Cf}\u2800\u115F\u1160\u3164\uFFA0]{4,}/gu;

/** Matches `https://…`, `www.…` and `example.com/…`. */
const LINK = /:\/\/|\bwww\.|\p{L}\.\p{L}{2,}\//iu;

/** Whether to quote the question: always if an agent wrote it; if not, when it contains something that looks like our links. */
function isQuoted({ message, isReview, ...question }: Question): boolean {
	if (isReview || LINK.test(message)) return true;
	const { approveLabel, disapproveLabel = approveLabel, messageButtonLabel } = question;
	const labels = [approveLabel, disapproveLabel, messageButtonLabel].map(bare);
	return message.split(LINE_BREAK).some((line) => {
		const [start, ...rest] = line.split(/[:\uFF1A]/);
		return rest.length > 0 && labels.includes(bare(start));
	});
}

/** Keeps only the letters and digits, to compare labels. */
const bare = (words: string) =>
	words
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

const PARTS = /\[(question|link|approve|disapprove)\]/g;

/** Replaces `[question]`, `[link]` and so on in a placeholder's value; on one line, because the provider refuses line breaks. */
export const placeholderValue = (value: string, question: Question, linkFor: LinkFor): string =>
	value.replace(PARTS, (_, part: string) => {
		if (part === 'question') return onOneLine(question);
		return part === 'approve' || part === 'disapprove' ? linkFor(part) : linkFor();
	});

/** Puts a question that imitates links between quotation marks, which its own text cannot close. */
function onOneLine(question: Question): string {
	const line = question.message.replace(/\s+/g, ' ');
	return isQuoted(question) ? `“${line.replace(/[“”„‟"«»]/g, "'")}”` : line;
}
