import type { IExecuteFunctions, INode } from 'n8n-workflow';
import {
	countResults,
	interruption,
	nameRecipients,
	refusal,
	withEarlierAttempt,
} from '../../../nodes/Messaging/sending/errors';
import type { Journal } from '../../../nodes/Messaging/sending/journal';
import type { Message } from '../../../nodes/Messaging/sending/sendOperation';
import { failed, refused, skipped, type Result } from '../../../nodes/Messaging/sending/results';
import type { Failure } from '../../../nodes/Messaging/service/failure';
import { message } from '../../support/messages';

const node = { type: 'n8n-nodes-messaging.messaging', name: 'Messaging' } as INode;

const contextOf = (mode = 'manual', type = node.type) =>
	({ getMode: () => mode, getNode: () => ({ ...node, type }) }) as unknown as IExecuteFunctions;

const item = (position: number) => `item ${position + 1}`;
const recipient = (position: number) => `recipient ${position + 1}`;

const RETRY =
	"In the list of executions, 'Retry with currently saved workflow' takes the corrected node, 'Retry with original workflow' the node as it was. Both use the saved input: a corrected spreadsheet is not read again.";
const ON_ERROR =
	"To send to the others all the same, set 'On Error' in the node's settings to 'Continue (using error output)' or 'Continue'.";
const EXECUTE_AGAIN =
	'This run of the node sent nothing: execute again once the cause is gone. If an earlier round of a loop or another node has sent messages, retry instead: executing again would send those twice.';

const SHORT = 'This is not a phone number: it is too short.';
const EMPTY = 'The recipient is empty.';

const problem = (position: number, sentence: string, given = `${position}`): Message =>
	message(position, { to: given, problem: sentence });

type Given = {
	context?: IExecuteFunctions;
	place?: (position: number) => string;
	hasSent?: boolean;
};

/** The part of a run that an error shows. */
const runOf = (
	results: Result[],
	{ context = contextOf(), place = item, hasSent = false }: Given = {},
) => {
	const journal = { isEmpty: !hasSent, mayHaveSent: hasSent } as Journal;
	return { context, place, journal, results };
};

function refusalOf(problems: Message[], recipients: number, given?: Given) {
	const results = new Array<Result>(recipients);
	for (const each of problems) results[each.position] = refused(each);
	return refusal(runOf(results, given));
}

const interruptionOf = (results: Result[], given?: Given) => interruption(runOf(results, given));

const linesOf = ({ description }: { description?: string | null }) => description?.split('<br>');

describe('nothing was sent, because of bad recipients', () => {
	test('one of several: it is named in the headline, and the others can be sent to', () => {
		const error = refusalOf([problem(2, SHORT, '12')], 3);
		expect(error.message).toBe(`Nothing was sent, because of item 3 (12): ${SHORT}`);
		expect(linesOf(error)).toEqual([EXECUTE_AGAIN, ON_ERROR]);
	});

	test('several with one reason: they are counted in the headline and named below', () => {
		const problems = [problem(0, SHORT, '1'), problem(4, SHORT, '5')];
		const error = refusalOf(problems, 500);
		expect(error.message).toBe(`Nothing was sent, because of 2 of 500 recipients: ${SHORT}`);
		expect(linesOf(error)).toEqual([EXECUTE_AGAIN, ON_ERROR, `item 1 (1), item 5 (5): ${SHORT}`]);
	});

	test('several with different reasons: the first is in the headline, all are below by reason', () => {
		const problems = [problem(0, EMPTY, ''), problem(1, SHORT, '<b>'), problem(2, EMPTY, '')];
		const error = refusalOf(problems, 3, { place: recipient });
		expect(error.message).toBe(
			`Nothing was sent, because of recipient 1: ${EMPTY} In all, 3 of 3 messages cannot be sent.`,
		);
		expect(linesOf(error)).toEqual([
			EXECUTE_AGAIN,
			`recipient 1, recipient 3: ${EMPTY}`,
			`recipient 2 (&lt;b>): ${SHORT}`,
		]);
	});

	test('the first 20 are named, and the others counted', () => {
		const many = Array.from({ length: 2000 }, (_, position) =>
			problem(position, position < 1500 ? SHORT : EMPTY),
		);
		const names = many.slice(0, 20).map(({ position }) => `item ${position + 1} (${position})`);
		expect(linesOf(refusalOf(many, 2001))?.slice(2)).toEqual([
			`${names.join(', ')}: ${SHORT}`,
			'1,980 messages more.',
		]);
	});

	test('a misnamed column is named', () => {
		const all = Array.from({ length: 500 }, (_, position) => problem(position, EMPTY, ''));
		expect(refusalOf(all, 500).message).toBe(
			"Nothing was sent, because 'To' is empty for all 500 recipients: check the exact name of the column or field.",
		);
	});

	test('in production a retry uses the saved input', () => {
		const error = refusalOf([problem(0, SHORT, '12')], 1, { context: contextOf('trigger') });
		expect(linesOf(error)).toEqual([
			`This run of the node sent nothing: retry once the cause is gone. ${RETRY}`,
		]);
	});

	test('after an earlier attempt only the rest is sent', () => {
		const error = refusalOf([problem(0, SHORT, '12')], 1, {
			context: contextOf('retry'),
			hasSent: true,
		});
		expect(error.message).toMatch(/^Nothing more was sent, because of item 1 \(12\): /);
		expect(linesOf(error)).toEqual([
			`A retry, also by 'Retry On Fail', sends only what was certainly not sent. ${RETRY}`,
		]);
	});
});

