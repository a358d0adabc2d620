import type { IDataObject } from 'n8n-workflow';
import type { Message } from '../../../nodes/Messaging/sending/sendOperation';
import {
	asPossiblySent,
	failed,
	pairedItems,
	recipientItems,
	requestItems,
	skipped,
	type Result,
} from '../../../nodes/Messaging/sending/results';
import { message } from '../../support/messages';

const LOGS = " Check the service's logs before sending it again.";
const reason = 'No credit left.';

const accepted = (position: number, id: string): Result => ({
	fate: 'accepted',
	message: message(position, { item: position + 10 }),
	receipt: { campaign_id: id },
	json: { id: position },
});
const leftOut = skipped(message(2, { to: '385912', item: 12, identifier: 'a' }), 'Twice.');
const leftOutItem = {
	json: { to: '385912', identifier: 'a', skipped: true, reason: 'Twice.' },
	pairedItem: { item: 12 },
};
const rejected = failed(
	{ item: 13, to: '385913', identifier: '' },
	{ outcome: 'rejected', message: reason, httpStatus: 402 },
);
const rejectedItem = {
	json: {
		to: '385913',
		error: `Not sent to 385913: ${reason}`,
		details: { httpStatus: 402, outcome: 'rejected', recipient: '385913' },
	},
	pairedItem: { item: 13 },
};
const refused = failed({ item: 14, to: '' }, { outcome: 'notSent', message: 'To is empty.' });

test('an item for each recipient, linked to its input item', () => {
	const results = [accepted(0, 'A'), leftOut, rejected, refused, asPossiblySent(rejected)];
	expect(recipientItems(results, false)).toEqual([
		{ json: { id: 0 }, pairedItem: { item: 10 } },
		leftOutItem,
		rejectedItem,
		{
			json: {
				to: false,
				error: 'Not sent: To is empty.',
				details: { outcome: 'notSent', recipient: '' },
			},
			pairedItem: { item: 14 },
		},
		{
			json: {
				to: '385913',
				error: `May have been sent to 385913: ${reason} But an earlier attempt may have sent it.${LOGS}`,
				details: { outcome: 'unknown', recipient: '385913' },
			},
			pairedItem: { item: 13 },
		},
	]);
});

test('without the recipient beside the error, when n8n moves failed items to the error output', () => {
	const { error, details } = rejectedItem.json;
	expect(recipientItems([rejected], true)).toEqual([{ ...rejectedItem, json: { error, details } }]);
});

test('an item for each campaign where its first recipient is, and one for each other recipient', () => {
	const summary = (messages: Message[], receipt: IDataObject) => ({
		...receipt,
		recipients: messages.length,
	});
	const results = [accepted(0, 'A'), leftOut, accepted(1, 'B'), rejected, accepted(4, 'A')];
	expect(requestItems(results, false, summary)).toEqual([
		{ json: { campaign_id: 'A', recipients: 2 }, pairedItem: [{ item: 10 }, { item: 14 }] },
		leftOutItem,
		{ json: { campaign_id: 'B', recipients: 1 }, pairedItem: [{ item: 11 }] },
		rejectedItem,
	]);
});

test('input items of several messages once each', () => {
	const of = (item: number) => message(0, { item });
	expect(pairedItems([of(1), of(0), of(1)])).toEqual([{ item: 1 }, { item: 0 }]);
});

test('only a message that failed may have been sent all the same', () => {
	const others = [accepted(0, 'A'), leftOut];
	expect(others.map(asPossiblySent)).toEqual(others);
});
