import fc from 'fast-check';
import { UserError } from 'n8n-workflow';
import { check } from '../../../nodes/Messaging/sending/check';
import type { Earlier } from '../../../nodes/Messaging/sending/journal';
import { groupMessages } from '../../../nodes/Messaging/sending/requests';
import { composeAll } from '../../../nodes/Messaging/sending/prepare';
import type { Recipient } from '../../../nodes/Messaging/sending/recipients';
import type { Result } from '../../../nodes/Messaging/sending/results';
import { RunError, type Draft, type Message } from '../../../nodes/Messaging/sending/sendOperation';
import { message } from '../../support/messages';

/* What happens before the first request: each message is composed and checked, then all of them together, then grouped. */

declare const seed: number;

type Compose = (recipient: Recipient) => Draft;

type Options = { phoneFormat?: string; defaultCountryCode?: string };

/** Recipients as input items whose parameter `to` is this. */
const to = (numbers: unknown[], options: Options = {}): Recipient[] =>
	numbers.map((number, position) => ({
		position,
		item: position + 10,
		read: (parameter) =>
			parameter === 'to' ? number : options[parameter.replace('options.', '') as keyof Options],
	}));

const plain: Compose = ({ position }) => ({
	from: 'sender',
	identifier: `id-${position}`,
	body: { n: position },
	text: `text ${position}`,
});
const refusing =
	(bad: number): Compose =>
	(recipient) => {
		if (recipient.position === bad) throw new UserError('Message is empty.');
		return plain(recipient);
	};

describe('a recipient', () => {
	test('becomes a message with its draft', async () => {
		expect(await composeAll(to(['+385 91 123 4567']), plain)).toEqual([
			{
				position: 0,
				item: 10,
				from: 'sender',
				to: '385911234567',
				digits: '385911234567',
				identifier: 'id-0',
				body: { n: 0 },
				text: 'text 0',
			},
		]);
	});

	test('has a number in the format of the options, whose sent form decides what a duplicate is', async () => {
		const messages = await composeAll(
			to(['091 123 4567', '385911234567'], { phoneFormat: 'e164', defaultCountryCode: '385' }),
			plain,
		);
		expect(messages.map(({ to: phone, digits }) => [phone, digits])).toEqual([
			['+385911234567', '385911234567'],
			['+385911234567', '385911234567'],
		]);
	});

	test('that is invalid does not stop the others', async () => {
		const compose: Compose = (recipient) => ({
			...refusing(4)(recipient),
			from: recipient.position === 2 ? '' : 'sender',
		});
		const numbers = ['385911234567', 'call me', '385911234568', { a: 1 }, '+385 911234569'];
		const messages = await composeAll(to(numbers), compose);
		expect(messages.map(({ to: phone, digits, problem }) => [phone, digits, problem])).toEqual([
			['385911234567', '385911234567', undefined],
			[
				'call me',
				'call me',
				'This is not a phone number: it contains characters that do not belong in a phone number.',
			],
			[
				'385911234568',
				'385911234568',
				"'From' is empty. Fill it in, or check the expression for this item.",
			],
			['', '', "'To' must be text, but is an object."],
			['385911234569', '385911234569', 'Message is empty.'],
		]);
	});

	test('of a list has the number of its entry', async () => {
		const [recipient] = to(['385911111111']);
		const entry = { to: ' 385922222222 ' };
		const messages = await composeAll([{ ...recipient, entry }], refusing(0));
		expect(messages).toMatchObject([{ to: '385922222222', problem: 'Message is empty.' }]);
	});

	test('with an error that concerns the whole run ends it', async () => {
		const error = new RunError('The service refused the API key.');
		const compose: Compose = (recipient) => {
			if (recipient.position === 2) throw error;
			return plain(recipient);
		};
		const all = composeAll(to(['385911234567', 'x', '385911234568']), compose);
		await expect(all).rejects.toBe(error);
	});
});

