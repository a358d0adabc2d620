import type { IExecuteFunctions } from 'n8n-workflow';
import type { FailedOutcome } from '../../../nodes/Messaging/service/failure';
import { interruption } from '../../../nodes/Messaging/sending/sendErrors';
import {
	failed,
	refusedBeforehand,
	explainSkipped,
	skipped,
	type Result,
} from '../../../nodes/Messaging/sending/results';
import { message } from '../../support/messages';

const LOGS = " Check the service's logs before sending it again.";

test.each<[FailedOutcome, string]>([
	['rejected', 'Not sent to 385911: No credit left.'],
	['notSent', 'Not sent to 385911: No credit left.'],
	['unknown', `May have been sent to 385911: No credit left.${LOGS}`],
])('a message whose request ended %s', (outcome, sentence) => {
	const result = failed(message(3, { to: '385911', item: 2, identifier: 'a' }), {
		ok: false,
		reason: 'refused',
		outcome,
		message: 'No credit left.',
		httpStatus: 402,
	});
	expect(result).toEqual({
		fate: 'failed',
		item: 2,
		recipient: '385911',
		identifier: 'a',
		outcome,
		httpStatus: 402,
		cause: 'refused',
		reason: 'No credit left.',
		sentence,
	});
});

test.each([
	['385911', 'Not sent to 385911: From is empty.'],
	['', 'Not sent: From is empty.'],
	[undefined, 'Not sent: From is empty.'],
])('the recipient %p, found bad before anything left', (recipient, sentence) => {
	const message = 'From is empty.';
	const problem = { position: 3, item: 2, recipient, identifier: 'a', fingerprint: 'k', message };
	expect(refusedBeforehand(problem)).toEqual({
		fate: 'failed',
		item: 2,
		recipient,
		identifier: 'a',
		outcome: 'notSent',
		reason: 'From is empty.',
		sentence,
	});
});

test.each([
	[undefined, { to: '385911', skipped: true, reason: 'Twice.' }],
	['', { to: '385911', skipped: true, reason: 'Twice.' }],
	['a', { to: '385911', identifier: 'a', skipped: true, reason: 'Twice.' }],
])('a message with the identifier %p that is left out', (identifier, json) => {
	const left = message(0, { to: '385911', identifier });
	expect(skipped({ message: left, reason: 'Twice.' })).toEqual({
		fate: 'skipped',
		message: left,
		json,
	});
});

test.each([
	[0, 1, '0 of 1 message was accepted before sending stopped, 1 was not sent.'],
	[0, 2, '0 of 2 messages were accepted before sending stopped, 2 were not sent.'],
	[1, 2, '1 of 2 messages was accepted before sending stopped, 1 was not sent.'],
	[2, 3, '2 of 3 messages were accepted before sending stopped, 1 was not sent.'],
])('%i of %i accepted: the sentence is English', (accepted, all, counts) => {
	const results = Array.from(
		{ length: all },
		(_, index): Result =>
			index < accepted
				? { fate: 'accepted', message: message(index), kept: {}, json: {} }
				: failed(message(index), {
						ok: false,
						reason: 'refused',
						outcome: 'rejected',
						message: 'No credit left.',
					}),
	);
	expect(interruption(contextOf(), results, String).message).toContain(` ${counts}`);
});

describe('a duplicate that was skipped', () => {
	const duplicate = (first?: number): Result => ({
		fate: 'skipped',
		message: message(1),
		first,
		json: { skipped: true, reason: 'Twice.' },
	});
	const reasonOf = (first: Result, left: Result) => {
		explainSkipped([first, left]);
		return left.fate === 'skipped' && left.json.reason;
	};
	const failure = (outcome: FailedOutcome) =>
		({ ok: false, reason: 'refused', outcome, message: 'No.' }) as const;

	test.each<[FailedOutcome, string]>([
		['rejected', 'Twice. That message was not sent.'],
		['notSent', 'Twice. That message was not sent.'],
		['unknown', 'Twice. That message may have been sent.'],
	])('says so when the message that stands for it ended %s', (outcome, reason) => {
		expect(reasonOf(failed(message(0), failure(outcome)), duplicate(0))).toBe(reason);
	});

	test('has no addition if the other was accepted or skipped, or if there is none', () => {
		const accepted: Result = { fate: 'accepted', message: message(0), kept: {}, json: {} };
		const refused = failed(message(0), failure('rejected'));
		expect([
			reasonOf(accepted, duplicate(0)),
			reasonOf(duplicate(), duplicate(0)),
			reasonOf(refused, duplicate()),
		]).toEqual(['Twice.', 'Twice.', 'Twice.']);
	});
});

const contextOf = (mode = 'trigger', type = 'messaging') =>
	({ getNode: () => ({ name: 'Messaging', type }), getMode: () => mode }) as IExecuteFunctions;

test('an agent is told when nobody got the message; of very many recipients a hundred are named', () => {
	const lost = { ok: false, reason: 'noAnswer', outcome: 'unknown', message: 'No.' } as const;
	const results = Array.from({ length: 120 }, (_, index) => failed(message(index), lost));
	const { description } = interruption(contextOf('trigger', 'messagingTool'), results, String);
	expect(description).toContain('Accepted already: nobody. ');
	expect(description).toMatch(/^May have been sent: 0 .* and 20 more\.$/m);
});

test.each([
	['a published workflow', contextOf(), /Retrying this execution, or 'Retry On Fail', sends only/],
	[
		'the editor, where a button beside it would send again',
		contextOf('manual'),
		/Do not execute this step or the workflow again: that sends to everyone again\. Press Retry/,
	],
	[
		'an agent, which can only call again',
		contextOf('trigger', 'messagingTool'),
		/Calling this tool again sends to everyone in the call again\. Accepted already: \+385910\. Call/,
	],
])('what sends the rest is told to who is there: %s', (_, context, advice) => {
	const refusal = { ok: false, reason: 'refused', outcome: 'rejected', message: 'No.' } as const;
	const results: Result[] = [
		{ fate: 'accepted', message: message(0, { to: '+385910' }), kept: {}, json: {} },
		failed(message(1), refusal),
	];
	expect(interruption(context, results, String).description).toMatch(advice);
});
