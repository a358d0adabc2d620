import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { Execution } from '../execution';
import { useHarness } from '../../support/harness';
import { useEmptySandbox } from '../../support/sandbox';
import { phones, sendParameters, type SendName } from './sendOperations';

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
	`Nothing was sent. '${label}' is the same for all items, so it cannot be an expression. Choose a value, or separate the items before this node, for example with an 'If' node.`;

describe('a setting of the run', () => {
	// Since these fields are marked `noDataExpression`, n8n cuts off the sign at the beginning of most expressions, and takes
	// the rest for text: without a refusal *Max Recipients* would silently be "no limit".
	test.each([
		['sendText', 'Mode', { sendMode: '={{ $json.y ? "dryRun" : "send" }}' }],
		['sendText', 'My Number', { sendMode: 'test', testRecipient: '={{ $json.y ?? 1 }}' }],
		['sendText', 'My Number', { sendMode: 'test', testRecipient: '{{ $json.y }}' }],
		['sendText', 'On Duplicate Recipient', { onDuplicateRecipient: '={{ $json.y }}' }],
		['sendText', 'Send Unusual Texts', { sendUnusual: '={{ $json.y }}' }],
		['campaign send', 'Output', { output: '={{ $json.y }}' }],
		['campaign send', 'Max Recipients per Request', { maxRecipients: '={{ $json.y }}' }],
		// n8n keeps this one an expression all the same: an agent would choose the mode.
		['sendText', 'Mode', { sendMode: "={{ $fromAI('mode') }}" }],
	] as const)(
		'%s: an expression in %s is refused, also with one item: %j',
		async (send, label, options) => {
			const { error } = await run(sendParameters(send, options), { input: items.slice(0, 1) });
			expect(error?.message).toBe(REFUSED(label));
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
			items.map(({ phone }) => ({ outcome: 'notSent', recipient: phone })),
		);
	});
});

test.each<[unknown, string]>([
	...['', ' ', null, undefined].map((code): [unknown, string] => [
		code,
		"'Default Country Code' is empty. Fill it in, or check the expression for this item.",
	]),
	[true, "'Default Country Code' must be text, but is true."],
	[['44'], "'Default Country Code' must be text, but is a list. Choose one of its entries."],
	[
		{ code: '44' },
		"'Default Country Code' must be text, but is an object. Choose one of its fields.",
	],
	[
		'GB',
		`"GB" is not a country calling code. Enter digits in 'Default Country Code', for example 385.`,
	],
])('the country code %j of an item is refused', async (code, sentence) => {
	const parameters = sendParameters('sendText', { defaultCountryCode: '={{ $json.code }}' });
	const input = [{ ...items[0], code } as IDataObject];
	const { error } = await run(parameters, { input });
	expect(error?.message).toBe(`Nothing was sent. Item 1 (${String(items[0].phone)}): ${sentence}`);
});

test('a number with a plus needs no country code', async () => {
	const parameters = sendParameters('sendText', { defaultCountryCode: '={{ $json.code }}' });
	const { error } = await run(parameters, { input: [{ ...items[0], phone: '+12025550111' }] });
	expect(error).toBeUndefined();
	expect(await accepted()).toBe(1);
});

describe('evaluations', () => {
	const COUNT = 20;
	const TEMPLATE = { templateFields: '={{ ({ n: $itemIndex }) }}' };
	const TO = '={{ $json.phone + "" }}';

	test.each<[SendName, INodeParameters, INodeParameters]>([
		['sendText', { to: TO, message: '={{ $json.text.trim() }}' }, {}],
		['sendTemplate', { to: TO }, TEMPLATE],
		['campaign send', { to: TO }, { ...TEMPLATE, identifier: '={{ $json.text + Math.random() }}' }],
	])('%s: each expression once for each item', async (send, parameters, options) => {
		const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		const input = phones(COUNT).map((phone, index) => ({ phone, text: `Hello ${index}` }));
		const all = { ...sendParameters(send, options), ...parameters };
		const { error } = await run(all, { input });
		const asked = resolve.mock.calls.map(([value]) => value);
		resolve.mockRestore();
		expect(error).toBeUndefined();
		const countOf = (text: unknown) => asked.filter((each) => each === text).length;
		for (const text of Object.values({ ...parameters, ...options }))
			expect(countOf(text)).toBe(COUNT);
	});
});
