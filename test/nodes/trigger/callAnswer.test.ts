import { CallAnswer } from '../../../nodes/Messaging/trigger/callAnswer';
import { webhookCall } from '../../support/webhookCall';
import { moments } from './triggerCall';

const ACCEPTED = { status: 200, message: 'Accepted.' };
const FAILED = { status: 503, message: 'Please deliver it again.' };

function callWith(more: object = {}) {
	const call = webhookCall({ more });
	return { ...call, answer: new CallAnswer(call.context) };
}

describe('the answer of the trigger', () => {
	test('has the status and the message, and n8n does not answer, too', () => {
		const { answer, answers, response } = callWith();
		const returned = answer.give(FAILED);
		response.answerAsN8n(returned);
		expect(answers).toEqual([FAILED]);
		expect(answer.isSent).toBe(true);
	});

	test('is given once', () => {
		const { answer, answers } = callWith();
		answer.give(ACCEPTED);
		expect(answer.give(FAILED)).toEqual({ noWebhookResponse: true });
		expect(answers).toEqual([ACCEPTED]);
	});

	test('is not given when the call was answered before', () => {
		const { answer, response } = callWith();
		response.status(204).json({ message: '' });
		answer.give(FAILED);
		expect([response.answers, response.statusCode]).toEqual([1, 204]);
	});

	test('that cannot be written is logged, and not tried again', () => {
		let tries = 0;
		const response = {
			status: () => {
				tries++;
				throw new RangeError('write EPIPE');
			},
		};
		const { answer, log } = callWith({ getResponseObject: () => response });
		expect(answer.give(ACCEPTED)).toEqual({ noWebhookResponse: true });
		answer.give(ACCEPTED);
		expect([tries, log]).toEqual([1, ['warn Messaging Trigger: no answer to a call. write EPIPE']]);
	});
});

/** What a promise has resolved to after a few moments; 'pending' when it has not. */
async function stateOf(promise: Promise<unknown>) {
	let state: unknown = 'pending';
	void promise.then((value) => (state = value));
	await moments();
	return state;
}

describe('the caller has got an answer', () => {
	test('when it was answered before, or will be', async () => {
		const { answer } = callWith();
		const arrives = answer.hasArrived();
		expect(await stateOf(arrives)).toBe('pending');
		answer.give(ACCEPTED);
		expect(await arrives).toBe(true);
		expect(await answer.hasArrived()).toBe(true);
	});

	test('but not when it has left, or leaves first', async () => {
		const { answer, response } = callWith();
		const arrives = answer.hasArrived();
		response.leave();
		expect(await arrives).toBe(false);
		expect(await answer.hasArrived()).toBe(false);
	});
});

describe('the answer of n8n, kept back', () => {
	test('is sent when the trigger passes it on', async () => {
		const { answer, answers, response } = callWith();
		const isKept = answer.keepBack();
		expect(await stateOf(isKept)).toBe('pending');
		response.answerAsN8n({ webhookResponse: ACCEPTED });
		await isKept;
		expect([answers, answer.isSent]).toEqual([[], false]);
		answer.passOn();
		answer.passOn();
		expect([response.answers, response.body, answer.isSent]).toEqual([1, ACCEPTED, true]);
	});

	test('is not sent after the trigger has answered in its place', async () => {
		const { answer, answers, response } = callWith();
		const isKept = answer.keepBack();
		response.answerAsN8n({ webhookResponse: ACCEPTED });
		await isKept;
		answer.give(FAILED);
		answer.passOn();
		expect([answers, response.answers]).toEqual([[FAILED], 1]);
	});

	test('may come after the trigger has answered: it is dropped without an error', async () => {
		const { answer, answers, response } = callWith();
		const isKept = answer.keepBack();
		answer.give(FAILED);
		response.answerAsN8n({}, false);
		await isKept;
		answer.passOn();
		expect([answers, response.answers]).toEqual([[FAILED], 1]);
	});

	test('also ends the wait when the caller has left', async () => {
		const { answer, response } = callWith();
		response.leave();
		const isKept = answer.keepBack();
		expect(await stateOf(isKept)).toBe('pending');
		response.answerAsN8n({}, false);
		expect(await stateOf(isKept)).toBe(undefined);
	});

	test('does not exist yet: nothing is passed on', () => {
		const { answer, response } = callWith();
		void answer.keepBack();
		answer.passOn();
		expect([response.answers, answer.isSent]).toEqual([0, false]);
	});
});