describe('an earlier attempt', () => {
	const told = (accepted: number, unknown: number) => {
		const counts = () => ({ accepted, unknown });
		const journal = { isEmpty: accepted + unknown === 0, counts } as Journal;
		return (withEarlierAttempt(node, new Error('It failed.'), journal) as Error).message;
	};

	test.each([
		[0, 0, 'It failed.'],
		[1, 0, 'It failed. In an earlier attempt, 1 message was accepted.'],
		[0, 1, 'It failed. In an earlier attempt, 1 message may have been sent.'],
		[
			2000,
			3,
			'It failed. In an earlier attempt, 2,000 messages were accepted, 3 may have been sent.',
		],
	])('with %d accepted and %d unknown messages', (accepted, unknown, sentence) => {
		expect(told(accepted, unknown)).toBe(sentence);
	});
});

const accepted = (position: number): Result =>
	({ fate: 'accepted', message: message(position), json: {} }) as unknown as Result;

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
	const DO_NOT = 'Do not execute again, see below.';

	test('after some were accepted: executing again is advised against first', () => {
		const results = [accepted(0), fails(1, {}), stopped(2)];
		const error = interruptionOf(results, { hasSent: true });
		expect(error.message).toBe(
			`${DO_NOT} Not sent to ${to(1)}: The service refused: No. 1 of 3 messages was accepted, 2 were not sent.`,
		);
		expect(linesOf(error)).toEqual([
			`Do not execute this step or the workflow again: that sends to everyone again. A retry of this execution sends only what was certainly not sent. ${RETRY}`,
			ON_ERROR,
		]);
	});

	test('before anything was accepted: all with one reason are counted and named', () => {
		const results = [fails(0, {}), fails(1, {})];
		const error = interruptionOf(results);
		expect(error.message).toBe(
			'Not sent to 2 recipients: The service refused: No. 2 of 2 messages were not sent.',
		);
		expect(linesOf(error)).toEqual([
			EXECUTE_AGAIN,
			`item 1 (${to(0)}), item 2 (${to(1)}): The service refused: No.`,
		]);
	});

	test('different outcomes have a line each', () => {
		const lost: Partial<Failure> = { outcome: 'unknown', reason: 'noAnswer', message: 'It broke.' };
		const results = [fails(0, {}), fails(1, lost), stopped(2)];
		const error = interruptionOf(results, { context: contextOf('trigger'), hasSent: true });
		expect(error.message).toBe(
			`Not sent to ${to(0)}: The service refused: No. 1 of 3 messages may have been sent, 2 were not sent.`,
		);
		expect(linesOf(error)?.slice(2)).toEqual([
			`item 1 (${to(0)}): The service refused: No.`,
			`item 2 (${to(1)}): May have been sent: It broke. Check the service's logs before sending it again.`,
		]);
	});

	test('a single recipient', () => {
		const error = interruptionOf([fails(0, {})]);
		expect(error.message).toBe(
			`Not sent to ${to(0)}: The service refused: No. 1 of 1 message was not sent.`,
		);
		expect(linesOf(error)).toEqual([EXECUTE_AGAIN]);
	});

	test('a refused key concerns all: other recipients would fail, too', () => {
		const refused: Partial<Failure> = { reason: 'keyRefused', message: 'Wrong key.' };
		const error = interruptionOf([fails(0, refused), stopped(1)]);
		expect(linesOf(error)).toEqual([EXECUTE_AGAIN]);
	});

	test('nothing but stopped messages: they are the cause', () => {
		const error = interruptionOf([stopped(0), stopped(1)]);
		expect(error.message).toMatch(/^Not sent to 2 recipients: Sending stopped/);
	});

	test('an agent is told whom not to send to again', () => {
		const results = [accepted(0), fails(1, {}), fails(2, { outcome: 'unknown' })];
		const error = interruptionOf(results, {
			context: contextOf('manual', `${node.type}Tool`),
			hasSent: true,
		});
		expect(linesOf(error)?.[0]).toBe(
			`Calling this tool again sends to everyone in the call again. Accepted, or possibly sent: ${to(0)}, ${to(2)}. Do not call it again for these, only for the others.`,
		);
	});

	test('in a sub-workflow, the workflow that called it must not be retried', () => {
		const error = interruptionOf([accepted(0), fails(1, {})], { context: contextOf('integrated') });
		expect(linesOf(error)?.[0]).toContain('Do not retry the workflow that called it');
	});
});

test('results are counted', () => {
	const duplicate = skipped(message(1), 'Twice.');
	const lost = fails(2, { outcome: 'unknown' });
	const counts = [
		[accepted(0)],
		[fails(0, {})],
		[accepted(0), accepted(1), fails(2, {})],
		[accepted(0), duplicate, lost],
		[stopped(0), lost, lost, duplicate, duplicate],
	].map(countResults);
	expect(counts).toEqual([
		'1 of 1 message was accepted',
		'1 of 1 message was not sent',
		'2 of 3 messages were accepted, 1 was not sent',
		'1 of 3 messages was accepted, 1 may have been sent, 1 was skipped',
		'2 of 5 messages may have been sent, 1 was not sent, 2 were skipped',
	]);
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
			'The service refused: "item 8 (+44 7700 900211)" is wrong. Its number was sent as it was given: choose Digits in the option \'Phone Format\'.',
		],
		['The service refused: messages[3] is wrong.', 'The service refused: messages[3] is wrong.'],
		['The service refused: No.', 'The service refused: No.'],
	])('%s', (text, sentence) => {
		expect(nameRecipients(failure(text), sent, item).message).toBe(sentence);
	});
});
