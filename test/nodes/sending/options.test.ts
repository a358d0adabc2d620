import { Expression, type IDataObject } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters, SENDS, type SendName } from '../../support/sendOperations';

/* Options apply to the whole run, so no item may decide for the others who gets a message or what is output. */

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

beforeEach(async () => {
	await sandbox.reset();
});

const run = async (send: SendName, options: IDataObject, items: IDataObject[], node: object = {}) =>
	await Execution.start(harness, {
		parameters: sendParameters(send, options),
		items: phones(items.length).map((phone, index) => ({ phone, ...items[index] })),
		credentials: sandbox.credentials,
		node,
	});

const accepted = async () => (await sandbox.counts()).accepted.messages;

const mixed = [{ test: true }, { test: true }, { test: false }];
const DRY_IF_TEST = '={{ $json.test ? "dryRun" : "send" }}';

test.each([
	['sendText', 'mode', 'Mode', DRY_IF_TEST, '"dryRun" for item 1 and "send"'],
	['sendTemplate', 'mode', 'Mode', DRY_IF_TEST, '"dryRun" for item 1 and "send"'],
	['campaign send', 'mode', 'Mode', DRY_IF_TEST, '"dryRun" for item 1 and "send"'],
	[
		'campaign send',
		'resendUnknown',
		'Resend Unknown',
		'={{ $json.test }}',
		'"true" for item 1 and false or nothing',
	],
] as const)(
	'%s: %s with another value for some items is refused before anything is sent',
	async (send, option, shown, expression, values) => {
		const { error } = await run(send, { [option]: expression }, mixed);
		expect(error?.message).toBe(
			`'${shown}' is one setting for all items, but its expression gives ${values} for item 3. Use a value that is the same for all items, or separate them before this node, for example with an 'If' node.`,
		);
		expect(await accepted()).toBe(0);
	},
);

test.each(['!$json.test', '$itemIndex > 0', "$('Start').item.json.test", '$input.item.json.test'])(
	'%s, which depends on the item, is refused',
	async (condition) => {
		const mode = `={{ (${condition}) ? "dryRun" : "send" }}`;
		const { error } = await run('sendText', { mode }, mixed);
		expect(error?.message).toContain("'Mode' is one setting for all items");
		expect(await accepted()).toBe(0);
	},
);

test.each([
	['onDuplicateRecipient', 'sendText', [{ value: 'send' }, { value: 'skip' }]],
	['output', 'campaign send', [{ value: 'campaign' }, { value: 'recipients' }]],
	['maxRecipients', 'campaign send', [{ value: 0 }, { value: 1 }]],
	['messagesPerRequest', 'sendTemplate', [{ value: 1 }, { value: 5 }]],
] as const)('%s with another value for some items is refused', async (option, send, items) => {
	const { error } = await run(send, { [option]: '={{ $json.value }}' }, [...items]);
	expect(error?.message).toContain('is one setting for all items');
	expect(await accepted()).toBe(0);
});

test('with Continue On Fail each item has the error', async () => {
	const { items } = await run('sendText', { mode: DRY_IF_TEST }, mixed, {
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json }) => json.details)).toEqual(mixed.map(() => ({ outcome: 'notSent' })));
	expect(await accepted()).toBe(0);
});

test.each([
	[[{ test: false }, { test: 'false' }, {}, { test: null }], 4],
	[[{ test: true }, { test: 'true' }], 2],
])('values with the same meaning are accepted: %j', async (items, sent) => {
	const { error } = await run('sendText', { resendUnknown: '={{ $json.test }}' }, items);
	expect(error).toBeUndefined();
	expect(await accepted()).toBe(sent);
});

test.each(Object.keys(SENDS) as SendName[])(
	'%s: an option that cannot differ between items is not evaluated for each',
	async (send) => {
		const mode = "={{ $('Start').first().json.test === 'yes' ? 'dryRun' : 'send' }}";
		const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		const items = Array.from({ length: 20 }, () => ({ test: 'no' }));
		const { error } = await run(send, { mode }, items);
		const evaluated = resolve.mock.calls.filter(([value]) => value === mode).length;
		resolve.mockRestore();
		expect(error).toBeUndefined();
		expect(evaluated).toBeLessThan(5);
	},
);
