import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useHarness } from '../../support/harness';
import { chosen, SENDER } from '../../support/runMessaging';
import { useSandbox } from '../../support/sandbox';
import { placeholderValues as mapped } from './placeholderValues';

/*
 * The text that the user intends, the text that a dry run shows and the text that the recipient reads are the same. The
 * sandbox computes the recipient's text from the request body, independently of the node's code.
 */

const sandbox = useSandbox();
const harness = useHarness();
beforeEach(async () => await sandbox.reset());

const template = (components: object[], more: IDataObject = {}) => ({
	category: 'ALERT_UPDATE',
	components,
	language: 'en_GB',
	name: 'made',
	namespace: 'bakery',
	rejected_reason: null,
	status: 'approved',
	...more,
});
const body = (text: string) => template([{ type: 'BODY', text }]);

const to = (index: number) => `38591${7_000_100 + index * 7}`;

/** @param all parameters, and the options that concern the template */
async function run(
	{ templateFields, ...parameters }: IDataObject,
	items: IDataObject[],
	dryRun: boolean,
) {
	const { output, task, error } = await harness.run(
		'messaging',
		{
			resource: 'campaign',
			operation: 'send',
			from: chosen('phone', SENDER),
			to: '={{ $json.to }}',
			template: chosen('name', 'made'),
			...parameters,
			sendMode: dryRun ? 'dryRun' : 'send',
			options: { ...(templateFields !== undefined && { templateFields }) },
		} as INodeParameters,
		{ items, credentials: sandbox.credentials },
	);
	return {
		items: output.flatMap((each) => each ?? []).map(({ json }) => json),
		hints: (task?.hints ?? [])
			.filter(({ type }) => type === 'warning')
			.map(({ message }) => message),
		error: error?.message,
	};
}

/** Returns the texts that a dry run shows, in the order of the recipients. */
async function shown(parameters: IDataObject, items: IDataObject[]) {
	const { items: recipients, hints, error } = await run(parameters, items, true);
	return { texts: recipients.map(({ text }) => text ?? undefined), hints, error };
}

/** Sends, and returns the texts that the recipients read. */
async function received(parameters: IDataObject, items: IDataObject[]) {
	const { error } = await run(parameters, items, false);
	const accepted = await sandbox.accepted();
	return { texts: accepted.map(({ text, textMissing }) => text ?? `(${textMissing})`), error };
}

