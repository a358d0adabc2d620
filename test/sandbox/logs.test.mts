import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { assertFailure, campaignTo, withSandbox } from './support.mts';

const path = '/api/public/logs';
const campaign = '/api/public/chatapp/campaign';
const number = (index: number) => `4477${(10_000_000 + index).toString().padStart(8, '0')}`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => number(index));

describe('logs', () => {
	it('have each record on exactly one page', async () =>
		await withSandbox(async (sandbox) => {
			const sent = await sandbox.post(campaign, campaignTo(...numbers(45)));
			const id = sent.json.data.campaign_id;
			const first = (await sandbox.get(path)).json;
			assert.deepEqual(
				[first.count, first.data.length, first.currentPage, first.totalPage],
				[45, 20, 1, 3],
			);
			const seen: string[] = [];
			for (let page = 1; page <= 5; page++) {
				const query = `campaign_id=${id}&page[size]=10&page[number]=${page}`;
				const { json } = await sandbox.get(`${path}?${query}`);
				assert.deepEqual([json.currentPage, json.totalPage], [page, 5]);
				seen.push(...json.data.map((each: { identifier: string }) => each.identifier));
			}
			assert.deepEqual(
				seen,
				numbers(45).map((_, index) => `id-${index}`),
			);
			const beyond = (await sandbox.get(`${path}?page[number]=9`)).json;
			assert.deepEqual([beyond.count, beyond.data, beyond.currentPage], [45, [], 9]);
			const encoded = (await sandbox.get(`${path}?page%5Bsize%5D=2`)).json;
			assert.equal(encoded.data.length, 2);
		}));

	it('have no record for an unknown id', async () =>
		await withSandbox(async (sandbox) => {
			await sandbox.post(campaign, campaignTo(number(1)));
			for (const filter of ['id', 'campaign_id', 'identifier']) {
				const { json } = await sandbox.get(`${path}?${filter}=none`);
				assert.deepEqual([json.success, json.count, json.data, json.totalPage], [true, 0, [], 0]);
			}
		}));

	it('refuse page numbers that are not positive', async () =>
		await withSandbox(async (sandbox) => {
			for (const page of ['page[size]=0', 'page[number]=-1', 'page[size]=x']) {
				assertFailure(await sandbox.get(`${path}?${page}`), 400, /"page\[\w+\]" is not valid/);
			}
		}));
});

describe('a campaign with 100,000 recipients', () => {
	it('is accepted in one request, and every message is found', async () =>
		await withSandbox(async (sandbox) => {
			const sent = await sandbox.post(campaign, campaignTo(...numbers(100_000)));
			assert.equal(sent.json.success, true);
			const id = sent.json.data.campaign_id;
			const last = await sandbox.get(`${path}?campaign_id=${id}&page[size]=1000&page[number]=100`);
			assert.deepEqual(
				[last.json.count, last.json.data.length, last.json.totalPage],
				[100_000, 1000, 100],
			);
			assert.equal(last.json.data.at(-1).to, number(99_999));
			const one = await sandbox.get(`${path}?campaign_id=${id}&identifier=id-77777`);
			assert.deepEqual([one.json.count, one.json.data[0].to], [1, number(77_777)]);
			const { accepted, maxPerRecipient } = (await sandbox.control('GET', '/counts')).json;
			assert.deepEqual([accepted.messages, maxPerRecipient], [100_000, 1]);
			const [request] = (await sandbox.control('GET', '/requests?last=1')).json.slice(-1);
			assert.ok(JSON.stringify(request).length < 100_000);
		}));
});
