import type { IDataObject } from 'n8n-workflow';
import { credentials, failure, serve } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging } from '../../support/runMessaging';
import { GET_REPORT, pageOf, record, records, SENT, sent, serveLogs } from './logService';

const harness = useHarness();
/** Runs the node and returns the run as n8n keeps it. */
const run = async (parameters: IDataObject, items: IDataObject[] = [{ campaign_id: 'c1' }]) => {
	const result = await harness.run('messaging', { ...GET_REPORT, ...parameters } as never, {
		items,
		credentials,
	});
	const [output] = result.output;
	return { output: output ?? [], hints: result.task?.hints, error: result.error };
};

/** A notice above the output. */
const warningHint = (message: string) => ({ message, type: 'warning', location: 'outputPane' });

describe('Get Report: the campaign', () => {
	test('says how many recipients of One Item per Campaign the logs do not have yet', async () => {
		serveLogs({ c1: [record('c1', 0)] });
		const { output } = await run({}, [{ campaign_id: 'c1', recipients: 25 }]);
		expect(output[0].json).toMatchObject({
			text: `${SENT}25 recipients: 1 delivered, 24 not in the logs`,
			recipients: 25,
			missing: 24,
		});
		const other = await run({ campaignId: 'c1' }, [{ campaign_id: 'c2', recipients: 25 }]);
		expect(other.output[0].json).toMatchObject({ recipients: 1 });
	});

	test.each<[string, IDataObject | string | undefined, string]>([
		['that of the input when the field is empty', undefined, '1 recipient: 1 delivered'],
		['given by its ID', chosen('id', 'c2'), '2 recipients: 2 delivered'],
		['an expression', chosen('id', '={{ "c2" }}'), '2 recipients: 2 delivered'],
	])('can be %s', async (_, campaignId, text) => {
		serveLogs({ c1: records('c1', 1), c2: records('c2', 2) });
		const { output } = await run({ campaignId });
		expect(output.map(({ json }) => json.text)).toEqual([SENT + text]);
	});
});

describe('Get Report: behind a dry run', () => {
	const TEXT = expect.stringMatching(/^This was a dry run/) as string;
	const row = (to: string) => ({ dryRun: true, to, message: { to } });

	test('an item and a hint say that there is nothing to report', async () => {
		const asked = serveLogs({});
		const refused = { dryRun: true, to: '2', error: 'It has no country code.', details: {} };
		const { output, hints, error } = await run({}, [row('1'), refused]);
		expect({ output, hints, error, times: asked.length }).toEqual({
			output: [
				{
					json: { dryRun: true, text: TEXT },
					pairedItem: [{ item: 0 }, { item: 1 }],
				},
			],
			hints: [{ message: TEXT, type: 'info', location: 'outputPane' }],
			error: undefined,
			times: 0,
		});
	});
});

