import type { IDataObject } from 'n8n-workflow';
import { Requests, requestsOf } from '../../../nodes/Messaging/sending/requests';
import type { Message, Run } from '../../../nodes/Messaging/sending/sendOperation';
import type { Failure } from '../../../nodes/Messaging/service/failure';
import { journalOf, message } from './messages';

/* Requests and what becomes of them: docs/when-something-fails.md, without n8n and without HTTP. */

type Given = Partial<Omit<Run, 'operation' | 'options'>> & {
	answer?: object;
	options?: object;
	operation?: object;
};

/** A run to four people in requests of two. `asked` are the requests that left, `stopped` says why none leaves any more. */
function begin({ answer = {}, options = {}, operation = {}, ...more }: Given = {}) {
	const asked: Message[][] = [];
	const stopped: string[] = [];
	const messages = more.messages ?? [0, 1, 2, 3].map((position) => message(position));
	const run = {
		operation: {
			hasIdentifier: true,
			perRequest: () => 2,
			request: (_from: string, sent: Message[]) => sent,
			receipts: (payload: IDataObject) => [payload],
			...operation,
		},
		service: { call: async (sent: Message[]) => (asked.push(sent), answer) },
		journal: journalOf(),
		options: { timeout: 7, maxRetries: 8, ...options },
		throttle: { stop: (why: string) => stopped.push(why) },
		toSend: messages,
		earlier: new Map(),
		results: [],
		place: (position: number) => `item ${position + 1}`,
		continueOnFail: false,
		...more,
		messages,
	} as unknown as Run;
	return { run, requests: new Requests(run), asked, stopped };
}

/** Sends the first request. */
async function sendFirst(given: Given) {
	const begun = begin(given);
	const [request] = await requestsOf(begun.run, begun.run.messages);
	await begun.requests.send(request);
	return { ...begun, results: begun.run.results };
}

const accepted = (receipt: object) =>
	expect.objectContaining({ fate: 'accepted', receipt, json: receipt });

const failedBecause = (outcome: string, message: unknown) =>
	expect.objectContaining({ why: expect.objectContaining({ outcome, message }) });

const REFUSED: Failure = {
	ok: false,
	reason: 'refused',
	outcome: 'rejected',
	message: 'The service refused: no.',
};
const LOST: Failure = { ...REFUSED, reason: 'noAnswer', outcome: 'unknown', message: 'No answer.' };
const OK = { ok: true, payload: { campaign_id: 'c' } };

test('Requests: two messages each of one sender; own identifiers stay, generated ones follow the request', async () => {
	const messages = [0, 1, 2].map((position) =>
		message(position, position ? {} : { identifier: 'own' }),
	);
	const { run } = begin({ messages: [...messages, message(3, { from: 'another' })] });
	const [first, ...others] = await requestsOf(run, run.messages);
	expect([first, ...others].map(({ positions }) => positions)).toEqual([[0, 1], [2], [3]]);
	const [own, generated] = first.messages.map(({ identifier }) => identifier);
	expect([own, generated]).toEqual(['own', expect.stringMatching(/^n8n-\w{16}-2$/)]);
	const [again] = await requestsOf(run, run.messages.slice(1, 3));
	expect(again.messages[0].identifier).toMatch(/^n8n-\w{16}-1$/);
	const without = begin({ operation: { hasIdentifier: false } }).run;
	const [{ messages: plain }] = await requestsOf(without, without.messages);
	expect(plain.map(({ identifier }) => identifier)).toEqual([undefined, undefined]);
});

test('Requests: what was accepted is noted with its answer', async () => {
	const { run, results, asked } = await sendFirst({ answer: OK });
	expect([asked.length, ...results]).toEqual([1, accepted(OK.payload), accepted(OK.payload)]);
	expect(run.journal.counts()).toEqual({ accepted: 2, unknown: 0 });
});

test.each([
	['the service itself refused it', REFUSED, 'The service refused: no. Wait a day.'],
	['something else failed', { ...REFUSED, message: 'No route.' }, 'No route.'],
	['it refused the key', { ...REFUSED, reason: 'keyRefused' }, 'The service refused: no.'],
] as const)('Requests: advice if %s', async (_, answer, says) => {
	const { results, run } = await sendFirst({ answer, operation: { ifRefused: 'Wait a day.' } });
	expect(results).toEqual([failedBecause('rejected', says), failedBecause('rejected', says)]);
	expect(run.journal.isEmpty).toBe(true);
});

test.each([
	['refused', 0],
	['keyRefused', 1],
	['refusedOnTheWay', 1],
] as const)('Requests: with Continue On Fail, %s stops %d times', async (reason, times) => {
	const { stopped } = await sendFirst({ answer: { ...REFUSED, reason }, continueOnFail: true });
	expect(stopped).toHaveLength(times);
});

