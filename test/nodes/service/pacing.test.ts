import { sleep } from 'n8n-workflow';
import { deliver } from '../../../nodes/Messaging/sending/deliver';
import { getOtpTemplates, sendText } from '../../../nodes/Messaging/service/endpoints';
import { Gate } from '../../../nodes/Messaging/service/gate';
import { Service } from '../../../nodes/Messaging/service/service';
import { batch, message } from '../../support/messages';

// Time passes only while everything waits: what leaves when is exact.
beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const delay = async (ms: number) => {
	await jest.advanceTimersByTimeAsync(ms);
};

describe('the starts of requests', () => {
	type Run = { batchSize: number; batchInterval: number; gate?: Gate; takes?: number };

	/** The times, in ms from the start, at which `count` requests leave that take `takes` ms each. */
	async function startsOf(count: number, { batchSize, batchInterval, gate, takes = 0 }: Run) {
		const began = Date.now();
		const starts: number[] = [];
		const all = deliver(
			Array.from({ length: count }, (_, position) => batch(message(position))),
			{ options: { batchSize, batchInterval }, gate: gate ?? new Gate() },
			async () => {
				starts.push(Date.now() - began);
				if (takes > 0) await sleep(takes);
			},
		);
		let isDone = false;
		void all.then(() => (isDone = true));
		for (let step = 0; step < 500 && !isDone; step++) await delay(50);
		await all;
		return starts;
	}

	test.each([
		[1, [0, 1000, 2000, 3000, 4000, 5000, 6000]],
		[2, [0, 0, 1000, 1000, 2000, 2000, 3000]],
		[3, [0, 0, 0, 1000, 1000, 1000, 2000]],
		[7, [0, 0, 0, 0, 0, 0, 0]],
	])('%d at a time, a second apart', async (batchSize, expected) => {
		expect(await startsOf(7, { batchSize, batchInterval: 1000 })).toEqual(expected);
	});

	test('without an interval nothing waits', async () => {
		expect(await startsOf(5, { batchSize: 2, batchInterval: 0 })).toEqual([0, 0, 0, 0, 0]);
	});

	test('a request that takes longer than the interval is not made up for', async () => {
		expect(await startsOf(3, { batchSize: 1, batchInterval: 100, takes: 400 })).toEqual([
			0, 400, 800,
		]);
	});

	test('after the gate is closed nobody waits: each finds out at once', async () => {
		const gate = new Gate();
		gate.close('Stopped.');
		expect(await startsOf(7, { batchSize: 3, batchInterval: 1000, gate })).toEqual(
			Array.from({ length: 7 }, () => 0),
		);
	});

	test('who waits for the next batch is told when the gate is closed, not a minute later', async () => {
		const gate = new Gate();
		void sleep(500).then(() => {
			gate.close('Stopped.');
		});
		expect(await startsOf(3, { batchSize: 1, batchInterval: 60_000, gate })).toEqual([0, 500, 500]);
	});
});

describe('repetitions', () => {
	const READ = getOtpTemplates();
	const SEND = sendText({ from: '1', to: '2', message: 'Hello' });
	const ok = { statusCode: 200, headers: {}, body: { success: true, body: [], data: {} } };
	const failed = { statusCode: 503, headers: {}, body: '' };
	const refused = { statusCode: 400, headers: {}, body: { success: false } };
	const busy = (retryAfter?: string) => ({
		statusCode: 429,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
		body: '',
	});
	const noConnection = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
	type Reply = typeof ok | Error;

	/** A service that answers in this order, the last for ever, and when it was asked. */
	function serviceAnswering(...replies: Reply[]) {
		const began = Date.now();
		const askedAt: number[] = [];
		const service = new Service(async () => {
			const reply = replies[Math.min(askedAt.length, replies.length - 1)];
			askedAt.push(Date.now() - began);
			if (reply instanceof Error) throw reply;
			return reply;
		}, 'host');
		return { service, askedAt };
	}

	async function after<Result>(work: Promise<Result>): Promise<Result> {
		await jest.runAllTimersAsync();
		return await work;
	}

	test('of a read wait longer each time', async () => {
		const { service, askedAt } = serviceAnswering(failed as never);
		await after(service.call(READ));
		expect(askedAt).toEqual([0, 500, 1500, 3500]);
	});

	test('of one request hold up no other', async () => {
		const { service, askedAt } = serviceAnswering(failed as never, ok);
		const gate = new Gate();
		const first = service.call(READ, { gate });
		await delay(100);
		await service.call(READ, { gate });
		await after(first);
		expect(askedAt).toEqual([0, 100, 500]);
	});

	test('who waits because the service asked for it is told when the gate is closed', async () => {
		const { service } = serviceAnswering(busy('200') as never);
		const gate = new Gate();
		const waiting = service.call(SEND, { gate });
		let told = false;
		void waiting.then(() => (told = true));
		await delay(100);
		gate.close('Stopped.');
		await delay(0);
		expect(told).toBe(true);
		expect(await waiting).toMatchObject({ outcome: 'notSent', message: 'Stopped.' });
	});

	test('after too many requests hold up all others', async () => {
		const { service, askedAt } = serviceAnswering(busy('2') as never, ok);
		const gate = new Gate();
		const all = Promise.all([
			service.call(SEND, { gate }),
			delay(100).then(async () => await service.call(SEND, { gate })),
		]);
		await after(all);
		expect(askedAt).toEqual([0, 2000, 2000]);
	});

	test('wait as long as the service asks for, up to five minutes', async () => {
		const { service, askedAt } = serviceAnswering(busy('300') as never, ok);
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
		expect(askedAt).toEqual([0, 300_000]);
	});

	test('are made again after another failure than the lack of a connection', async () => {
		const { service } = serviceAnswering(refused as never, noConnection, ok);
		expect(await after(service.call(SEND))).toMatchObject({ ok: false, reason: 'refused' });
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
	});

	test('of a service that was away are made when it is there, and busy', async () => {
		const { service } = serviceAnswering(
			...[1, 2, 3, 4].map(() => noConnection),
			busy('1') as never,
			ok,
		);
		expect(await after(service.call(SEND))).toMatchObject({ ok: false, reason: 'notConnected' });
		expect(await after(service.call(SEND))).toMatchObject({ ok: true });
	});
});
