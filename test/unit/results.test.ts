import type { FailedOutcome } from '../../nodes/Messaging/service/failure';
import { failed, refusedBeforehand, skipped } from '../../nodes/Messaging/sending/results';
import { message } from '../helpers/messages';

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
	const problem = { position: 3, item: 2, recipient, identifier: 'a', mark: 'k', message };
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
