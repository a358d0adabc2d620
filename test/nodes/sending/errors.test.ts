import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { tallyOf } from '../../../nodes/Messaging/sending/tally';
import { asNothingSent, badRowsError, interruption } from '../../../nodes/Messaging/sending/errors';
import type { Journal } from '../../../nodes/Messaging/sending/journal';
import type { Message } from '../../../nodes/Messaging/sending/message';
import { badRow, failed, skipped, type Result } from '../../../nodes/Messaging/sending/results';
import type { Failure } from '../../../nodes/Messaging/service/outcomes';
import { message } from './messages';

const node = { type: 'n8n-nodes-messaging.messaging', name: 'Messaging' } as INode;

const contextOf = (mode = 'manual', type = node.type) =>
	({ getMode: () => mode, getNode: () => ({ ...node, type }) }) as unknown as IExecuteFunctions;

const RETRY =
	"Under 'Executions', press its arrow 'Retry execution' (not 'Debug in editor'), then 'Retry with currently saved workflow'. The saved list is used: a corrected spreadsheet is not read again.";
const SEND_THE_REST = `To send the rest: correct the node, save, and retry this execution. ${RETRY}`;
const WITHOUT_THEM = " To go on without them, first set 'On Error' to 'Continue'.";
const EXECUTE_AGAIN = 'Once that is corrected, execute again.';
const TO_THE_OTHERS = `${EXECUTE_AGAIN} To send to the others now: Settings → 'On Error' → 'Continue'.`;
const LOOK = "Send only to those who are not in the logs ('Log → Get Many').";

const SHORT = 'This is not a phone number: it is too short.';
const EMPTY = 'The recipient is empty.';
const NOT_SET = "'Default Country Code' is not set.";

const problem = (position: number, sentence: string, given = `${position}`): Message =>
	message(position, { to: given, problem: sentence });

type Given = {
	context?: IExecuteFunctions;
	hasSent?: boolean;
	isRetry?: boolean;
	isLaterRound?: boolean;
};

/** The part of a run that an error shows. */
const runOf = async (
	results: Result[],
	{ context = contextOf(), hasSent = false, isRetry = false, isLaterRound = false }: Given = {},
) => {
	const counts = () => ({ accepted: 0, unknown: 0 });
	const mayHaveSent = hasSent || isRetry;
	const journal = { hasSent, mayHaveSent, identity: { isLaterRound }, counts } as Journal;
	return { context, journal, tally: await tallyOf(results) };
};

async function refusalOf(problems: Message[], recipients: number, given?: Given) {
	const results = Array.from({ length: recipients }, (_, item): Result => {
		return { outcome: 'ready', message: message(item) };
	});
	for (const each of problems) results[each.item] = badRow(each, each.problem!);
	const run = await runOf(results, given);
	return asNothingSent(run.context, badRowsError(run), run.journal);
}

const interruptionOf = async (results: Result[], given?: Given) =>
	interruption(await runOf(results, given));

const linesOf = ({ description }: { description?: string | null }) => description?.split('<br>');

describe('bad recipients, because of which nothing is sent', () => {
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
			`Nothing was sent. Item 3 (12): ${SHORT}`,
			[TO_THE_OTHERS],
		],
		[
			'several with different reasons are below, by reason',
			different,
			3,
			{},
			`Nothing was sent. 3 of 3 rows cannot be sent.`,
			[EXECUTE_AGAIN, `item 1, item 3: ${EMPTY}`, `item 2 (&lt;b>): ${SHORT}`],
		],
		[
			'that the default country code is not set is said once, at the end',
			[problem(0, `${SHORT} ${NOT_SET}`, '1'), problem(1, EMPTY, ''), problem(2, `No. ${NOT_SET}`)],
			4,
			{},
			`Nothing was sent. 3 of 4 rows cannot be sent.`,
			[TO_THE_OTHERS, `item 1 (1): ${SHORT}`, `item 2: ${EMPTY}`, 'item 3 (2): No.', NOT_SET],
		],
		[
			'the first 20 are named, and the others counted',
			many,
			2001,
			{},
			`Nothing was sent. 2,000 of 2,001 rows cannot be sent.`,
			[TO_THE_OTHERS, `${first20.join(', ')}: ${SHORT}`, 'And 1,980 more.'],
		],
		[
			'the same of all, as with a misnamed column, is said once',
			empty,
			500,
			{},
			`Nothing was sent. 500 of 500 rows cannot be sent: ${EMPTY} Check the node's fields, and the names of columns in them.`,
			[EXECUTE_AGAIN],
		],
		[
			'after an earlier attempt only the rest is sent',
			[problem(0, SHORT, '12')],
			1,
			{ context: contextOf('retry'), hasSent: true },
			`Nothing more was sent. Item 1 (12): ${SHORT}`,
			[SEND_THE_REST],
		],
	])('%s', async (_, problems, recipients, given, headline, below) => {
		const error = await refusalOf(problems, recipients, given);
		expect([error.message, linesOf(error)]).toEqual([headline, below]);
	});
});

