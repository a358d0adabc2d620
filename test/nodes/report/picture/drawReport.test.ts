import type { IDataObject } from 'n8n-workflow';
import { coloursOf } from '../../../../nodes/Messaging/report/picture/colours';
import { bucketsOf, scaleTop } from '../../../../nodes/Messaging/report/picture/timeline';
import { drawReport, type Report } from '../../../../nodes/Messaging/report/picture/drawReport';
import { duration, percent } from '../../../../nodes/Messaging/utils/formatting';
import { credentials } from '../../../support/mockService';
import { useHarness } from '../../../support/harness';
import { GET_REPORT, record, records, sent, serveLogs } from '../logService';

const START = Date.parse('2026-03-02T08:30:00Z');

const draw = (more: Partial<Report> = {}) =>
	drawReport({
		campaign_id: 'c1',
		recipients: 10,
		units: 9,
		firstCreatedAt: new Date(START).toISOString(),
		lastDeliveredAt: new Date(START + 90_000).toISOString(),
		medianDeliverySeconds: 4.5,
		pending: 0,
		statuses: [
			['delivered', 9],
			['failed', 1],
		],
		deliveredAt: Array.from({ length: 9 }, (_, index) => START + index * 10_000),
		timezone: 'Europe/Zagreb',
		...more,
	});

const textsOf = (svg: string) =>
	[...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

/** Returns whether all elements are closed in the right order. */
function isWellFormed(svg: string): boolean {
	const open: string[] = [];
	for (const [, closing, name, alone] of svg.matchAll(
		/<(\/?)([a-zA-Z]+)(?:"[^"]*"|[^">])*?(\/?)>/g,
	)) {
		if (closing && open.pop() !== name) return false;
		if (!closing && !alone) open.push(name);
	}
	return open.length === 0;
}

const CASES: Record<string, Partial<Report>> = {
	usual: {},
	'no records': {
		recipients: 0,
		units: 0,
		statuses: [],
		deliveredAt: [],
		firstCreatedAt: null,
		lastDeliveredAt: null,
		medianDeliverySeconds: null,
	},
	'one record': { recipients: 1, statuses: [['delivered', 1]], deliveredAt: [START] },
	'no delivery time': { deliveredAt: [], lastDeliveredAt: null, medianDeliverySeconds: null },
	'all in the same second': { deliveredAt: new Array<number>(10).fill(START) },
	'years apart': { deliveredAt: [0, START] },
	'100,000 records': {
		recipients: 100_000,
		statuses: [['delivered', 100_000]],
		deliveredAt: Array.from({ length: 100_000 }, (_, index) => START + index * 50),
	},
	'unknown statuses': {
		statuses: Array.from({ length: 30 }, (_, index) => [`STATUS_${index}`, 30 - index]),
	},
	'texts with markup and control characters': {
		campaign_id: '"><script>alert(1)</script>&\u0000\uD800',
		statuses: [['</text><script>x</script>', 3]],
		timezone: 'No/Where',
	},
};

describe.each(Object.entries(CASES))('%s', (_, more) => {
	const svg = draw(more);

	test('is one well-formed SVG without NaN or undefined', () => {
		expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
		expect(isWellFormed(svg)).toBe(true);
		expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
	});

	test('has no scripts and loads nothing', () => {
		expect(svg).not.toMatch(/<script|<image|<foreignObject|href|@import|javascript:|\son\w+=/i);
		expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
		expect(svg.match(/url\([^)]*\)/g) ?? []).toEqual(
			more.statuses?.length === 0 ? [] : ['url(#bar)'],
		);
	});

	test('is small, however many records there are', () => {
		expect(svg.length).toBeLessThan(20_000);
	});
});

test('shows title, campaign id, times in the zone, shares and deliveries', () => {
	expect(textsOf(draw())).toEqual([
		'Campaign report',
		'c1',
		'2 Mar 2026, 09:30 – 09:31 (Europe/Zagreb)',
		'10',
		'recipients',
		'9',
		'units charged',
		'4.5 s',
		'median delivery',
		'0',
		'pending',
		'Status',
		'delivered',
		'9',
		'90.0 %',
		'failed',
		'1',
		'10.0 %',
		'Deliveries over time',
		'1',
		'09:30:00',
		'09:30:40',
		'one bar is 2 s',
	]);
});

test('says when records are missing', () => {
	const texts = textsOf(draw({ incomplete: true, missing: 1234 }));
	expect(texts).toContain('Not complete: the service did not give all of its records.');
	expect(texts).toContain('1,234 of the messages in the input are not in the logs.');
});

test('has colours for light and dark', () => {
	expect(draw()).toContain('@media (prefers-color-scheme:dark)');
});

test('more than eight statuses: the others share one row', () => {
	const texts = textsOf(draw(CASES['unknown statuses']));
	expect(texts).toContain('STATUS_6');
	expect(texts).not.toContain('STATUS_7');
	expect(texts).toContain('23 other statuses');
});

test('each status has a colour; known words in its name decide which one', () => {
	expect(
		coloursOf(['delivered', 'undelivered', 'failed', 'NEVER_SEEN', 'read', 'queued', 'sent']),
	).toEqual(['green', 'red', 'orange', 'teal', 'violet', 'grey', 'blue']);
	const many = coloursOf(Array.from({ length: 8 }, (_, index) => `x${index}`));
	expect(new Set(many.slice(0, 6)).size).toBe(6);
});

