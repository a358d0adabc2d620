import type { IDataObject } from 'n8n-workflow';
import { credentials, serve, type ServiceRequest } from '../../support/mockService';
import { waited } from '../../support/clock';
import { useHarness } from '../../support/harness';
import { GET_REPORT, pageOf, record, records, SENT, sent } from './logService';

const harness = useHarness();
/** Only pauses move the time, however slow the machine is. */
beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(Date.now()));
afterEach(() => jest.restoreAllMocks());

/** Serves another state of the log at each request, then repeats the last one. */
const serveInTurn = (states: IDataObject[][], more: IDataObject = {}) => {
	let reading = 0;
	return serve((asked: ServiceRequest) =>
		pageOf(states[Math.min(reading++, states.length - 1)], asked, more),
	);
};

/** Runs the report, and returns its summaries, the hints above it, and how long it paused. */
const run = async (
	values: IDataObject,
	{ items = [{ campaign_id: 'c1' }] as IDataObject[], output = 'summary' } = {},
) => {
	const before = waited();
	const result = await harness.run(
		'messaging',
		{ ...GET_REPORT, output, options: { waitForCompletion: { values } } } as never,
		{ items, credentials },
	);
	return {
		json: (result.output[0] ?? []).map((item) => item.json),
		hints: (result.task?.hints ?? []).map(({ message }) => message),
		error: result.error?.message,
		paused: Math.round((waited() - before) / 1000),
	};
};

const pendingRecord = (index: number) =>
	record('c1', index, { status: 'sent', delivered_time: null });

test('Wait for Completion: reads the logs again until no message is pending', async () => {
	const asked = serveInTurn([[], [pendingRecord(0), record('c1', 1)], records('c1', 2)]);
	const { json, hints, paused } = await run({});
	expect(json).toEqual([expect.objectContaining({ complete: true, recipients: 2, pending: 0 })]);
	expect(json[0].text).toBe(`${SENT}2 recipients: 2 delivered`);
	// The first columns of the editor's table are visible without scrolling.
	expect(Object.keys(json[0]).slice(0, 3)).toEqual(['campaign_id', 'text', 'complete']);
	expect({ times: asked.length, hints, paused }).toEqual({
		times: 3,
		hints: [`${SENT}2 recipients: 2 delivered`],
		paused: 20,
	});
});

test('Wait for Completion: waits for a message whose progress the service describes', async () => {
	const reason = 'Message sent to next instance';
	const asked = serveInTurn([[{ ...pendingRecord(0), reason }], records('c1', 1)]);
	const { json } = await run({});
	expect([asked.length, json[0].delivered]).toEqual([2, 1]);
});

test('Wait for Completion: does not wait for messages of which nothing more will come', async () => {
	const statuses = ['CANCELED', 'OPTED_OUT', 'Not-Delivered', 'seen'];
	const log = statuses.map((status, index) => ({ ...pendingRecord(index), status }));
	const asked = serveInTurn([log]);
	const { json } = await run({});
	expect([asked.length, json[0].complete]).toEqual([1, true]);
});

test('Wait for Completion: by default the logs are read every ten seconds for five minutes', async () => {
	const asked = serveInTurn([[pendingRecord(0)]]);
	const { paused } = await run({});
	expect(asked).toHaveLength(31);
	// The reading itself takes some of the time.
	expect(paused).toBeCloseTo(300, -1);
});

test('Wait for Completion: waits for as many recipients as one item per campaign names', async () => {
	const asked = serveInTurn([records('c1', 2), records('c1', 3)]);
	const { json } = await run({}, { items: [{ campaign_id: 'c1', recipients: 3 }] });
	expect([asked.length, json[0].complete, json[0].recipients]).toEqual([2, true, 3]);
});

test.each<[string, IDataObject[], IDataObject[], string]>([
	[
		'a message is pending',
		[pendingRecord(0), record('c1', 1)],
		[{ campaign_id: 'c1' }],
		`${SENT}2 recipients: 1 sent, 1 delivered. Not complete: the time was up.`,
	],
	[
		'a message is missing',
		records('c1', 1),
		[sent('c1', 0), sent('c1', 1)],
		`${SENT}2 recipients: 1 delivered, 1 not in the logs. Not complete: the time was up.`,
	],
])('Wait for Completion: when the time is up and %s, says so', async (_, log, items, text) => {
	const asked = serveInTurn([log]);
	const { json, hints, paused } = await run({ longestWait: 1, interval: 25 }, { items });
	expect(json[0]).toMatchObject({ complete: false, text });
	expect(hints).toEqual([text]);
	// At 0, 25 and 50 s, and once more when the time is up.
	expect([asked.length, paused]).toEqual([4, 60]);
});

test('Wait for Completion: a log is not complete when the service counts more records than it returns', async () => {
	serveInTurn([records('c1', 2)], { count: 3 });
	const { json } = await run({ longestWait: 0 });
	expect(json[0]).toMatchObject({ complete: false, incomplete: true, recipients: 2 });
});

test('Wait for Completion: the longest wait is for all campaigns together, however many', async () => {
	const asked = serve(({ query }) =>
		pageOf([{ ...pendingRecord(0), campaign_id: query.campaign_id }], { query } as never),
	);
	const items = Array.from({ length: 12 }, (_, index) => ({ campaign_id: `c${index}` }));
	const { json, paused } = await run({ longestWait: 1, interval: 60 }, { items });
	expect(json.map(({ complete }) => complete)).toEqual(items.map(() => false));
	// The time of this test passes at once: the first campaign uses all of it, and the others are read once.
	expect([paused, asked.length]).toEqual([60, items.length + 1]);
});

test.each<[IDataObject, string]>([
	[
		{ longestWait: -1 },
		"'Longest Wait (Minutes)' must be a number, 0 or more. Check its expression.",
	],
	[{ interval: 'soon' }, "'Interval (Seconds)' must be a number, 0 or more. Check its expression."],
])('Wait for Completion: %j is refused before anything is read', async (values, message) => {
	const asked = serveInTurn([[]]);
	const { error } = await run(values);
	expect([error, asked.length]).toEqual([message, 0]);
});