const item = { to: to(0) };
const items = [item];
const TEXT = 'Order {{2}} is ready, {{1}}.';
const READ = 'Order 12 is ready, Ana.';
const VALUES = { 1: 'Ana', 2: '12' };
const HALLO = [{ type: 'BODY', text: 'Hallo {{1}}' }];
const other = template(HALLO, { name: 'other' });
const ordered = template([{ type: 'ORDER_DETAILS', text: 'For {{item_1}}' }]);
const offer = template([
	{ type: 'HEADER', text: '{{2}} {{1}}' },
	{ type: 'LIMITED_TIME_OFFER', text: 'Until {{1}}' },
	{
		type: 'BUTTONS',
		buttons: [
			{ type: 'QUICK_REPLY', text: 'Stop' },
			{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
		],
	},
]);
const OFFERED = {
	'header 1': 'one',
	'header 2': 'two',
	'limited_time_offer 1': 'noon',
	'button_1 1': '12',
};
const OFFER_READ = 'two one\nUntil noon\n[ Track ] https://shop.example/12';
const components = [
	{ type: 'body', parameters: ['Ben', '13'].map((text) => ({ type: 'text', text })) },
];
const mine = { templateFields: JSON.stringify({ components }) };
const header = { type: 'header', parameters: [{ type: 'text', text: 'Cem' }] };
const MINE_READ = 'Order 13 is ready, Ben.';
const loginCode = template(
	[
		{ type: 'BODY', text: '{{1}} is your code.' },
		{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
	],
	{ category: 'AUTHENTICATION' },
);
const CODE_READ = '482913 is your code.';
const codeButton = {
	...{ type: 'button', sub_type: 'url', index: '0' },
	parameters: [{ type: 'text', text: '482913' }],
};
const ana = mapped({ 1: 'Ana' }, ['1']);
const item1 = { 'order_details item_1': 'Ana' };

test.each<[string, object[], IDataObject, string]>([
	// As the editor saves them, with a hidden field that names the template.
	['fields of the template', [body(TEXT)], mapped(VALUES, ['1', '2', 'template:made']), READ],
	['no saved fields', [body(TEXT)], mapped(VALUES, []), READ],
	['a component of another kind', [ordered], mapped(item1, Object.keys(item1)), 'For Ana'],
	['buttons', [offer], mapped(OFFERED, Object.keys(OFFERED)), OFFER_READ],
	['components in Template Fields', [body(TEXT)], { ...mapped(VALUES, []), ...mine }, MINE_READ],
	[
		'a header in Template Fields, beside the body in Placeholders',
		[
			template([
				{ type: 'HEADER', text: 'For {{1}}' },
				{ type: 'BODY', text: TEXT },
			]),
		],
		{ ...mapped(VALUES, []), templateFields: JSON.stringify({ components: [header] }) },
		`For Cem\n${READ}`,
	],
	[
		'another template',
		[body(TEXT), other],
		{ template: chosen('name', 'other'), ...ana },
		'Hallo Ana',
	],
	[
		'the button of a login code in Template Fields, as in examples/login-code-template.json',
		[loginCode],
		{
			...mapped({ 1: '482913' }, []),
			templateFields: JSON.stringify({ components: [codeButton] }),
		},
		CODE_READ,
	],
])(
	'%s: the text that is shown is the text that is read',
	async (_, templates, parameters, text) => {
		await sandbox.templates(templates);
		expect(await shown(parameters, items)).toEqual({ texts: [text], hints: [] });
		expect(await received(parameters, items)).toEqual({ texts: [text] });
	},
);

test('a login code without its button: the dry run says what is missing, and the provider refuses it', async () => {
	await sandbox.templates([loginCode]);
	const parameters = mapped({ 1: '482913' }, []);
	expect(await shown(parameters, items)).toEqual({
		texts: [CODE_READ],
		hints: [expect.stringContaining("'Template Fields' can add what is missing")],
	});
	expect(await received(parameters, items)).toEqual({
		texts: ['(refused: button 0 has 1 placeholders and got 0 values)'],
	});
});

describe('the dry run renders the text from the body', () => {
	test('JSON: how it is filled in is not documented, so the text keeps its placeholders, and a hint says so', async () => {
		await sandbox.templates([body(TEXT)]);
		const parameters = { templateFields: '{"values": ["Ana", "12"]}' };
		expect(await shown(parameters, items)).toEqual({
			texts: [TEXT],
			hints: [
				'Note: How the values for made are filled in is not documented, so the text is shown with its placeholders. Send one message to your own number to see it.',
			],
		});
	});

	test('several templates by an expression, in several requests: each recipient has the right text', async () => {
		await sandbox.templates([
			body('Hi {{1}}'),
			template([{ type: 'BODY', text: 'Bye {{1}}' }], { name: 'bye' }),
		]);
		const parameters = {
			resource: 'message',
			operation: 'sendTemplate',
			template: chosen('name', '={{ $json.template }}'),
			...mapped({ 1: '={{ $json.name }}' }, []),
		};
		const each = [
			{ to: to(0), template: 'made', name: 'Ana' },
			{ to: to(1), template: 'bye', name: 'Ben' },
			{ to: to(2), template: 'made', name: 'Cem' },
		];
		const texts = ['Hi Ana', 'Bye Ben', 'Hi Cem'];
		expect(await shown(parameters, each)).toEqual({ texts, hints: [] });
		const sent = await received(parameters, each);
		expect([...sent.texts].sort()).toEqual([...texts].sort());
	});
});

test('fields of another template are refused, with the advice to open the node', async () => {
	await sandbox.templates([body('{{1}} {{2}}')]);
	const parameters = mapped({ 1: 'a', 2: 'b' }, ['1', '2', 'template:other']);
	expect((await run(parameters, items, false)).error).toBe(
		`Nothing was sent. Item 1 (${to(0)}): The values in 'Placeholders' were entered for the template "other", but "made" is chosen. Open the node (if it is open, close it first), check the values, and save the workflow.`,
	);
});
