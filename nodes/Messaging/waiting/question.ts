import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { requiredText, text } from '../host/values';
import type { LinkFor } from './links';

/** The question as the node's parameters have it. */
export type Question = {
	message: string;
	responseType: 'approval' | 'freeText';
	/** Labels of the buttons; without the second there is nothing to decline. */
	approveLabel: string;
	disapproveLabel?: string;
	/** Before the link, when free text is asked for. */
	messageButtonLabel: string;
	formTitle: string;
	formButtonLabel: string;
};

/** @throws UserError when there is nothing to ask */
export function readQuestion(context: IExecuteFunctions): Question {
	const read = (parameter: string, otherwise: string | IDataObject): unknown =>
		context.getNodeParameter(parameter, 0, otherwise);
	const approval = read('approvalOptions.values', {}) as IDataObject;
	const options = read('options', {}) as IDataObject;
	return {
		message: requiredText(messageOf(context), 'Message'),
		responseType: read('responseType', 'approval') === 'freeText' ? 'freeText' : 'approval',
		approveLabel: text(approval.approveLabel) || 'Approve',
		...(approval.approvalType === 'double' && {
			disapproveLabel: text(approval.disapproveLabel) || 'Decline',
		}),
		messageButtonLabel: text(options.messageButtonLabel) || 'Respond',
		formTitle: text(options.responseFormTitle),
		formButtonLabel: text(options.responseFormButtonLabel) || 'Submit',
	};
}

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

/** The chat message: plain text, as the person wrote it, with the links below. */
export function chatText(question: Question, linkFor: LinkFor): string {
	const { message, responseType, approveLabel, disapproveLabel, messageButtonLabel } = question;
	const links =
		responseType === 'freeText'
			? [`${messageButtonLabel}: ${linkFor()}`]
			: [
					`${approveLabel}: ${linkFor('approve')}`,
					...(disapproveLabel ? [`${disapproveLabel}: ${linkFor('disapprove')}`] : []),
				];
	return [message, ...links].join('\n\n');
}

const PARTS = /\[(question|link|approve|disapprove)\]/g;

/** A template's placeholder with the question's parts in it; the provider allows no line breaks there. */
export const filledIn = (value: string, question: Question, linkFor: LinkFor): string =>
	value.replace(PARTS, (_, part: string) => {
		if (part === 'question') return question.message.replace(/\s+/g, ' ');
		return part === 'approve' || part === 'disapprove' ? linkFor(part) : linkFor();
	});