describe('Get Report: a campaign that fails', () => {
	const logs: Record<string, IDataObject[]> = { c1: records('c1', 2), c3: records('c3', 1) };
	const items = [sent('c1', 0), sent('c2', 0), sent('c1', 1), sent('c2', 1), sent('c3', 0)];
	const refusing = () =>
		serve((asked) =>
			asked.query.campaign_id === 'c2'
				? failure('No such campaign', 404)
				: pageOf(logs[asked.query.campaign_id], asked),
		);
	const parameters = { ...GET_REPORT, output: 'recipients' };

	test('fails the node, and the error names its first item', async () => {
		refusing();
		const { error } = await runMessaging(harness, parameters, { items });
		expect(error).toEqual(
			expect.objectContaining({
				message: 'The service refused: No such campaign.',
				httpCode: '404',
				itemIndex: 1,
			}),
		);
	});

	test('becomes a failed item for each of its input items under Continue On Fail, and the others are output', async () => {
		refusing();
		const { outputs } = await runMessaging(harness, parameters, {
			items,
			onError: 'continueErrorOutput',
		});
		const [good, bad] = outputs;
		expect(good.map(({ json, pairedItem }) => [json.campaign_id, pairedItem])).toEqual([
			['c1', { item: 0 }],
			['c1', { item: 2 }],
			['c3', { item: 4 }],
		]);
		const details = { httpStatus: 404 };
		const error = 'The service refused: No such campaign.';
		expect(bad).toEqual(
			[1, 3].map((item) => ({ json: { ...items[item], error, details }, pairedItem: { item } })),
		);
	});

	test('a duplicate that was not sent needs no campaign while another item has one', async () => {
		serveLogs(logs);
		const skipped = { to: '385911001001', status: 'skipped', reason: 'The same recipient' };
		const items = [skipped, sent('c1', 0), skipped, sent('c1', 1)];
		const { outputs, error } = await runMessaging(harness, parameters, { items });
		expect(error).toBeUndefined();
		expect(outputs[0].map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			['c1-l0', { item: 1 }],
			['c1-l1', { item: 3 }],
		]);
		const alone = await runMessaging(harness, parameters, { items: [skipped] });
		expect(alone.error?.message).toMatch(/Campaign ID/);
	});

	const REPORT = `${SENT}2 recipients: 2 delivered`;

	test('the report of a test says so in its text, above the output and in a field', async () => {
		serveLogs(logs);
		const others = { to: '385911001001', status: 'skipped', reason: 'Not sent' };
		const { output, hints } = await run({}, [{ ...sent('c1', 0), status: 'test' }, others]);
		const text = `Test sent${REPORT.slice('Sent'.length)}`;
		expect(output[0].json).toMatchObject({ text, test: true });
		expect(hints?.map(({ message }) => message)).toEqual([text]);
		const [{ json }] = (await run({}, [sent('c1', 0), others])).output;
		expect(json).not.toHaveProperty('test');
	});

	describe('messages that failed when they were sent', () => {
		const failed = (identifier: string, outcome = 'rejected') => ({
			error: 'Not sent to 385911001001: No such number',
			details: { httpStatus: 400, outcome, recipient: '385911001001', identifier },
		});
		const INTO_ERROR_OUTPUT = { to: '385911001001', name: 'Ana', ...failed('order-9', 'unknown') };
		const NO_CAMPAIGN = expect.stringMatching(/^There is no campaign to report on/) as string;
		test.each<[string, IDataObject[], string]>([
			[
				'before and after the others',
				[failed('order-7'), sent('c1', 0), failed('order-8', 'unknown')],
				'Not in this report: 1 message not sent, 1 message that may have been sent. The node that sends says why.',
			],
			[
				'from the error output, beside a duplicate',
				[sent('c1', 0), INTO_ERROR_OUTPUT, { to: '1', status: 'skipped', reason: 'The same' }],
				'Not in this report: 1 message that may have been sent. The node that sends says why.',
			],
			[
				'of whom certainly none has a message',
				[failed('order-7'), sent('c1', 0), failed('order-8', 'notSent')],
				'Not in this report: 2 messages not sent. The node that sends says why.',
			],
		])('%s need no campaign, and the report says so', async (_, items, message) => {
			serveLogs(logs);
			for (const campaignId of ['={{ $json.campaign_id }}', '={{ $json.campaign_id.trim() }}']) {
				const { output, hints, error } = await run({ output: 'both', campaignId }, items);
				expect(error).toBeUndefined();
				expect(output.map(({ json }) => json.id)).toEqual([undefined, 'c1-l0', 'c1-l1']);
				expect(output[0].json.summary).toMatchObject({ recipients: 2, warning: message });
				const item = items.findIndex(({ campaign_id }) => campaign_id);
				expect(output[1].pairedItem).toEqual({ item });
				expect(hints).toEqual([warningHint(`${REPORT}. ${message}`)]);
			}
		});

		test('an item that did not fail and names no campaign fails the node before anything is read', async () => {
			const asked = serveLogs(logs);
			// More campaigns than are read at once.
			const campaigns = Array.from({ length: 9 }, (_, index) => sent(`c${index}`, 0));
			const { error } = await run({}, [...campaigns, { to: '385911001001' }]);
			expect([asked, error?.message]).toEqual([
				[],
				expect.stringMatching(/^'Campaign ID' is empty\./),
			]);
		});

		test('when all failed, the node says that there is no campaign', async () => {
			serveLogs(logs);
			const items = [failed('order-7'), failed('order-8', 'notSent'), INTO_ERROR_OUTPUT];
			const { error } = await run({}, items);
			expect(error?.message).toEqual(NO_CAMPAIGN);
			const { outputs } = await runMessaging(harness, parameters, {
				items,
				onError: 'continueRegularOutput',
			});
			expect(outputs[0].map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
				[0, 1, 2].map((item) => [NO_CAMPAIGN, { item }]),
			);
		});
	});
});

test('Get Report: records that the service counts and does not return are reported in the summary and above the output', async () => {
	const asked = serve((each) => pageOf(records('c1', 8), each, { count: 10 }));
	const warning =
		'The service counts 10 records but gave only 8, also when asked again: 2 are missing.';
	const { output, hints } = await run({});
	expect(output[0].json).toMatchObject({ recipients: 8, incomplete: true, warning });
	expect(hints).toEqual([warningHint(`${SENT}8 recipients: 8 delivered. ${warning}`)]);
	expect(asked.length).toBeLessThan(10);
});

const otherIdentifiers = (strangers: string, missing: string) =>
	`Not in the input: ${strangers} of the logs. Not in the logs: ${missing} of the input. These may be the same people under another identifier: compare the numbers before you send to anybody again.`;

