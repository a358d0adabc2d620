import type { IDataObject } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, SENDS } from '../../support/sendOperations';

/* A recipient list is read once for the whole run: with several input items it must not depend on the item. */

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

beforeEach(async () => {
	await sandbox.reset();
});

const items = phones(3).map((phone) => ({ phone, people: [{ to: phone }], other: phone }));

const run = async (parameters: object, { input = items as IDataObject[], node = {} } = {}) =>
	await Execution.start(harness, {
		parameters: { ...SENDS['campaign send'].parameters, recipients: 'list', ...parameters },
		items: input,
		credentials: sandbox.credentials,
		node,
	});

const accepted = async () => (await sandbox.counts()).accepted.messages;

const refusal = (label: string) =>
	`'${label}' is an expression that may read the input item, but a recipient list is read once, and 3 items came in. Turn on 'Execute Once' in the node's settings; the list may still use $input.all(). Or set 'Recipients' to 'Input Items'.`;

const ALL = "={{ $('Start').all().map(({ json }) => ({ to: json.phone })) }}";

test.each([
	'={{ $json.people }}',
	'={{ [{ to: $json.phone }] }}',
	'=[{ "to": "{{ $json.phone }}" }]',
	"={{ $('Start').item.json.people }}",
	'={{ $input.all().map((item) => ({ to: item.json.phone })) }}',
])('a list that may read the item is refused: %s', async (recipientList) => {
	const { error } = await run({ recipientList });
	expect(error?.message).toBe(refusal('Recipient List'));
	expect(await accepted()).toBe(0);
});

test.each([
	['From', { from: '={{ $json.other }}' }],
	['From', { from: { __rl: true, mode: 'phone', value: '={{ $json.other }}' } }],
	['Template', { template: '={{ $json.other }}' }],
	['Options', { options: { templateFields: '={{ { name: $json.other } }}' } }],
	['Options', { options: { phoneFormat: 'digits', defaultCountryCode: '={{ $json.other }}' } }],
])('%s is read with the list, so it must not read the item either', async (label, more) => {
	const { error } = await run({ recipientList: ALL, ...more });
	expect(error?.message).toBe(refusal(label));
	expect(await accepted()).toBe(0);
});

test('with Continue On Fail each item has the error', async () => {
	const node = { onError: 'continueRegularOutput' };
	const { items: output } = await run({ recipientList: '={{ $json.people }}' }, { node });
	expect(output.map(({ json }) => json.error)).toEqual(items.map(() => refusal('Recipient List')));
	expect(await accepted()).toBe(0);
});

test('a list that does not read the item is sent to once, however many items come in', async () => {
	const { error, items: output } = await run({ recipientList: ALL });
	expect({ error, recipients: output.length }).toEqual({ error: undefined, recipients: 3 });
	expect(await accepted()).toBe(3);
});

test('with one input item a list may read it', async () => {
	const input = [{ people: phones(2).map((to) => ({ to })) }];
	const { error } = await run({ recipientList: '={{ $json.people }}' }, { input });
	expect(error).toBeUndefined();
	expect(await accepted()).toBe(2);
});

test("with 'Execute Once', as the refusal advises, the list has all items", async () => {
	const recipientList = '={{ $input.all().map((item) => ({ to: item.json.phone })) }}';
	const { error } = await run({ recipientList }, { node: { executeOnce: true } });
	expect(error).toBeUndefined();
	expect(await accepted()).toBe(3);
});