test.each([
	['request', 'notSent'],
	['receipts', 'unknown'],
])('Requests: after an error in %s, the messages are %s', async (broken, outcome) => {
	const fail = () => {
		throw new Error('It broke.');
	};
	const { results, stopped } = await sendFirst({ answer: OK, operation: { [broken]: fail } });
	const why = failedBecause(outcome, 'Something unexpected happened (It broke.).');
	expect([...results, stopped.length]).toEqual([why, why, 1]);
});

describe('Requests: without an answer', () => {
	const lost = async (found?: object, more: Given = {}) => {
		const lookUp = jest.fn().mockResolvedValue(found);
		return { lookUp, ...(await sendFirst({ answer: LOST, ...more, operation: { lookUp } })) };
	};

	test('the logs are asked three times, and the messages may have been sent', async () => {
		const { lookUp, results, run } = await lost();
		expect(results).toEqual(Array(2).fill(failedBecause('unknown', 'No answer.')));
		const asked = [
			run.service,
			results.map(({ message }) => message),
			{ timeout: 7, maxRetries: 8 },
		];
		expect(lookUp.mock.calls).toEqual([asked, asked, asked]);
		expect(run.journal.counts()).toEqual({ accepted: 0, unknown: 2 });
	});

	test("an identifier in the logs proves that they were accepted, if it is not the user's own", async () => {
		const { results } = await lost({ campaignId: 'c', isProof: true });
		expect(results).toEqual(Array(2).fill(accepted({ campaign_id: 'c' })));
		const named = expect.stringContaining('No answer. In the logs, campaign c has');
		const own = await lost({ campaignId: 'c', isProof: false });
		expect(own.results).toEqual(Array(2).fill(failedBecause('unknown', named)));
	});

	test('a cancelled execution asks no more, and says what was in flight', async () => {
		const { lookUp, requests, run } = await lost(undefined, { signal: AbortSignal.abort() });
		run.results.length = 0;
		requests.cancel();
		const flying = failedBecause('unknown', expect.stringContaining('before its answer came'));
		const rest = failedBecause('notSent', expect.stringContaining('before this was sent'));
		expect([...run.results, lookUp.mock.calls.length]).toEqual([flying, flying, rest, rest, 0]);
	});
});

describe('Requests: after an earlier attempt', () => {
	/** The first request was accepted, or is unknown; the messages of the other are new. */
	async function retried(receipts: IDataObject[] | undefined, given: Given = {}) {
		const begun = begin(given);
		const { run, requests } = begun;
		const [request] = await requestsOf(run, run.messages);
		const number = run.journal.leaving(request);
		if (receipts) run.journal.accepted(number, receipts);
		run.earlier = await run.journal.earlier(run.messages);
		run.toSend = run.messages.slice(2);
		for (const each of run.messages) each.from = 'sender of the retry';
		const left = await requests.takeOver();
		return { ...begun, left: left.map(({ position }) => position), results: run.results };
	}

	test('what was accepted has its answer and its sender again, and is not sent', async () => {
		const { left, results } = await retried([{ id: 'a' }, { id: 'b' }]);
		expect([left, ...results]).toEqual([[2, 3], accepted({ id: 'a' }), accepted({ id: 'b' })]);
		expect(results[0].message).toMatchObject({ from: 'sender' });
	});

	const why = expect.stringMatching(/^An earlier attempt got no answer\. .* not sent again /);
	test.each([
		[undefined, failedBecause('unknown', why)],
		[{ campaignId: 'c', isProof: true }, accepted({ campaign_id: 'c' })],
	])('what is unknown is looked up once per request, not sent: %j', async (found, result) => {
		const lookUp = jest.fn().mockResolvedValue(found);
		const { left, results } = await retried(undefined, { operation: { lookUp } });
		expect([left, ...results]).toEqual([[2, 3], result, result]);
		expect(lookUp).toHaveBeenCalledTimes(1);
	});

	test('with Resend Unknown it is sent, in the order of the recipients; a refusal says nothing of the first time', async () => {
		const given = { answer: REFUSED, options: { resendUnknown: true } };
		const { left, run, requests, results } = await retried(undefined, given);
		expect(left).toEqual([0, 1, 2, 3]);
		for (const request of await requestsOf(run, run.messages)) await requests.send(request);
		const again = failedBecause('unknown', expect.stringContaining('an earlier attempt may have'));
		const refused = failedBecause('rejected', REFUSED.message);
		expect(results).toEqual([again, again, refused, refused]);
	});
});
