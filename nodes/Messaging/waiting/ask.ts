import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { serviceError } from '../host/errors';
import { text } from '../host/values';
import { sendTemplate, sendText } from '../service/endpoints';
import type { SendingOperation } from '../sending/operation';
import type { Result } from '../sending/results';
import { settle } from '../sending/send';
import { templateComposer } from '../templates/compose';
import { openQuestion } from './openQuestion';
import { chatText, filledIn, readQuestion, type LinkFor, type Question } from './question';
import { waitUntil } from './waitLimit';

type Failed = Extract<Result, { fate: 'failed' }>;
type Way = 'session' | 'template';

const ONE_BY_ONE =
	'Send and Wait asks one question at a time, but several items came in. Put a Loop Over Items node before it, connect its loop output to this node, and this node back to the loop.';

/**
 * Sends the question and lets the execution wait for its answer.
 *
 * What it returns is what comes out when nobody answers in time: the input item with
 * `data: { timedOut: true }`. n8n puts the answer in its place.
 */
export async function askAndWait(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	if (items.length > 1) throw new UserError(ONE_BY_ONE);
	const question = readQuestion(context);
	const until = waitUntil(context);
	const id = openQuestion(context);
	const linkFor: LinkFor = (choice) =>
		context.getSignedResumeUrl({ question: id, ...(choice && { choice }) });

	const sentAs = await deliver(context, question, linkFor);
	const timedOut: INodeExecutionData = {
		...items[0],
		json: {
			...items[0].json,
			data: {
				timedOut: true,
				...(question.responseType === 'approval' && { approved: false }),
				sentAs,
			},
		},
		pairedItem: { item: 0 },
	};
	// When time is up n8n passes on what the node was given: that must tell that nobody answered.
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, main: [[timedOut]] };
	await context.putExecutionToWait(until);
	return [timedOut];
}

/** Sends the question in the way that the user chose; returns the way that worked. */
async function deliver(
	context: IExecuteFunctions,
	question: Question,
	linkFor: LinkFor,
): Promise<Way> {
	const deliverAs = context.getNodeParameter('deliverAs', 0, 'session') as string;
	const ways: Way[] =
		deliverAs === 'sessionThenTemplate'
			? ['session', 'template']
			: [deliverAs === 'template' ? 'template' : 'session'];
	let failed: Failed | undefined;
	for (const way of ways) {
		const operation =
			way === 'session' ? sessionMessage(question, linkFor) : templateMessage(question, linkFor);
		const [result] = await settle(context, operation as SendingOperation<unknown>);
		if (result.fate !== 'failed') return way;
		failed = result;
		// Only what the service has refused may go another way: all else may have arrived.
		if (result.outcome !== 'rejected') break;
	}
	throw serviceError(context.getNode(), {
		message: failed!.sentence,
		httpStatus: failed!.httpStatus,
	});
}

const nothingKept = () => [{}];
const noOutput = () => ({});

const sessionMessage = (question: Question, linkFor: LinkFor): SendingOperation<unknown> => ({
	takesList: false,
	hasIdentifier: false,
	prepare:
		() =>
		({ read }) => ({
			from: text(read('from')),
			to: text(read('to')),
			body: { message: chatText(question, linkFor) },
		}),
	perRequest: () => 1,
	request: (from, [{ to, body }]) => sendText({ from, to, message: body.message as string }),
	keep: nothingKept,
	output: noOutput,
});

const templateMessage = (question: Question, linkFor: LinkFor): SendingOperation<unknown> => ({
	takesList: false,
	hasIdentifier: false,
	prepare: (setup) => {
		const template = templateComposer(setup, (value) => filledIn(value, question, linkFor));
		return async (recipient) => {
			const from = text(recipient.read('from'));
			const composed = await template(recipient, from);
			if (!JSON.stringify(composed).includes(linkFor().split('?')[0])) {
				throw new UserError(
					'The template has no place for the link. Choose a Parameter Format, and write [link] in the field of a placeholder.',
				);
			}
			return { from, to: text(recipient.read('to')), body: { save: false, template: composed } };
		};
	},
	perRequest: () => 1,
	request: (from, [{ to, body }]) => sendTemplate({ from, messages: [{ to, ...body }] }),
	keep: nothingKept,
	output: noOutput,
});
