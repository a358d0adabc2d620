import { randomBytes } from 'crypto';
import { type INodeExecutionData, UserError } from 'n8n-workflow';
import { serviceError } from '../n8n/errors';
import { showHint } from '../n8n/hints';
import { withSameFields } from '../n8n/sameFields';
import { writtenNumber } from './options';
import { recipientDigits } from './phone';
import { failed, recipientItems, sentenceFor, skipped } from './results';
import type { Message, Run } from './sendOperation';

/*
 * The mode "Test": everything is checked, then only the first message is sent, to the user's own number. A test is
 * remembered nowhere, because whoever tests wants to repeat it.
 */

const LEFT_OUT = 'Not sent: this was a test, to one number only.';

/**
 * Sends the first message to the user's own number. All other recipients are skipped.
 *
 * @throws UserError when the number is invalid; NodeApiError when the test failed, unless Continue On Fail is set
 */
export async function sendTest<Payload>(run: Run<Payload>): Promise<INodeExecutionData[]> {
	const { context, operation, service, options, messages, results, throttle, signal } = run;
	const [first] = run.toSend;
	if (!first) showHint(context, 'No test was sent: there is nobody who can get a message.');
	for (const [position, message] of messages.entries()) {
		// Also the duplicates, which a real run would skip for another reason.
		if (results[position]?.fate !== 'failed') results[position] = skipped(message, LEFT_OUT);
	}
	if (first) {
		const test = testOf(run, first);
		const { timeout, maxRetries } = options;
		const request = operation.request(test.from, [test]);
		const answer = await service.call(request, { timeout, maxRetries, signal, throttle });
		if (answer.ok) {
			const [receipt] = operation.receipts(answer.payload, [test]);
			const output = operation.output?.(test, receipt, answer.payload) ?? receipt;
			const marks = { to: test.to, test: true, skipped: false, reason: `In place of ${first.to}.` };
			// First, because n8n's table shows the fields of the first item in its order; last, because they are ours.
			const json = { ...marks, ...output, ...marks };
			results[test.position] = { fate: 'accepted', message: test, receipt, json };
			showHint(
				context,
				`Only a test was sent: the first recipient's message, to ${test.to}. Set 'Mode' to Send to send to everyone.`,
			);
		} else {
			const description = `This was a test: only ${test.to} was to get a message.`;
			const error = { ...answer, message: sentenceFor(test.to, answer) };
			if (!run.continueOnFail) throw serviceError(context.getNode(), error, { description });
			// No other node may take it for a refusal of the recipient's own message.
			results[test.position] = failed(test, { ...answer, test: true });
		}
	}
	return await withSameFields(context, recipientItems(context, results));
}

/** Returns the first message as a test. It never has an identifier of the user's own, which the real message needs. */
function testOf<Payload>(run: Run<Payload>, first: Message): Message {
	const { options, operation, recipients } = run;
	const number = writtenNumber(recipients.at(first.position), options.testRecipient);
	if (!number.ok)
		throw new UserError(`Nothing was sent, because of 'My Number': ${number.message}`);
	const identifier = operation.hasIdentifier
		? `n8n-test-${randomBytes(8).toString('hex')}`
		: undefined;
	return { ...first, to: number.phone, digits: recipientDigits(number.phone), identifier };
}
