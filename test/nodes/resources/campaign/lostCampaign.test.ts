import {
	findLostCampaign,
	trackCampaign,
} from '../../../../nodes/Messaging/resources/campaign/lostCampaign';
import type { Message } from '../../../../nodes/Messaging/sending/message';
import { Service } from '../../../../nodes/Messaging/service/service';
import { message } from '../../../support/messages';

/* A campaign whose answer was lost, and what the logs show of it. Every test has an identifier of its own. */

let count = 0;
const campaign = (isGenerated: boolean, more: Partial<Message> = {}): Message[] => [
	message(0, { identifier: `id-${++count}`, isGenerated, ...more }),
];

type Shown = { createdAt?: unknown; campaign_id?: string; to?: string; identifier?: string };
const at = (ms: number) => new Date(ms).toISOString();

/** Looks the campaign up in logs that show these records of its identifier. */
async function find(
	messages: Message[],
	shown: Shown[],
	{
		sentAt = Date.now(),
		date = new Date(Date.now()).toUTCString() as string | null,
		request = 'r',
	} = {},
) {
	const [{ identifier, to }] = messages;
	const records = shown.map((record) => ({ id: 'l', identifier, to, ...record }));
	const service = new Service(
		async () => ({
			statusCode: 200,
			headers: date === null ? {} : { Date: date },
			body: { success: true, data: records },
		}),
		'host',
	);
	const found = await findLostCampaign(service, { request, messages, sentAt }, {});
	return found?.[0].campaign_id;
}

/** A moment whose second has just begun, so that the service's `Date` is exact. */
const now = Math.floor(Date.now() / 1000) * 1000;
beforeEach(() => {
	jest.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => {
	jest.restoreAllMocks();
});

describe("the customer's own identifiers", () => {
	test('a record made after the request left is proof', async () => {
		const shown = [{ createdAt: at(now + 5), campaign_id: 'own-1' }];
		expect(await find(campaign(false), shown, { sentAt: now })).toBe('own-1');
	});

	test.each([1, 500, 1500, 60_000])('a record made %i ms before it left is not', async (before) => {
		const shown = [{ createdAt: at(now - before), campaign_id: `early-${before}` }];
		expect(await find(campaign(false), shown, { sentAt: now })).toBeUndefined();
	});

	test('a record that was made long after the request was given up is not', async () => {
		const shown = [{ createdAt: at(now + 3_600_000), campaign_id: 'late' }];
		expect(await find(campaign(false), shown, { sentAt: now })).toBeUndefined();
	});

	test('a time in whole seconds counts from the second in which the request left', async () => {
		const second = at(now).replace('.000', '');
		const shown = [{ createdAt: second, campaign_id: 'second' }];
		expect(await find(campaign(false), shown, { sentAt: now + 400 })).toBe('second');
	});

	test.each([-3_600_000, 3_600_000])(
		'the service’s own clock counts, %i ms ahead',
		async (ahead) => {
			const date = new Date(now + ahead).toUTCString();
			const own = campaign(false);
			const shown = (made: number) => [{ createdAt: at(made + ahead), campaign_id: `c${ahead}` }];
			expect(await find(own, shown(now - 1), { date })).toBeUndefined();
			expect(await find(own, shown(now + 1), { date })).toBe(`c${ahead}`);
		},
	);

	test('without the service’s clock nothing is proof', async () => {
		const shown = [{ createdAt: at(now + 5), campaign_id: 'clockless' }];
		expect(await find(campaign(false), shown, { date: null })).toBeUndefined();
	});

	test.each([null, undefined, 1_767_225_600_000, 'soon'])(
		'a record whose time is %p is not',
		async (createdAt) => {
			const shown = [{ createdAt, campaign_id: 'timeless' }];
			expect(await find(campaign(false), shown)).toBeUndefined();
		},
	);

	test('a record for somebody else is not', async () => {
		const shown = [{ createdAt: at(now + 5), campaign_id: 'foreign', to: '385919999999' }];
		expect(await find(campaign(false), shown)).toBeUndefined();
	});

	test('a campaign that was accepted for another request is not', async () => {
		const messages = campaign(false);
		trackCampaign({ request: 'other', messages })({ campaign_id: 'TAKEN-1' });
		const shown = [{ createdAt: at(now + 5), campaign_id: 'taken-1' }];
		expect(await find(messages, shown)).toBeUndefined();
		// Beside it, the own one is still found.
		shown.push({ createdAt: at(now + 6), campaign_id: 'own-2' });
		expect(await find(messages, shown)).toBe('own-2');
	});

	test('nor one that another request in flight may have made, or one that was lost', async () => {
		const messages = campaign(false);
		const answered = trackCampaign({ request: 'other', messages });
		const shown = [{ createdAt: at(now + 5), campaign_id: 'whose' }];
		expect(await find(messages, shown)).toBeUndefined();
		// The other one was refused: it made none.
		answered();
		expect(await find(messages, shown)).toBe('whose');
	});

	test('the own request in flight is no doubt', async () => {
		const messages = campaign(false);
		trackCampaign({ request: 'own', messages });
		const shown = [{ createdAt: at(now + 5), campaign_id: 'own-3' }];
		expect(await find(messages, shown, { request: 'own' })).toBe('own-3');
	});

	test('two campaigns that could be it are one too many', async () => {
		const shown = ['x', 'y'].map((id) => ({ createdAt: at(now + 5), campaign_id: id }));
		expect(await find(campaign(false), shown)).toBeUndefined();
	});

	test('a campaign that was found belongs to the request that found it', async () => {
		const messages = campaign(false);
		const shown = [{ createdAt: at(now + 5), campaign_id: 'found-once' }];
		expect(await find(messages, shown, { request: 'first' })).toBe('found-once');
		expect(await find(messages, shown, { request: 'second' })).toBeUndefined();
	});
});

describe('identifiers that the node made', () => {
	test.each([null, undefined, 1_767_225_600_000, at(now - 3_600_000)])(
		'a record with it is proof, whenever it was made (%p)',
		async (createdAt) => {
			const shown = [{ createdAt, campaign_id: `made-${String(createdAt)}`, to: '091 123' }];
			expect(await find(campaign(true), shown, { date: null })).toBe(`made-${String(createdAt)}`);
		},
	);

	test('a record without a campaign is not', async () => {
		expect(await find(campaign(true), [{ createdAt: at(now) }])).toBeUndefined();
	});
});

test("beside an identifier that the node made, the customer's own one is no proof: others may have it, too", async () => {
	const [own] = campaign(false);
	const [made] = campaign(true, { position: 1 });
	// The logs answer for one identifier at a time: these records are for the customer's own.
	const shown = [{ createdAt: at(now + 5), campaign_id: 'of-others', identifier: own.identifier }];
	expect(await find([own, made], shown, { sentAt: now })).toBeUndefined();
});
