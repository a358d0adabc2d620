import { CallAnswer } from '../../../nodes/Messaging/trigger/callAnswer';
import { waited } from '../../support/fastClock';
import { webhookCall } from '../../support/webhookCall';
import { moments } from './triggerCall';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

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
		expect([answer.isSent, answer.isDelivered, answer.status]).toEqual([true, true, 503]);
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
		expect([response.answers, answer.status]).toEqual([1, 204]);
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

	test('is sent but not delivered when the caller has left', () => {
		const { answer, response } = callWith();
		expect([answer.isSent, answer.isDelivered]).toEqual([false, false]);
		response.leave();
		answer.give(ACCEPTED);
		expect([answer.isSent, answer.isDelivered]).toEqual([true, false]);
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

describe('a call is finished', () => {
	test('when it is answered, without a further wait', async () => {
		const { answer, response } = callWith();
		const finished = answer.untilFinished().then(() => 'finished');
		expect(await stateOf(finished)).toBe('pending');
		const before = waited();
		response.answerAsN8n({});
		expect([await finished, waited() - before]).toEqual(['finished', 0]);
	});

	test('only when n8n has answered, although the caller has left: n8n still saves', async () => {
		const { answer, response } = callWith();
		response.leave();
		const finished = answer.untilFinished().then(() => 'finished');
		for (let tick = 0; tick < 20; tick++) await null;
		expect(await Promise.race([finished, 'pending'])).toBe('pending');
		response.answerAsN8n({}, false);
		expect([await finished, answer.status]).toEqual(['finished', 500]);
	});

	test('90 seconds after the caller has left, when n8n never answers', async () => {
		const { answer, response } = callWith();
		response.leave();
		const before = waited();
		await answer.untilFinished();
		expect(waited() - before).toBe(90_000);
	});
});
