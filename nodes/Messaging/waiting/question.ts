import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { requiredText, text } from '../host/values';

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

type Read = (parameter: string, otherwise: string | IDataObject) => unknown;

/** Reads the question, when it is asked and again when its page is shown. */
export function readQuestion(context: IExecuteFunctions | IWebhookFunctions): Question {
	const read: Read =
		'getInputData' in context
			? (parameter, otherwise) => context.getNodeParameter(parameter, 0, otherwise)
			: (parameter, otherwise) => context.getNodeParameter(parameter, otherwise);
	const approval = read('approvalOptions.values', {}) as IDataObject;
	const options = read('options', {}) as IDataObject;
	requiredText(read('message', ''), 'Message');
	return {
		message: String(read('message', '')).trim(),
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

/** Makes the signed address of the question's page; a choice is shown there first. */
export type LinkFor = (choice?: 'approve' | 'disapprove') => string;

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

/** A template's placeholder with the question's parts in it; the provider allows no line breaks there. */
export const filledIn = (value: string, question: Question, linkFor: LinkFor): string =>
	value
		.replaceAll('[question]', () => question.message.replace(/\s+/g, ' '))
		.replaceAll('[link]', () => linkFor())
		.replaceAll('[approve]', () => linkFor('approve'))
		.replaceAll('[disapprove]', () => linkFor('disapprove'));
