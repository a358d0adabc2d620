import type { IDataObject } from 'n8n-workflow';
import type { Message } from '../../../nodes/Messaging/sending/sendOperation';
import type { FailedOutcome } from '../../../nodes/Messaging/service/failure';
import {
	failed,
	refused,
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
])('the recipient %p, which was refused before anything was sent', (to, sentence) => {
	const given = message(3, { to, item: 2, identifier: 'a', problem: 'From is empty.' });
	expect(refused(given)).toEqual({
		fate: 'failed',
		item: 2,
		recipient: to,
		identifier: 'a',
		outcome: 'notSent',
		reason: 'From is empty.',
		sentence,
	});
});

test.each([
	['', { to: '385911', skipped: true, reason: 'Twice.' }],
	['a', { to: '385911', identifier: 'a', skipped: true, reason: 'Twice.' }],
])('a message with the identifier %p that is left out', (identifier, json) => {
	const left = message(0, { to: '385911', identifier });
	expect(skipped(left, 'Twice.')).toEqual({ fate: 'skipped', message: left, json });
});

describe('what is output', () => {
	const reason = 'No credit left.';
	const sent = (position: number, id: string, more: Partial<Message> = {}): Result => ({
		fate: 'accepted',
		message: message(position, { item: position + 10, ...more }),
		receipt: { campaign_id: id },
		json: { id: position },
	});
	const leftOut = skipped(message(2, { to: '385912', item: 12 }), 'Twice.');
	const rejected = failed(
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
		expect(recipientItems([sent(0, 'A'), leftOut, rejected], false)).toEqual([
			{ json: { id: 0 }, pairedItem: { item: 10 } },
			skippedItem,
			refusedItem,
		]);
	});

	test('without the recipient beside the error, when n8n moves failed items to the error output', () => {
		const { error, details } = refusedItem.json;
		expect(recipientItems([rejected], true)).toEqual([
			{ ...refusedItem, json: { error, details } },
		]);
	});

	test('an item for each campaign where its first recipient is, and one for each other recipient', () => {
		const summary = (messages: Message[], receipt: IDataObject) => ({
			...receipt,
			recipients: messages.length,
		});
		const results = [sent(0, 'A'), leftOut, sent(1, 'B'), rejected, sent(4, 'A')];
		expect(requestItems(results, false, summary)).toEqual([
			{ json: { campaign_id: 'A', recipients: 2 }, pairedItem: [{ item: 10 }, { item: 14 }] },
			skippedItem,
			{ json: { campaign_id: 'B', recipients: 1 }, pairedItem: [{ item: 11 }] },
			refusedItem,
		]);
	});

	test('input items of several messages once each', () => {
		const of = (item: number) => message(0, { item });
		expect(pairedItems([of(1), of(0), of(1)])).toEqual([{ item: 1 }, { item: 0 }]);
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
			reason: 'From is empty. But an earlier attempt may have sent it.',
		});
	});

	test('leaves messages as they are that were accepted or skipped', () => {
		const others: Result[] = [
			{ fate: 'accepted', message: message(0), receipt: {}, json: {} },
			skipped(message(0), 'Twice.'),
		];
		expect(others.map(asPossiblySent)).toEqual(others);
	});
});