test.each([
	[[], undefined],
	[[START], [START, 1000, [1]]],
	[
		[START + 47_999, START],
		[START, 1000, 48],
	],
	[
		[START, START + 48_000],
		[START, 2000, 25],
	],
	[
		[START, START + 3600_000],
		[START, 120_000, 31],
	],
])('deliveries at %j are counted in the bars %j', (times, expected) => {
	const buckets = bucketsOf(times);
	if (!expected) {
		expect(buckets).toBeUndefined();
		return;
	}
	const [from, width, counts] = expected;
	expect([buckets!.from, buckets!.width]).toEqual([from, width]);
	if (typeof counts === 'number') expect(buckets!.counts).toHaveLength(counts);
	expect(buckets!.counts.reduce((a, b) => a + b, 0)).toBe(times.length);
});

test.each([
	[1, 1],
	[3, 4],
	[9, 10],
	[11, 20],
	[410, 600],
	[99_000, 100_000],
])('a scale up to %d ends at %d', (most, top) => expect(scaleTop(most)).toBe(top));

test.each([
	[0.04, '0.04 s'],
	[59.94, '59.94 s'],
	[200, '3 min 20 s'],
	[3600, '1 h'],
	[7500, '2 h 5 min'],
	[86_400 * 3 + 3600 * 4, '3 d 4 h'],
])('%d seconds are %p', (seconds, words) => expect(duration(seconds)).toBe(words));

test.each([
	[0, '0 %'],
	[0.0004, '< 0.1 %'],
	[0.5, '50.0 %'],
	[0.9996, '> 99.9 %'],
	[1, '100 %'],
])('a share of %d is %p', (share, words) => expect(percent(share)).toBe(words));

const harness = useHarness();

describe('the option Picture', () => {
	const run = async (more: IDataObject, items: IDataObject[]) => {
		const parameters = { ...GET_REPORT, ...more } as never;
		const { output } = await harness.run('messaging', parameters, { items, credentials });
		return output[0] ?? [];
	};
	const picture = { options: { picture: true } };

	test('adds an SVG file to the summary of each campaign', async () => {
		serveLogs({ 'c 1/x': records('c 1/x', 3), c2: [record('c2', 0)] });
		const output = await run(picture, [sent('c 1/x', 0), sent('c2', 0)]);
		expect(
			output.map(({ binary }) => [binary!.picture.fileName, binary!.picture.mimeType]),
		).toEqual([
			['campaign-c-1-x.svg', 'image/svg+xml'],
			['campaign-c2.svg', 'image/svg+xml'],
		]);
		const svg = Buffer.from(output[0].binary!.picture.data, 'base64').toString();
		expect(textsOf(svg)).toEqual(expect.arrayContaining(['Campaign report', 'c 1/x', '3']));
	});

	test('adds no file to the recipients, and is off by default', async () => {
		serveLogs({ c1: records('c1', 2) });
		const both = await run({ ...picture, output: 'both' }, [{ campaign_id: 'c1' }]);
		expect(both.map(({ binary }) => binary !== undefined)).toEqual([true, false, false]);
		const none = await run({ output: 'both' }, [{ campaign_id: 'c1' }]);
		expect(none.some(({ binary }) => binary !== undefined)).toBe(false);
		const recipients = await run({ ...picture, output: 'recipients' }, [{ campaign_id: 'c1' }]);
		expect(recipients.some(({ binary }) => binary !== undefined)).toBe(false);
	});
});

describe('the reasons', () => {
	const reasonsOf = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			reason: `Reason ${index + 1}`,
			count: 100 - index,
		}));

	test('stand below the statuses, with their counts', () => {
		const texts = textsOf(draw({ reasons: reasonsOf(2) }));
		const start = texts.indexOf('Reasons');
		expect(texts.slice(start, start + 6)).toEqual([
			'Reasons',
			'Reason 1',
			'100',
			'Reason 2',
			'99',
			'Deliveries over time',
		]);
	});

	test('share one row, except the most frequent ones', () => {
		const texts = textsOf(draw({ reasons: reasonsOf(8) }));
		const start = texts.indexOf('Reason 4');
		expect(texts.slice(start, start + 4)).toEqual(['Reason 4', '97', '4 other reasons', '378']);
	});

	test('are not drawn when there are none', () => {
		expect(textsOf(draw({ reasons: [] }))).not.toContain('Reasons');
	});

	test('long and strange ones are cut and escaped', () => {
		const svg = draw({ reasons: [{ reason: `<b>${'x'.repeat(500)}`, count: 1 }] });
		expect(isWellFormed(svg)).toBe(true);
		expect(svg).toContain(`&lt;b&gt;${'x'.repeat(56)}…`);
	});

	test('are read from the logs', async () => {
		const failed = { status: 'failed', reason: 'Not a chat-app user', delivered_time: null };
		serveLogs({ c1: [record('c1', 0), record('c1', 1, failed)] });
		const { output } = await harness.run(
			'messaging',
			{ ...GET_REPORT, options: { picture: true } } as never,
			{ items: [{ campaign_id: 'c1' }], credentials },
		);
		const { data } = output[0]![0].binary!.picture;
		expect(textsOf(Buffer.from(data, 'base64').toString())).toContain('Not a chat-app user');
	});
});

test('a campaign that was not complete when the time was up is marked as such', () => {
	const note = 'Not complete: the time was up.';
	expect(textsOf(draw({ complete: false }))).toContain(note);
	expect(textsOf(draw({ complete: true }))).not.toContain(note);
	expect(textsOf(draw())).not.toContain(note);
});
