import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { interruption, nameRecipients, refusal } from '../../../nodes/Messaging/sending/errors';
import type { Journal } from '../../../nodes/Messaging/sending/journal';
import type { Message } from '../../../nodes/Messaging/sending/message';
import { failed, refused, skipped, type Result } from '../../../nodes/Messaging/sending/results';
import type { Failure } from '../../../nodes/Messaging/service/failure';
import { message } from './messages';

const node = { type: 'n8n-nodes-messaging.messaging', name: 'Messaging' } as INode;

const contextOf = (mode = 'manual', type = node.type) =>
	({ getMode: () => mode, getNode: () => ({ ...node, type }) }) as unknown as IExecuteFunctions;

const RETRY =
	"In the list of executions, press the arrow 'Retry execution', not 'Debug in editor'. 'Retry with currently saved workflow' takes the corrected node, 'Retry with original workflow' the node as it was. Both use the saved input: a corrected spreadsheet is not read again.";
const ON_ERROR =
	"To send all other messages now, set 'On Error' in the node's settings to 'Continue (using error output)' or 'Continue'.";
const EXECUTE_AGAIN =
	"Once the cause is gone, execute again. If other messages were sent in this execution (by another node, an earlier attempt or an earlier round of a loop), retry it under 'Executions' instead, so that nobody gets them twice.";

const SHORT = 'This is not a phone number: it is too short.';
const EMPTY = 'The recipient is empty.';

const problem = (position: number, sentence: string, given = `${position}`): Message =>
	message(position, { to: given, problem: sentence });

type Given = {
	context?: IExecuteFunctions;
	hasSent?: boolean;
	isRetry?: boolean;
};

/** The part of a run that an error shows. */
const runOf = (
	results: Result[],
	{ context = contextOf(), hasSent = false, isRetry = false }: Given = {},
) => {
	const journal = { hasSent, mayHaveSent: hasSent || isRetry } as Journal;
	return { context, journal, results };
};

function refusalOf(problems: Message[], recipients: number, given?: Given) {
	const results = new Array<Result>(recipients);
	for (const each of problems) results[each.item] = refused(each, each.problem!);
	return refusal(runOf(results, given));
}

const interruptionOf = (results: Result[], given?: Given) => interruption(runOf(results, given));

const linesOf = ({ description }: { description?: string | null }) => description?.split('<br>');

describe('nothing was sent, because of bad recipients', () => {
	const many = Array.from({ length: 2000 }, (_, position) =>
		problem(position, position < 1500 ? SHORT : EMPTY),
	);
	const first20 = many.slice(0, 20).map(({ item }) => `item ${item + 1} (${item})`);
	const empty = Array.from({ length: 500 }, (_, position) => problem(position, EMPTY, ''));
	const different = [problem(0, EMPTY, ''), problem(1, SHORT, '<b>'), problem(2, EMPTY, '')];

	test.each<[string, Message[], number, Given, string, string[]]>([
		[
			'one of several is named in the headline, and the others can be sent to',
			[problem(2, SHORT, '12')],
			3,
			{},
			`Nothing was sent, because of item 3 (12): ${SHORT}`,
			[EXECUTE_AGAIN, ON_ERROR],
		],
		[
			'several with different reasons: the first is in the headline, all are below by reason',
			different,
			3,
			{},
			`Nothing was sent, because of item 1: ${EMPTY} In all, 3 of 3 messages cannot be sent.`,
			[EXECUTE_AGAIN, `item 1, item 3: ${EMPTY}`, `item 2 (&lt;b>): ${SHORT}`],
		],
		[
			'the first 20 are named, and the others counted',
			many,
			2001,
			{},
			`Nothing was sent, because of item 1 (0): ${SHORT} In all, 2,000 of 2,001 messages cannot be sent, so the others were not sent either.`,
			[EXECUTE_AGAIN, ON_ERROR, `${first20.join(', ')}: ${SHORT}`, 'And 1,980 more.'],
		],
		[
			'a misnamed column is named',
			empty,
			500,
			{},
			"Nothing was sent, because 'To' is empty for all 500 recipients: check the exact name of the column or field.",
			[EXECUTE_AGAIN, expect.stringContaining(`item 20: ${EMPTY}`), 'And 480 more.'],
		],
		[
			'after an earlier attempt only the rest is sent',
			[problem(0, SHORT, '12')],
			1,
			{ context: contextOf('retry'), hasSent: true },
			`Nothing more was sent, because of item 1 (12): ${SHORT}`,
			[
				`Do not execute this step or the workflow again: that sends to everyone again. A retry of this execution, also by 'Retry On Fail', sends only what was certainly not sent. ${RETRY}`,
			],
		],
	])('%s', (_, problems, recipients, given, headline, below) => {
		const error = refusalOf(problems, recipients, given);
		expect([error.message, linesOf(error)]).toEqual([headline, below]);
	});
});

const accepted = (position: number): Result =>
	({ outcome: 'accepted', message: message(position), json: {} }) as unknown as Result;

const fails = (position: number, more: Partial<Failure>): Result =>
	failed(message(position), {
		outcome: 'rejected',
		reason: 'refused',
		message: 'The service refused: No.',
		httpStatus: 400,
		...more,
	});

