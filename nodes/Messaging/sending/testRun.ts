import { randomBytes } from 'crypto';
import { type INodeExecutionData, UserError } from 'n8n-workflow';
import { itemReader } from '../n8n/itemParameters';
import { serviceError } from '../n8n/nodeErrors';
import { showHint } from '../n8n/executionHints';
import { recipientDigits } from '../phone/phone';
import { Throttle } from '../service/throttle';
import type { Message } from './message';
import { alsoSaid, serviceSaid, testHint } from './hints';
import { recipientItems } from './output';
import type { Plan } from './plan';
import { numberWriter } from './recipients';
import { failed, isFailed, sentenceFor, skipped, type Result } from './results';

/*
 * The mode "Test": everything is checked, then only the first message is sent, to the user's own number. A test is
 * remembered nowhere, because whoever tests wants to repeat it.
 */

const LEFT_OUT = 'Not sent: this was a test, to one number only.';

/**
 * Sends the first message to the user's own number. All other recipients are skipped, and those who cannot be sent to do not
 * stop the test.
 *
 * @throws UserError when the number is invalid; NodeApiError when the test failed, unless Continue On Fail is set
 */
export async function runTest<Payload>(plan: Plan<Payload>): Promise<INodeExecutionData[]> {
	const { context, messages, toSend } = plan;
	// Also the duplicates, which a real run would skip for another reason.
	const results = plan.results.map((result, item) =>
		skipped(
			messages[item],
			isFailed(result) ? `It cannot be sent: ${result.why.message}` : LEFT_OUT,
		),
	);
	const [first] = toSend;
	if (first) {
		const test = await sendTestMessage(plan, first);
		return await recipientItems(context, results.with(first.item, test));
	}
	showHint(context, 'No test was sent: there is nobody who can get a message.');
	return await recipientItems(context, results);
}

async function sendTestMessage<Payload>(plan: Plan<Payload>, first: Message): Promise<Result> {
	const { context, operation, service, options, signal, continueOnFail } = plan;
	const test = testOf(plan, first);
	const { timeout, maxRetries } = options;
	const throttle = new Throttle(signal);
	const request = operation.request(test.from, [test]);
	// Before it leaves: nothing may fail behind it.
	const hint = await testHint(plan, test.to);
	const answer = await service.call(request, { timeout, maxRetries, signal, throttle });
	if (!answer.ok) {
		// No other node may take it for a refusal of the recipient's own message.
		const result = failed(test, { ...answer, test: true });
		if (continueOnFail) return result;
		const message = `Nothing was sent to your recipients: this was a test. ${sentenceFor(test.to, result)}`;
		throw serviceError(context.getNode(), { ...answer, message });
	}
	if (answer.remark !== undefined) showHint(context, alsoSaid(answer.remark));
	showHint(context, hint);
	if (answer.said !== undefined) showHint(context, serviceSaid(answer.said), 'info');
	const [receipt] = operation.receipts(answer.payload, [test]);
	const json = operation.output?.(test, receipt, answer.payload) ?? receipt;
	return { outcome: 'test', message: test, reason: `In place of ${first.to}.`, json };
}

/** Returns the first message as a test. It never has an identifier of the user's own, which the real message needs. */
function testOf<Payload>({ context, options, operation }: Plan<Payload>, first: Message): Message {
	const input = itemReader(context)(first.item);
	const number = numberWriter(context)(input, options.testRecipient);
	if (!number.ok)
		throw new UserError(`Nothing was sent. 'My Number' cannot be used: ${number.message}`);
	const identifier = operation.hasIdentifier
		? `n8n-test-${randomBytes(8).toString('hex')}`
		: undefined;
	return { ...first, to: number.phone, digits: recipientDigits(number.phone), identifier };
}
