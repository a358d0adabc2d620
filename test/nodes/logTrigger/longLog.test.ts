import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { Harness } from '../../support/harness';
import { all, live, watching, type Page } from './watching';

/* The log of a large account: what a poll does in one piece, and what n8n does with the memory it leaves. */

jest.setTimeout(60_000);

let harness: Harness;
beforeAll(async () => {
	harness = await Harness.load();
});
afterEach(() => jest.restoreAllMocks());

const SIZE = 500;

/** The log page by page, as the requests ask for it. `onRead` is told the page whenever a record of it is read. */
function paged(log: IDataObject[], onRead: (page: number, answered: number) => void = () => {}) {
	let answered = 0;
	return (): Page => {
		// Pages are requested in their order.
		const page = ++answered;
		const data = log.slice((page - 1) * SIZE, page * SIZE).map(
			(record) =>
				new Proxy(record, {
					get(target, field: string) {
						onRead(page, answered);
						return target[field];
					},
				}),
		);
		return { data, count: log.length, totalPage: Math.ceil(log.length / SIZE) };
	};
}

const log = (count: number, status = 'sent') =>
	Array.from({ length: count }, (_, index) => live(`r${index}`, status));

/** All objects in it, itself included. */
function objectsIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	return Object.values(value).reduce<number>((sum, each) => sum + objectsIn(each), 1);
}

test('a page is done with soon after it came: records are not kept until the whole log was read', async () => {
	const { look } = watching(harness);
	const records = log(40 * SIZE);
	for (const poll of ['first', 'second']) {
		let latest = 0;
		const found = await look(
			paged(records, (page, answered) => (latest = Math.max(latest, answered - page))),
		);
		expect(found).toBeNull();
		// Five requests are in flight at once.
		expect({ poll, isSoon: latest <= 6, latest }).toMatchObject({ poll, isSoon: true });
	}
});

test('no Map grows with the log: a Map of some hundred thousand entries is copied in one piece', async () => {
	let largest = 0;
	const { set } = Map.prototype;
	jest.spyOn(Map.prototype, 'set').mockImplementation(function (
		this: Map<unknown, unknown>,
		...entry
	) {
		set.apply(this, entry);
		largest = Math.max(largest, this.size);
		return this;
	});
	const { look } = watching(harness);
	const withoutId = log(15_000).map((record, index) => ({
		...record,
		id: null,
		identifier: `i${index}`,
	}));
	await look(paged([...log(15_000), ...withoutId]));
	jest.restoreAllMocks();
	expect(largest).toBeLessThan(5_000);
});

test('the rest of n8n has its turns while a page is read that is larger than any should be', async () => {
	let time = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (time += 30));
	const { look } = watching(harness);
	let isOver = false;
	const poll = look(all(log(100))).finally(() => (isOver = true));
	let turns = 0;
	while (!isOver) {
		await sleep(0);
		turns++;
	}
	await poll;
	expect(turns).toBeGreaterThan(50);
});

describe('the memory', () => {
	test('is a handful of objects, because n8n wraps and saves each of them in one piece', async () => {
		const { look, memory } = watching(harness);
		await look(paged(log(3_000)));
		expect(objectsIn(memory)).toBeLessThan(10);
		expect(JSON.stringify(memory).length).toBeLessThan(3_000 * 25);
	});

	test('goes on after n8n saved it as JSON and loaded it', async () => {
		const before = watching(harness);
		await before.look(
			all([live('a', 'queued'), live('b', 'sent'), live('c', 'sent', { createdAt: null })]),
		);
		const after = watching(harness);
		Object.assign(after.memory, JSON.parse(JSON.stringify(before.memory)));
		expect(
			await after.look(
				all([
					live('a', 'delivered'),
					live('b', 'sent'),
					live('c', 'read', { createdAt: null }),
					live('d', 'sent'),
				]),
			),
		).toEqual([
			['a', 'statusChanged', 'queued', 'delivered'],
			['c', 'statusChanged', 'sent', 'read'],
			['d', 'new', null, 'sent'],
		]);
	});

	test('of version 0.2 goes on, and is replaced; an older version that is put back begins anew', async () => {
		const { look, memory } = watching(harness);
		await look(all([live('a', 'queued')]));
		const { filters, account, began } = memory as { [name: string]: string };
		for (const name of Object.keys(memory)) delete memory[name];
		const now = Math.floor(Date.now() / 1000);
		const hash = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 12);
		const records = { [hash('a')]: [1, now - 60], [hash('c')]: [0, now - 9_000, 1] };
		const logs = { statuses: ['sent', 'queued'], records, horizon: now - 86_400 };
		Object.assign(memory, { filters, account, began, logs });
		const log = [
			live('a', 'sent'),
			live('b', 'sent'),
			live('c', 'sent', { createdAt: null }),
			live('old', 'sent', { createdAt: (now - 90_000) * 1000 }),
		];
		expect(await look(all(log))).toEqual([
			['a', 'statusChanged', 'queued', 'sent'],
			['b', 'new', null, 'sent'],
		]);
		expect(await look(all(log))).toBeNull();
		expect(memory.logs).toBeUndefined();
	});
});
