import { UserError } from 'n8n-workflow';
import { readOptions } from '../../../nodes/Messaging/sending/options';
import type { Recipient } from '../../../nodes/Messaging/sending/recipients';
import { resolveMessages } from '../../../nodes/Messaging/sending/resolveMessages';
import { RunError, type Draft } from '../../../nodes/Messaging/sending/sendOperation';

type Compose = (recipient: Recipient) => Draft;

/** Recipients as input items whose parameter `to` is this. */
const to = (...numbers: unknown[]): Recipient[] =>
	numbers.map((number, position) => ({
		position,
		item: position + 10,
		read: (parameter) => (parameter === 'to' ? number : undefined),
	}));

const plain: Compose = ({ position, read }) => ({
	from: 'sender',
	to: read('to') as string,
	identifier: `id-${position}`,
	body: { n: position },
	text: `text ${position}`,
});
const options = (given: object = {}) => readOptions(given as never);

test('a recipient becomes a message with its draft', async () => {
	const [message] = (await resolveMessages(to('+385 91 123 4567'), plain, options())).messages;
	expect(message).toEqual({
		position: 0,
		item: 10,
		from: 'sender',
		to: '385911234567',
		digits: '385911234567',
		identifier: 'id-0',
		body: { n: 0 },
		text: 'text 0',
	});
});

test('the number has the format of the options, and its sent form decides what a duplicate is', async () => {
	const { messages } = await resolveMessages(
		to('091 123 4567', '385911234567'),
		plain,
		options({ phoneFormat: 'e164', defaultCountryCode: '385' }),
	);
	expect(messages.map(({ to: phone, digits }) => [phone, digits])).toEqual([
		['+385911234567', '385911234567'],
		['+385911234567', '385911234567'],
	]);
});

test('invalid recipients are problems with all known fields, and do not stop the others', async () => {
	const compose: Compose = (recipient) => ({
		...plain(recipient),
		from: recipient.position === 2 ? '' : 'sender',
	});
	const { messages, problems } = await resolveMessages(
		to('385911234567', 'call me', '385911234568', '385911234569'),
		compose,
		options(),
	);
	expect(messages.map(({ position }) => position)).toEqual([0, 3]);
	expect(problems).toEqual([
		{
			position: 1,
			item: 11,
			recipient: 'call me',
			identifier: 'id-1',
			digits: 'call me',
			message:
				'This is not a phone number: it contains characters that do not belong in a phone number.',
		},
		{
			position: 2,
			item: 12,
			recipient: '385911234568',
			identifier: 'id-2',
			digits: '385911234568',
			message: "'From' is empty. Choose a sender, or check the expression for this item.",
		},
	]);
});

describe('a message that cannot be composed', () => {
	const refusing =
		(bad: number): Compose =>
		(recipient) => {
			if (recipient.position === bad) throw new UserError('Message is empty.');
			return plain(recipient);
		};

	test('is a problem that names its recipient', async () => {
		const { problems } = await resolveMessages(to('385911234567'), refusing(0), options());
		expect(problems).toEqual([
			{
				position: 0,
				item: 10,
				recipient: '385911234567',
				identifier: undefined,
				digits: '385911234567',
				message: 'Message is empty.',
			},
		]);
	});

	test('of a list names the recipient of its entry', async () => {
		const [recipient] = to('385911111111');
		const { problems } = await resolveMessages(
			[{ ...recipient, entry: { to: ' 385922222222 ' } }],
			refusing(0),
			options(),
		);
		expect(problems).toMatchObject([{ recipient: '385922222222' }]);
	});

	test('is a problem also when its recipient cannot be read', async () => {
		const [recipient] = to('');
		const read = () => {
			throw new RangeError('no such column');
		};
		const { problems } = await resolveMessages([{ ...recipient, read }], refusing(0), options());
		expect(problems).toMatchObject([{ recipient: '', message: 'Message is empty.' }]);
	});
});

test('an error that concerns the whole run ends it', async () => {
	const error = new RunError('The service refused the API key.');
	const compose: Compose = (recipient) => {
		if (recipient.position === 2) throw error;
		return plain(recipient);
	};
	const resolving = resolveMessages(to('385911234567', 'x', '385911234568'), compose, options());
	await expect(resolving).rejects.toBe(error);
});