const accepted = (position: number): Result => ({
	outcome: 'accepted',
	message: message(position),
	receipt: {},
	json: {},
});

const fails = (position: number, more: Partial<Failure>): Result =>
	failed(message(position), {
		outcome: 'rejected',
		cause: 'refused',
		message: 'The service refused: No.',
		httpStatus: 400,
		...more,
	});

const stopped = (position: number) =>
	fails(position, {
		outcome: 'notSent',
		cause: 'stopped',
		message: 'Sending stopped when an earlier message failed.',
		httpStatus: undefined,
	});

const to = (position: number) => message(position).to;

describe('sending stopped', () => {
	const lost: Partial<Failure> = { outcome: 'unknown', cause: 'noAnswer', message: 'It broke.' };
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
			`Do not execute again. 4 messages: 1 accepted, 2 not sent, 1 skipped. Not sent to ${to(1)}: ${REFUSED}`,
			[SEND_THE_REST + WITHOUT_THEM],
		],
		[
			'a canceled execution has no Retry in n8n',
			[accepted(0), fails(1, {})],
			{ context: canceled, hasSent: true },
			`Do not execute again. 2 messages: 1 accepted, 1 not sent. Not sent to ${to(1)}: ${REFUSED}`,
			[`n8n offers no retry of a canceled execution. ${LOOK}`],
		],
		[
			'different outcomes have a line each',
			[fails(0, {}), fails(1, lost), stopped(2)],
			{ context: contextOf('trigger'), hasSent: true },
			`Do not execute again. 3 messages: 1 may have been sent, 2 not sent. Not sent to ${to(0)}: ${REFUSED}`,
			[
				SEND_THE_REST,
				`item 1 (${to(0)}): ${REFUSED}`,
				`item 2 (${to(1)}): May have been sent: It broke. Check the service's logs before sending it again.`,
			],
		],
		[
			'in a sub-workflow that has sent, the workflow that called it must not be retried',
			[accepted(0), fails(1, {})],
			{ context: subWorkflow, hasSent: true },
			`Do not execute again. 2 messages: 1 accepted, 1 not sent. Not sent to ${to(1)}: ${REFUSED}`,
			[
				expect.stringMatching(
					/^Retry .* not that of the workflow that called it, which sends to everyone again\. That does not continue the calling workflow\./,
				),
			],
		],
		[
			'in a sub-workflow that has sent nothing, nobody is said to get it again',
			[fails(0, {})],
			{ context: subWorkflow },
			`Nothing was sent. Not sent to ${to(0)}: ${REFUSED}`,
			[
				expect.stringMatching(
					/^Once that is corrected, execute the workflow that called this one\. .* That does not continue the calling workflow\./,
				),
			],
		],
		[
			'all without an answer: a retry would send nothing',
			[fails(0, lost), fails(1, lost)],
			{ hasSent: true },
			`Do not execute again. May have been sent to 2 recipients: It broke. Check the service's logs before sending it again.`,
			[LOOK],
		],
		[
			'all refused for one reason: it is said once',
			[fails(0, {}), fails(1, {}), fails(2, {})],
			{},
			`Nothing was sent. Not sent to 3 recipients: ${REFUSED}`,
			[EXECUTE_AGAIN],
		],
		[
			'in production, nothing that was sent can be executed again by hand',
			[fails(0, {})],
			{ context: contextOf('trigger') },
			`Nothing was sent. Not sent to ${to(0)}: ${REFUSED}`,
			[`${EXECUTE_AGAIN} Or retry this execution. ${RETRY}`],
		],
	])('%s', async (_, results, given, headline, below) => {
		const error = await interruptionOf(results, given);
		expect([error.message, linesOf(error)]).toEqual([headline, below]);
	});

	// n8n gives the agent's model only the message, so what a person reads below it is part of it.
	test.each<[string, Result[], Given, string]>([
		[
			'an agent is told whom not to send to again',
			[accepted(0), fails(1, {}), fails(2, { outcome: 'unknown' })],
			{ hasSent: true },
			`Do not execute again. 3 messages: 1 accepted, 1 may have been sent, 1 not sent. Not sent to ${to(1)}: ${REFUSED} Do not call this tool again for anybody in this call: they have the message, or may have. item 2 (${to(1)}): ${REFUSED} item 3 (${to(2)}): May have been sent: ${REFUSED} Check the service's logs before sending it again.`,
		],
		[
			'an agent must not call again after an earlier attempt that may have sent',
			[fails(0, {})],
			{ hasSent: true },
			`Do not execute again. Not sent to ${to(0)}: ${REFUSED} Do not call this tool again for anybody in this call: they have the message, or may have.`,
		],
	])('%s', async (_, results, given, message) => {
		const error = await interruptionOf(results, { ...given, context: agent });
		expect([error.message, error.description ?? undefined]).toEqual([message, undefined]);
	});
});