test('Get Report: records under other identifiers than those that were sent have a warning, because they are counted twice', async () => {
	const log = [0, 1].map((index) => record('c1', index, { identifier: '' }));
	serveLogs({ c1: log });
	const { output } = await run({}, [sent('c1', 0), sent('c1', 1)]);
	const warning = otherIdentifiers('2 recipients', '2 recipients');
	expect(output[0].json).toMatchObject({ recipients: 4, missing: 2, warning });
});

describe('Get Report: the summary as HTML', () => {
	const read = async (log: IDataObject[], items?: IDataObject[]) => {
		serveLogs({ c1: log });
		const { output } = await run({ options: { html: true } }, items);
		return output[0].json.html as string;
	};
	/** The visible lines. */
	const linesOf = (html: string) =>
		html
			.replaceAll(/<(br|\/p|\/tr)>/g, '\n')
			.replaceAll(/<\/t[dh]>/g, ' | ')
			.replaceAll(/<[^>]*>/g, '')
			.replaceAll('&#9632;', '■')
			.split('\n')
			.map((line) => line.replace(/^[ |]+$|(?: \| )+$/, ''))
			.filter(Boolean);

	test('has counts, statuses, reasons, times and units', async () => {
		const failed = { status: '404', reason: 'Blocked', delivered_time: null, units: 0 };
		const log = [record('c1', 0), record('c1', 1), record('c1', 2, failed)];
		expect(linesOf(await read(log, [sent('c1', 0), sent('c1', 9)]))).toEqual([
			`${SENT}4 recipients: 2 delivered, 1 404, 1 not in the logs. ${otherIdentifiers('2 recipients', '1 recipient')}`,
			'Status | Recipients | Share',
			'■ delivered | 2 | 50.0 %',
			// In an object a name that is a number comes first.
			'■ 404 | 1 | 25.0 %',
			'■ not in the logs | 1 | 25.0 %',
			'Reason | Recipients',
			'Blocked | 1',
			'Campaign c1',
			expect.stringMatching(/^First message: 1 Jan 2026, \d\d:\d\d \(.+\)$/),
			expect.stringMatching(/^Last delivery: 1 Jan 2026, \d\d:\d\d \(.+\)$/),
			'Median delivery: 5 s',
			'Units charged: 2',
			'Pending: 1',
		]);
	});

	test('has one row and one part of the bar for all that were delivered, read or not', async () => {
		const statuses = ['delivered', 'READ', 'delivered', 'NOT_DELIVERED'];
		const html = await read(statuses.map((status, index) => record('c1', index, { status })));
		expect(linesOf(html).slice(0, 4)).toEqual([
			`${SENT}4 recipients: 3 delivered, of them 1 read; 1 NOT_DELIVERED`,
			'Status | Recipients | Share',
			'■ delivered, of them 1 read | 3 | 75.0 %',
			'■ NOT_DELIVERED | 1 | 25.0 %',
		]);
		const [GREEN, RED] = ['#1f9d61', '#d64545'];
		expect([...html.matchAll(/width="(\d+)%" height="18" bgcolor="(#\w+)"/g)]).toMatchObject([
			{ 1: '75', 2: GREEN },
			{ 1: '25', 2: RED },
		]);
	});

	test('escapes all values of the service, and loads nothing', async () => {
		const evil = '<img src=x onerror="alert(1)">&\'';
		const html = await read([record('c1', 0, { status: `${evil} failed`, reason: evil })]);
		expect(html).not.toContain('<img');
		expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39; failed');
		expect(html).not.toMatch(/<[^>]*(src|href|url)\b/);
	});
});

test('Get Report: records of other campaigns, which a service that ignores the filter returns, are left out, and a warning counts them', async () => {
	const own = [record('c1', 0), record('c1', 1, { campaign_id: 'C1' })];
	const anyone = [null, undefined, ''].map((campaign_id, index) =>
		record('c1', 10 + index, { campaign_id }),
	);
	const others = [record('c2', 0), record('c3', 0), record('c4', 0, { campaign_id: 17 })];
	const warning = 'The service also gave 3 records that were not asked for: they were left out.';
	serve((asked) => pageOf([...others, ...own, ...anyone], asked));
	const { output, hints } = await run({ output: 'both' });
	const [summary, ...recipients] = output;
	expect(summary.json).toMatchObject({ summary: { recipients: 5, units: 5, warning } });
	expect(summary.json.summary).not.toHaveProperty('incomplete');
	expect(recipients.map(({ json }) => json.id)).toEqual([...own, ...anyone].map(({ id }) => id));
	expect(hints).toEqual([warningHint(`${SENT}5 recipients: 5 delivered. ${warning}`)]);
});
