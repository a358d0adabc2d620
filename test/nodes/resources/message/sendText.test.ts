import type { IDataObject } from 'n8n-workflow';
import { failure, post, serve, success } from '../../../support/mockService';
import { useHarness } from '../../../support/harness';
import { chosen, runMessaging, SENDER } from '../../../support/runMessaging';

const harness = useHarness();
const PATH = '/api/public/conversation/text';
const TO = '385911000001';

const textMessage = (more: IDataObject = {}) => ({
	resource: 'message',
	operation: 'sendText',
	from: chosen('phone', SENDER),
	to: '={{ $json.to }}',
	message: '={{ $json.text }}',
	...more,
});

test.each([
	['spaces and line breaks', '  Hello,\n\n  Ana!  '],
	['other scripts and emoji', 'Привет, 你好, مرحبا 👩‍👩‍👧'],
	['quotes, backslashes and braces', '"a" \\ {{ b }} {"c": 1}'],
	['text that looks like a number', '0012'],
])('the text arrives as it was written: %s', async (_, text) => {
	const asked = serve(success({ id: 'm1' }));
	await runMessaging(harness, textMessage(), { items: [{ to: TO, text }] });
	expect(asked).toEqual([post(PATH, { from: SENDER, to: TO, message: text })]);
});

test('a number is sent as text', async () => {
	const asked = serve(success({ id: 'm1' }));
	await runMessaging(harness, textMessage(), { items: [{ to: TO, text: 12 }] });
	expect(asked).toEqual([post(PATH, { from: SENDER, to: TO, message: '12' })]);
});

test.each([['', '   ', '\n']])('an empty text (%j) is not sent', async (text) => {
	const asked = serve(success({ id: 'm1' }));
	const { error } = await runMessaging(harness, textMessage(), { items: [{ to: TO, text }] });
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message: `Nothing was sent, because of item 1 (${TO}): 'Message' is empty. Fill it in, or check the expression for this item.`,
	});
});

test.each([
	[['a'], 'a list'],
	[{ a: 1 }, 'an object'],
	[true, 'true'],
])('a text that is %j is refused, and the error says what it is', async (text, what) => {
	const asked = serve(success({ id: 'm1' }));
	const { error } = await runMessaging(harness, textMessage(), { items: [{ to: TO, text }] });
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message: `Nothing was sent, because of item 1 (${TO}): 'Message' must be text, but is ${what}.`,
	});
});

test.each([
	[[TO], 'a list'],
	[{ phone: TO }, 'an object'],
	[true, 'true'],
])('a recipient that is %j is refused, and the error says what it is', async (to, what) => {
	const asked = serve(success({ id: 'm1' }));
	const { error } = await runMessaging(harness, textMessage(), { items: [{ to, text: 'Hi' }] });
	expect({ asked, message: error?.message }).toEqual({
		asked: [],
		message: `Nothing was sent, because of item 1: 'To' must be text, but is ${what}.`,
	});
});

test('several messages to one recipient are sent one after the other, in the order of the items', async () => {
	const asked = serve(success({ id: 'm1' }));
	const texts = Array.from({ length: 12 }, (_, index) => `Message ${index}`);
	await runMessaging(harness, textMessage({ options: { batchSize: 10 } }), {
		items: texts.map((text, index) => ({ to: index % 2 ? TO : `+${TO}`, text })),
	});
	expect(asked.map(({ body }) => (body as IDataObject).message)).toEqual(texts);
});

test('Dry Run outputs the exact body of each message, and sends nothing', async () => {
	const asked = serve(success({ id: 'm1' }));
	const { outputs } = await runMessaging(harness, textMessage({ mode: 'dryRun' }), {
		items: [{ to: TO, text: 'Hello' }],
	});
	expect({ asked, outputs }).toEqual({
		asked: [],
		outputs: [
			[
				{
					json: {
						dryRun: true,
						to: TO,
						text: 'Hello',
						message: { from: SENDER, to: TO, message: 'Hello' },
					},
					pairedItem: { item: 0 },
				},
			],
		],
	});
});

test('text messages have no recipient list: `recipients` of another operation is ignored', async () => {
	const asked = serve(success({ id: 'm1' }));
	await runMessaging(harness, textMessage({ recipients: 'list', recipientList: '[{"to": "1"}]' }), {
		items: [{ to: TO, text: 'Hello' }],
	});
	expect(asked).toEqual([post(PATH, { from: SENDER, to: TO, message: 'Hello' })]);
});

describe('the output', () => {
	const RECORD = {
		id: 'm1',
		content: 'Hello',
		externalId: 'x1',
		conversation_id: 'c1',
		createdAt: '2026-01-01T10:00:00.000Z',
		updatedAt: '2026-01-01T10:00:00.000Z',
		later: 1,
	};
	const outputOf = async (record: IDataObject, more: IDataObject) => {
		serve(success(record));
		const { outputs } = await runMessaging(harness, textMessage(more), {
			items: [{ to: TO, text: 'Hello' }],
		});
		return JSON.stringify(outputs[0][0].json);
	};

	test('begins with the recipient, and has the main fields', async () => {
		expect(await outputOf(RECORD, {})).toBe(`{"to":"${TO}","id":"m1","externalId":"x1"}`);
	});

	test('has the whole record after the recipient, without Simplify', async () => {
		expect(await outputOf(RECORD, { simplify: false })).toBe(JSON.stringify({ to: TO, ...RECORD }));
	});

	test('has the recipient that was sent, whatever the service returns', async () => {
		expect(await outputOf({ id: 'm1', to: 'somebody else' }, { simplify: false })).toBe(
			`{"to":"${TO}","id":"m1"}`,
		);
	});

	test('has few columns before the reason when the first of two was sent', async () => {
		serve(({ body }) =>
			(body as IDataObject).message === 'no' ? failure('Blocked') : success(RECORD),
		);
		const { outputs } = await runMessaging(harness, textMessage(), {
			items: [
				{ to: TO, text: 'Hello' },
				{ to: '385911000002', text: 'no' },
			],
			onError: 'continueRegularOutput',
		});
		const rows = outputs[0].map(({ json }) => json);
		expect(rows.map(({ to }) => to)).toEqual([TO, '385911000002']);
		// The editor's table takes its columns from the rows, in the order in which they first appear.
		const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
		expect(columns).toEqual(['to', 'id', 'externalId', 'error', 'details']);
		expect(rows[1].error).toMatch(/^Not sent to 385911000002: The service refused: Blocked\./);
	});
});