describe('messages together', () => {
	type Option = 'send' | 'skip' | 'error';

	/** Checks messages, and returns the positions of those to send, refused and skipped, and the reasons. */
	async function checked(messages: Message[], onDuplicateRecipient: Option, sent: number[] = []) {
		const run = {
			messages,
			options: { onDuplicateRecipient },
			earlier: new Map(sent.map((position) => [position, {} as Earlier])),
			results: new Array<Result>(messages.length),
			toSend: [] as Message[],
			continueOnFail: true,
			place: (position: number) => `item ${position + 1}`,
		};
		await check(run as unknown as Parameters<typeof check>[0]);
		const of = (fate: string) =>
			messages.map(({ position }) => position).filter((at) => run.results[at]?.fate === fate);
		const reasons = run.results.flatMap((result) =>
			result.fate === 'failed'
				? result.why.message
				: result.fate === 'skipped'
					? result.json.reason
					: [],
		);
		const toSend = run.toSend.map(({ position }) => position);
		return { toSend, failed: of('failed'), skipped: of('skipped'), reasons: new Set(reasons) };
	}

	test('a duplicate identifier is refused, and names the first message with it', async () => {
		const identifiers = ['a', 'b', 'a', undefined, undefined, 'a', '', '', '__proto__'];
		const messages = identifiers.map((identifier, position) => message(position, { identifier }));
		expect(await checked(messages, 'send')).toEqual({
			toSend: [0, 1, 3, 4, 6, 7, 8],
			failed: [2, 5],
			skipped: [],
			reasons: new Set([
				'The identifier "a" is already used by item 1. Each message needs its own.',
			]),
		});
	});

	const twins = () =>
		['+385911', '385 911', '385912', '(385)911'].map((phone, position) =>
			message(position, { to: phone, identifier: `i${position}` }),
		);
	const REASON = new Set(['The same recipient is also in item 1.']);

	test.each([
		['send', { toSend: [0, 1, 2, 3], failed: [], skipped: [], reasons: new Set() }],
		['skip', { toSend: [0, 2], failed: [], skipped: [1, 3], reasons: REASON }],
		['error', { toSend: [0, 2], failed: [1, 3], skipped: [], reasons: REASON }],
	] as const)('duplicate recipients: %s', async (option, expected) => {
		expect(await checked(twins(), option)).toEqual(expected);
	});

	test('what an earlier attempt sent makes the others duplicates, also those before it', async () => {
		const reasons = new Set(['The same recipient is also in item 4.']);
		expect(await checked(twins(), 'skip', [3])).toEqual({
			toSend: [2],
			failed: [],
			skipped: [0, 1],
			reasons,
		});
	});

	test('a message with a duplicate identifier does not make the next one to its recipient a duplicate', async () => {
		const twice = [
			message(0, { to: '385911', identifier: 'a' }),
			message(1, { to: '385912', identifier: 'a' }),
			message(2, { to: '385912', identifier: 'b' }),
		];
		expect(await checked(twice, 'error')).toMatchObject({ toSend: [0, 2], failed: [1] });
	});
});

describe('requests', () => {
	const senders = (text: string) => [...text].map((from, position) => message(position, { from }));

	test('with any senders: each message is in one request of its sender, in order, in as few requests as possible', () => {
		const given = fc.tuple(
			fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
			fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(Infinity)),
		);
		fc.assert(
			fc.property(given, ([from, most]) => {
				const messages = senders(from.join(''));
				const groups = groupMessages(messages, most);
				for (const sender of new Set(from)) {
					const all = messages.filter((each) => each.from === sender);
					const own = groups.filter((group) => group.from === sender);
					expect(own.flatMap((group) => group.messages)).toEqual(all);
					expect(own).toHaveLength(Math.max(1, Math.ceil(all.length / most)));
				}
				const firsts = groups.map((group) => group.messages[0].position);
				expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
				expect(groups.filter((group) => group.messages.length > most)).toEqual([]);
			}),
			{ seed },
		);
	});
});
