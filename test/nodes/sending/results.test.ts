import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Message } from '../../../nodes/Messaging/sending/message';
import type { FailedOutcome } from '../../../nodes/Messaging/service/failure';
import { interruption } from '../../../nodes/Messaging/sending/sendErrors';
import {
	countResults,
	failed,
	refusedBeforehand,
	explainSkipped,
	pairedItems,
	recipientItems,
	requestItems,
	skipped,
	asPossiblySent,
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
])('the recipient %p, which was invalid before anything was sent', (recipient, sentence) => {
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
])('%i of %i accepted: the sentence has the right singular or plural', (accepted, all, counts) => {
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
	])('says so when the first message to the recipient ended %s', (outcome, reason) => {
		expect(reasonOf(failed(message(0), failure(outcome)), duplicate(0))).toBe(reason);
	});

	test('adds nothing if the first message was accepted or skipped, or does not exist', () => {
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

test('the error tells an agent that nobody got the message, and names at most a hundred recipients', () => {
	const lost = { ok: false, reason: 'noAnswer', outcome: 'unknown', message: 'No.' } as const;
	const results = Array.from({ length: 120 }, (_, index) => failed(message(index), lost));
	const { description } = interruption(contextOf('trigger', 'messagingTool'), results, String);
	expect(description).toContain('Accepted already: nobody. ');
	expect(description).toMatch(/<br>May have been sent: 0 .* and 20 more\.$/);
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
])('the advice how to send the remaining messages fits %s', (_, context, advice) => {
	const refusal = { ok: false, reason: 'refused', outcome: 'rejected', message: 'No.' } as const;
	const results: Result[] = [
		{ fate: 'accepted', message: message(0, { to: '+385910' }), kept: {}, json: {} },
		failed(message(1), refusal),
	];
	expect(interruption(context, results, String).description).toMatch(advice);
});

describe('what is output', () => {
	const reason = 'No credit left.';
	const sent = (position: number, id: string, more: Partial<Message> = {}): Result => ({
		fate: 'accepted',
		message: message(position, { item: position + 10, ...more }),
		kept: { campaign_id: id },
		json: { id: position },
	});
	const leftOut = skipped({ message: message(2, { to: '385912', item: 12 }), reason: 'Twice.' });
	const refused = failed(
		{ item: 13, to: '385913', identifier: 'a' },
		{ outcome: 'rejected', message: reason, httpStatus: 402 },
	);
	const skippedItem = {
		json: { to: '385912', skipped: true, reason: 'Twice.' },
		pairedItem: { item: 12 },
	};
	const refusedItem = {
		json: {
			to: '385913',
			error: `Not sent to 385913: ${reason}`,
			details: { httpStatus: 402, outcome: 'rejected', recipient: '385913', identifier: 'a' },
		},
		pairedItem: { item: 13 },
	};

	test('an item for each recipient, linked to its input item', () => {
		expect(recipientItems([sent(0, 'A'), leftOut, refused], false)).toEqual([
			{ json: { id: 0 }, pairedItem: { item: 10 } },
			skippedItem,
			refusedItem,
		]);
	});

	test('without the recipient beside the error, when n8n moves failed items to the error output', () => {
		const { error, details } = refusedItem.json;
		expect(recipientItems([refused], true)).toEqual([{ ...refusedItem, json: { error, details } }]);
	});

	test('an item for each campaign where its first recipient is, and one for each other recipient', () => {
		const summary = (messages: Message[], kept: IDataObject) => ({
			...kept,
			recipients: messages.length,
		});
		const results = [sent(0, 'A'), leftOut, sent(1, 'B', { isTest: true }), refused, sent(4, 'A')];
		expect(requestItems(results, false, summary)).toEqual([
			{ json: { campaign_id: 'A', recipients: 2 }, pairedItem: [{ item: 10 }, { item: 14 }] },
			skippedItem,
			{ json: { campaign_id: 'B', recipients: 1, test: true }, pairedItem: [{ item: 11 }] },
			refusedItem,
		]);
	});

	test('input items of several messages once each', () => {
		const of = (item: number) => message(0, { item });
		expect(pairedItems([of(1), of(0), of(1)])).toEqual([{ item: 1 }, { item: 0 }]);
	});

	test.each<[string, Result[]]>([
		['0 sent', []],
		['2 sent', [sent(0, 'A'), sent(1, 'A')]],
		['0 sent, 1 refused, 1 skipped', [refused, leftOut]],
		[
			'1 sent, 1 not sent, 2 unknown',
			[
				failed(message(0), { outcome: 'unknown', message: reason }),
				failed(message(1), { outcome: 'notSent', message: reason }),
				failed(message(2), { outcome: 'unknown', message: reason }),
				sent(3, 'A'),
			],
		],
	])('the count "%s"', (count, results) => {
		expect(countResults(results)).toBe(count);
	});
});

describe('a message that is refused after a crash', () => {
	const refusal = (to?: string) =>
		failed({ item: 1, to, identifier: 'a' }, { outcome: 'notSent', message: 'From is empty.' });

	test('may have been sent by the attempt that crashed', () => {
		expect(asPossiblySent(refusal('385911'))).toMatchObject({
			item: 1,
			recipient: '385911',
			identifier: 'a',
			outcome: 'unknown',
			reason:
				'From is empty. But an earlier attempt of this execution was cut off, or this execution was retried before, so the message may have been sent.',
		});
	});

	test('was not sent when it has no number', () => {
		for (const to of ['', undefined]) expect(asPossiblySent(refusal(to))).toEqual(refusal(to));
	});

	test('leaves messages as they are that were accepted or skipped', () => {
		const others: Result[] = [
			{ fate: 'accepted', message: message(0), kept: {}, json: {} },
			skipped({ message: message(0), reason: 'Twice.' }),
		];
		expect(others.map(asPossiblySent)).toEqual(others);
	});
});
