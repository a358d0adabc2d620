import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { Execution } from '../execution';
import { useHarness } from '../../support/harness';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, sendParameters, SENDS, type SendName } from './sendOperations';

/*
 * What is read once for the whole run must not read the item: no item may decide for the others who gets a message, or what is
 * output. Everything else is evaluated once for each item: an evaluation costs more than a request, and two could give two
 * values for one message.
 */

const sandbox = useEmptySandbox();
const harness = useHarness();

const items: IDataObject[] = phones(3).map((phone) => ({ phone, people: [{ to: phone }], x: 'x' }));

type Given = { input?: IDataObject[]; node?: object };

const run = async (parameters: INodeParameters, { input = items, node = {} }: Given = {}) =>
	await Execution.start(harness, {
		parameters,
		items: input,
		credentials: sandbox.credentials,
		node,
	});

const accepted = async () => (await sandbox.counts()).accepted.messages;

const REFUSED = (label: string) =>
	`'${label}' is an expression that may read the input item, but it is read once, and 3 items came in.`;

const EXECUTE_ONCE =
	" Turn on 'Execute Once' in the node's settings; the list may still use $input.all(). Or set 'Recipients' to 'Input Items'.";

describe('an option of the run', () => {
	test.each([
		['sendText', 'Mode', { sendMode: '={{ $json.y ? "dryRun" : "send" }}' }],
		['sendText', 'My Number', { sendMode: 'test', testRecipient: '={{ $json.y ?? 1 }}' }],
		['campaign send', 'Resend Unknown', { resendUnknown: '={{ $json.y }}' }],
		['sendText', 'On Duplicate Recipient', { onDuplicateRecipient: '={{ $json.y }}' }],
		['campaign send', 'Output', { output: '={{ $json.y }}' }],
		['campaign send', 'Max Recipients per Request', { maxRecipients: '={{ $json.y }}' }],
		['sendTemplate', 'Messages per Request', { messagesPerRequest: '={{ $json.y }}' }],
	] as const)('%s: %s that reads the item is refused', async (send, label, options) => {
		const { error } = await run(sendParameters(send, options));
		expect(error?.message).toBe(
			`${REFUSED(label)} Use one value for all items, for example {{ $('Name of a node').first().json.mode }}, or separate them before this node, for example with an 'If' node.`,
		);
		expect(await accepted()).toBe(0);
	});

	test.each(['$itemIndex > 0', "$('Start').item.json.x === 1", '$input.item.json.x'])(
		'%s reads the item',
		async (condition) => {
			const mode = `={{ (${condition}) ? "dryRun" : "send" }}`;
			const { error } = await run(sendParameters('sendText', { sendMode: mode }));
			expect(error?.message).toContain(REFUSED('Mode'));
			expect(await accepted()).toBe(0);
		},
	);

	test('with Continue On Fail each item has the error', async () => {
		const node = { onError: 'continueRegularOutput' };
		const { items: output } = await run(
			sendParameters('sendText', { sendMode: '={{ $json.y }}' }),
			{
				node,
			},
		);
		expect(output.map(({ json }) => json.details)).toEqual(
			items.map(() => ({ outcome: 'notSent' })),
		);
	});

	test('may read the only item', async () => {
		const input = [{ ...items[0], again: 'true' }];
		const { error } = await run(
			sendParameters('sendText', { resendUnknown: '={{ $json.again }}' }),
			{
				input,
			},
		);
		expect([error, await accepted()]).toEqual([undefined, 1]);
	});
});

describe('a recipient list', () => {
	const list = (recipientList: string, more: INodeParameters = {}): INodeParameters => ({
		...SENDS['campaign send'].parameters,
		recipients: 'list',
		recipientList,
		...more,
	});
	const ALL = "={{ $('Start').all().map(({ json }) => ({ to: json.phone })) }}";
	const OF_INPUT = '={{ $input.all().map((item) => ({ to: item.json.phone })) }}';

	test.each([
		'={{ $json.people }}',
		'=[{ "to": "{{ $json.phone }}" }]',
		"={{ $('Start').item.json.people }}",
		OF_INPUT,
	])('that may read the item is refused: %s', async (recipientList) => {
		const { error } = await run(list(recipientList));
		expect(error?.message).toBe(REFUSED('Recipient List') + EXECUTE_ONCE);
		expect(await accepted()).toBe(0);
	});

	test.each<[string, INodeParameters]>([
		['From', { from: '={{ $json.x }}' }],
		['From', { from: { __rl: true, mode: 'phone', value: '={{ $json.x }}' } }],
		['Template', { template: '={{ $json.x }}' }],
		['Options', { options: { phoneFormat: 'digits', defaultCountryCode: '={{ $json.x }}' } }],
	])('is read with %s, which must not read the item either', async (label, more) => {
		const { error } = await run(list(ALL, more));
		expect(error?.message).toBe(REFUSED(label) + EXECUTE_ONCE);
		expect(await accepted()).toBe(0);
	});

	test('that does not read the item is sent to once, however many items come in', async () => {
		const { error, items: output } = await run(list(ALL));
		expect([error, output.length, await accepted()]).toEqual([undefined, 3, 3]);
	});

	test('may read the only item', async () => {
		const input = [{ people: phones(2).map((to) => ({ to })) }];
		const { error } = await run(list('={{ $json.people }}'), { input });
		expect([error, await accepted()]).toEqual([undefined, 2]);
	});

	test("has all items with 'Execute Once', as the refusal advises", async () => {
		const { error } = await run(list(OF_INPUT), { node: { executeOnce: true } });
		expect([error, await accepted()]).toEqual([undefined, 3]);
	});
});

describe('evaluations', () => {
	const COUNT = 20;
	const TEMPLATE = { parameterFormat: 'json', templateFields: '={{ ({ n: $itemIndex }) }}' };
	const MODE = "={{ $('Start').first().json.text === 'yes' ? 'dryRun' : 'send' }}";
	const TO = '={{ $json.phone + "" }}';

	test.each<[SendName, INodeParameters, INodeParameters]>([
		['sendText', { to: TO, message: '={{ $json.text.trim() }}' }, {}],
		['sendTemplate', { to: TO }, TEMPLATE],
		['campaign send', { to: TO }, { ...TEMPLATE, identifier: '={{ $json.text + Math.random() }}' }],
	])('%s: each expression once for each item, and Mode once', async (send, parameters, options) => {
		const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		const input = phones(COUNT).map((phone, index) => ({ phone, text: `Hello ${index}` }));
		const all = { ...sendParameters(send, options), ...parameters, sendMode: MODE };
		const { error } = await run(all, { input });
		const asked = resolve.mock.calls.map(([value]) => value);
		resolve.mockRestore();
		expect(error).toBeUndefined();
		const countOf = (text: unknown) => asked.filter((each) => each === text).length;
		for (const text of Object.values(parameters)) expect(countOf(text)).toBe(COUNT);
		// The collection of options is also read once as a whole.
		for (const text of Object.values(options).slice(parameters.message ? 0 : 1)) {
			expect(countOf(text)).toBe(COUNT + 1);
		}
		expect(countOf(MODE)).toBe(1);
	});
});