const stopped = (position: number) =>
	fails(position, {
		outcome: 'notSent',
		reason: 'stopped',
		message: 'Sending stopped when an earlier message failed.',
		httpStatus: undefined,
	});

const to = (position: number) => message(position).to;

describe('sending stopped', () => {
	const lost: Partial<Failure> = { outcome: 'unknown', reason: 'noAnswer', message: 'It broke.' };
	const REFUSED = 'The service refused: No.';
	const agent = contextOf('manual', `${node.type}Tool`);
	const subWorkflow = contextOf('integrated');
	const canceled = {
		...contextOf(),
		getExecutionCancelSignal: () => AbortSignal.abort(),
	} as IExecuteFunctions;

	test.each<[string, Result[], Given, string, string[]]>([
		[
			'after some were accepted: executing again is advised against first',
			[accepted(0), fails(1, {}), stopped(2), skipped(message(3), 'Twice.')],
			{ hasSent: true },
			`Do not execute again, see below. Not sent to ${to(1)}: ${REFUSED} 1 of 4 messages was accepted, 2 were not sent, 1 was skipped.`,
			[
				`Do not execute this step or the workflow again: that sends to everyone again. A retry of this execution, also by 'Retry On Fail', sends only what was certainly not sent. ${RETRY} Done with these 2? Set 'On Error' to 'Continue', save and retry: the next nodes run for the 1 that was accepted.`,
				ON_ERROR,
			],
		],
		[
			'a canceled execution has no Retry in n8n',
			[accepted(0), fails(1, {})],
			{ context: canceled, hasSent: true },
			`Do not execute again, see below. Not sent to ${to(1)}: ${REFUSED} 1 of 2 messages was accepted, 1 was not sent.`,
			[
				"n8n offers no Retry for a canceled execution. Do not execute the workflow again: that sends to everyone again. Look into the logs ('Log → Get Many'), and send to the rest.",
			],
		],
		[
			'different outcomes have a line each',
			[fails(0, {}), fails(1, lost), stopped(2)],
			{ context: contextOf('trigger'), hasSent: true },
			`Do not execute again, see below. Not sent to ${to(0)}: ${REFUSED} 1 of 3 messages may have been sent, 2 were not sent.`,
			[
				expect.stringContaining('A retry'),
				ON_ERROR,
				`item 1 (${to(0)}): ${REFUSED}`,
				`item 2 (${to(1)}): May have been sent: It broke. Check the service's logs before sending it again.`,
			],
		],
		[
			'in a sub-workflow, the workflow that called it must not be retried',
			[fails(0, {})],
			{ context: subWorkflow },
			`Not sent to ${to(0)}: ${REFUSED} 1 of 1 message was not sent.`,
			[expect.stringContaining('Do not retry the workflow that called it')],
		],
	])('%s', (_, results, given, headline, below) => {
		const error = interruptionOf(results, given);
		expect([error.message, linesOf(error)]).toEqual([headline, below]);
	});

	// n8n gives the agent's model only the message, so what a person reads below it is part of it.
	test.each<[string, Result[], Given, string]>([
		[
			'an agent is told whom not to send to again',
			[accepted(0), fails(1, {}), fails(2, { outcome: 'unknown' })],
			{ hasSent: true },
			`Not sent to ${to(1)}: ${REFUSED} 1 of 3 messages was accepted, 1 may have been sent, 1 was not sent. Calling this tool again sends to everyone in the call again. Accepted, or possibly sent: ${to(0)}, ${to(2)}. Do not call it again for these, only for the others. item 2 (${to(1)}): ${REFUSED} item 3 (${to(2)}): May have been sent: ${REFUSED} Check the service's logs before sending it again.`,
		],
		[
			'an agent must not call again after an earlier attempt that may have sent',
			[fails(0, {})],
			{ hasSent: true },
			`Not sent to ${to(0)}: ${REFUSED} 1 of 1 message was not sent. An earlier attempt of this call may have sent messages: do not call this tool again for anybody in it.`,
		],
	])('%s', (_, results, given, message) => {
		const error = interruptionOf(results, { ...given, context: agent });
		expect([error.message, error.description ?? undefined]).toEqual([message, undefined]);
	});
});

describe('a refusal of the service that names messages of the request', () => {
	const failure = (text: string) =>
		({ ok: false, outcome: 'rejected', reason: 'refused', message: text }) as Failure;
	const sent = [message(4), message(7, { to: '+44 7700 900211' }), message(9)];

	test.each([
		[
			'The service refused: messages[2]: "to" is not valid.',
			`The service refused: item 10 (${to(9)}): "to" is not valid. Correct or remove this recipient.`,
		],
		[
			'The service refused: messages[0].to is not valid.',
			`The service refused: item 5 (${to(4)}): to is not valid. Correct or remove this recipient.`,
		],
		[
			'The service refused: "messages[1]" is wrong.',
			'The service refused: "item 8 (+44 7700 900211)" is wrong. Correct or remove this recipient.',
		],
		['The service refused: messages[3] is wrong.', 'The service refused: messages[3] is wrong.'],
		['The service refused: No.', 'The service refused: No.'],
	])('%s', (text, sentence) => {
		expect(nameRecipients(failure(text), sent).message).toBe(sentence);
	});
});
