import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { TimeSlice } from '../../../nodes/Messaging/utils/concurrency';
import { Execution } from '../../support/execution';
import {
	credentials,
	failure,
	listing,
	serve,
	success,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, SENDER } from '../../support/runMessaging';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

/*
 * Between two attempts a person writes numbers another way, or changes the list. The tests check what the service
 * accepted: who got which text, and how often.
 */

jest.setTimeout(60_000);

const harness = useHarness();
const TEMPLATE = { name: 'order_update', components: [{ type: 'BODY', text: 'Order {{1}}' }] };

/** A message that the service accepted: its recipient and the text that the recipient reads. */
type Got = { person: string; text: string };

/** Returns the last 7 digits, which are different for each person in these tests and the same in every format. */
const personOf = (to: string) => to.replace(/\D/g, '').slice(-7);

/** Accepts all messages except those that `refuses` names, and answers each with its own ids. */
function service(refuses: (message: Got) => boolean) {
	const got: Got[] = [];
	const state = { refuses };
	serve((asked: ServiceRequest) => {
		const body = asked.body as IDataObject;
		if (asked.path.endsWith('/templates')) return listing([TEMPLATE]);
		if (asked.method === 'GET') return success([{ id: 'channel', phone: SENDER }]);
		const messages = (body.messages as IDataObject[] | undefined) ?? [body];
		const read = messages.map(({ to, message, template }) => ({
			person: personOf(to as string),
			text: String(message ?? (template as IDataObject).values ?? ''),
		}));
		if (read.some((each) => state.refuses(each))) return failure('Not now');
		got.push(...read);
		const id = `answer ${got.length}`;
		if (asked.path.endsWith('/text')) return success({ id });
		if (asked.path.endsWith('/campaign')) return success({ campaign_id: id });
		return success(messages.map(() => ({ status: 'success', response: id })));
	});
	return { got, state };
}

const answerOf = ({ id, campaign_id: campaign, response, details }: IDataObject) =>
	id ?? campaign ?? response ?? (details as IDataObject | undefined)?.outcome;

const OPERATIONS: Record<string, INodeParameters> = {
	sendText: { resource: 'message', operation: 'sendText', message: 'Hello' },
	sendTemplate: {
		resource: 'message',
		operation: 'sendTemplate',
		template: chosen('name', 'order_update'),
	},
	'campaign send': {
		resource: 'campaign',
		operation: 'send',
		template: chosen('name', 'order_update'),
	},
};

const parametersOf = (operation: string, more: INodeParameters): INodeParameters => {
	const { options, ...rest } = more;
	return {
		...OPERATIONS[operation],
		from: chosen('phone', SENDER),
		...rest,
		options: {
			batchSize: 1,
			...(operation === 'campaign send' && { maxRecipients: 1 }),
			...(options as object),
		},
	};
};

const run = async (parameters: INodeParameters, items: IDataObject[], node: Partial<INode> = {}) =>
	await Execution.start(harness, { parameters, items, credentials, node });

describe('a number that is written another way in the retry', () => {
	const people = ['1000001', '1000002', '1000003', '1000004'].map((end) => ({
		national: `091${end}`,
		spaced: `091/${end.slice(0, 3)} ${end.slice(3)}`,
		full: `+38591${end}`,
		digits: `38591${end}`,
		dialled: `0038591${end}`,
	}));
	const e164 = { phoneFormat: 'e164', defaultCountryCode: '385' };
	const WAYS: Record<string, INodeParameters> = {
		'national, with a country code': { to: '={{ $json.national }}', options: e164 },
		'national, with a country code, digits': {
			to: '={{ $json.spaced }}',
			options: { ...e164, phoneFormat: 'digits' },
		},
		'national, as it is': { to: '={{ $json.national }}' },
		'in full, as it is': { to: '={{ $json.full }}' },
		'in full, digits': { to: '={{ $json.digits }}', options: { phoneFormat: 'digits' } },
		'in full, E.164': { to: '={{ $json.dialled }}', options: e164 },
	};
	const names = Object.keys(WAYS);
	const cases = Object.keys(OPERATIONS).flatMap((operation) =>
		names.flatMap((first) =>
			names
				.filter((second) => second !== first)
				.map((second) => [operation, first, second] as const),
		),
	);

	test.each(cases)(
		'%s: %s, then %s: nobody gets two messages',
		async (operation, first, second) => {
			const { got, state } = service(({ person }) => person === '1000003');
			const before = await run(parametersOf(operation, WAYS[first]), people);
			expect(before.error?.message).toContain('2 of 4 messages were accepted');
			state.refuses = () => false;
			const after = await before.retry({ parameters: parametersOf(operation, WAYS[second]) });
			const persons = got.map(({ person }) => person);
			expect(persons).toEqual([...new Set(persons)]);
			// Without a country code in both attempts, nothing shows that it is the same number.
			const isAmbiguous =
				[first, second].every((way) => !/with|E.164/.test(way)) && first !== second;
			if (isAmbiguous && [first, second].includes('national, as it is')) return;
			expect(after.error).toBeUndefined();
			expect(after.items.map(({ json }) => answerOf(json))).toEqual(
				[1, 2, 3, 4].map((n) => `answer ${n}`),
			);
			expect(persons).toEqual(['1000001', '1000002', '1000003', '1000004']);
		},
	);

	test.each([
		['session', 0],
		['template', 1],
	])(
		'a question whose %s got no answer is not asked again of the number in full',
		async (_, refusals) => {
			const asked = serve(({ method, path }) => {
				if (path.endsWith('/templates')) {
					return listing([{ ...TEMPLATE, name: 'order_update' }]);
				}
				if (method === 'GET') return success([{ id: 'channel', phone: SENDER }]);
				return path.endsWith('/text') && refusals > 0
					? failure('Outside of 24 hours')
					: failure('Broken', 503);
			});
			const parameters: INodeParameters = {
				resource: 'message',
				operation: 'sendAndWait',
				from: chosen('phone', SENDER),
				to: '0911000001',
				message: 'May we ship?',
				deliverAs: 'sessionThenTemplate',
				template: chosen('name', 'order_update'),
				parameterFormat: 'components',
				templateParameters: { mappingMode: 'defineBelow', value: { '1': '[link]' } },
				options: e164,
			};
			const first = await run(parameters, [{}]);
			expect(first.error?.message).toMatch(/^May have been sent/);
			const posts = () => asked.filter(({ method }) => method === 'POST').length;
			expect(posts()).toBe(1 + refusals);
			const second = await first.retry({ parameters: { ...parameters, to: '+385911000001' } });
			expect(second.error?.message).toMatch(
				/^May have been sent to \+385911000001: .*earlier attempt/,
			);
			expect(posts()).toBe(1 + refusals);
		},
	);

	test('two numbers that differ in their country code only are two people', async () => {
		const items = [
			{ to: '0911000001', code: '385' },
			{ to: '0911000001', code: '49' },
		];
		const parameters = parametersOf('sendText', {
			to: '={{ $json.to }}',
			options: { phoneFormat: 'e164', defaultCountryCode: '={{ $json.code }}' },
		});
		const asked: string[] = [];
		let isRefusing = true;
		serve(({ body }) => {
			const { to } = body as { to: string };
			if (isRefusing && to.startsWith('+49')) return failure('Not now');
			asked.push(to);
			return success({ id: to });
		});
		const first = await run(parameters, items);
		isRefusing = false;
		// The first number is corrected, too: it is another person's now.
		const second = await first.retry({
			parameters: { ...parameters, to: '={{ $json.code === "385" ? "0911000009" : $json.to }}' },
		});
		expect(asked).toEqual(['+385911000001', '+385911000009', '+49911000001']);
		expect(second.items.map(({ json }) => json.id)).toEqual(asked.slice(1));
	});
});

describe('a number that has several messages', () => {
	const [ANA, BEN] = ['385911000001', '385911000002'];
	type Entry = { to: string; order: string; identifier?: string };
	const order = (to: string, number: string, more: object = {}): Entry => ({
		to,
		order: number,
		...more,
	});
	/** A list of a template's recipients, each with its own value. */
	const listed = (entries: Entry[], operation = 'sendTemplate', options: object = {}) =>
		parametersOf(operation, {
			recipients: 'list',
			recipientList: JSON.stringify(
				entries.map(({ order: value, ...entry }) => ({ ...entry, parameters: [value] })),
			),
			parameterFormat: 'array',
			parameterKey: 'values',
			options,
		} as INodeParameters);
	const texts = (got: Got[]) => got.map(({ text }) => text);
	const both = ['sendTemplate', 'campaign send'];

	test.each(both)(
		'%s: if one is removed before the retry, the other one is sent',
		async (operation) => {
			const { got, state } = service(({ text }) => text === 'second');
			const list = [order(ANA, 'first'), order(ANA, 'second')];
			const before = await run(listed(list, operation), [{}]);
			state.refuses = () => false;
			const after = await before.retry({ parameters: listed(list.slice(1), operation) });
			expect(texts(got)).toEqual(['first', 'second']);
			expect(after.items.map(({ json }) => answerOf(json))).toEqual(['answer 2']);
		},
	);

	test.each(both)('%s: if they are swapped in the retry, each is sent once', async (operation) => {
		const { got, state } = service(({ text }) => text === 'second');
		const list = [order(ANA, 'first'), order(ANA, 'second')];
		const before = await run(listed(list, operation), [{}]);
		state.refuses = () => false;
		const after = await before.retry({ parameters: listed(list.reverse(), operation) });
		expect(texts(got)).toEqual(['first', 'second']);
		expect(after.items.map(({ json }) => answerOf(json))).toEqual(['answer 2', 'answer 1']);
	});

	test('they are distinguished by their identifiers, even if the texts change', async () => {
		const { got, state } = service(({ text }) => text === 'b');
		const list = [order(ANA, 'a', { identifier: 'o-1' }), order(ANA, 'b', { identifier: 'o-2' })];
		const before = await run(listed(list, 'campaign send'), [{}]);
		state.refuses = () => false;
		const corrected = [
			order(ANA, 'b, corrected', { identifier: 'o-2' }),
			order(ANA, 'a, corrected', { identifier: 'o-1' }),
		];
		const after = await before.retry({ parameters: listed(corrected, 'campaign send') });
		expect(texts(got)).toEqual(['a', 'b, corrected']);
		expect(after.items.map(({ json }) => answerOf(json))).toEqual(['answer 2', 'answer 1']);
	});

	test('the same text with two identifiers is two messages', async () => {
		const { got, state } = service(() => got.length > 0);
		const list = [
			order(ANA, 'same', { identifier: 'o-1' }),
			order(ANA, 'same', { identifier: 'o-2' }),
		];
		const before = await run(listed(list, 'campaign send'), [{}]);
		state.refuses = () => false;
		const after = await before.retry({ parameters: listed(list.slice(1), 'campaign send') });
		expect(got).toHaveLength(2);
		expect(after.items.map(({ json }) => answerOf(json))).toEqual(['answer 2']);
	});

	test.each(Object.keys(OPERATIONS))(
		'%s: if only the retry has the country code, the first message is not sent again',
		async (operation) => {
			const { got, state } = service(({ text }) => text === 'b');
			const texted = { to: '={{ $json.to }}', message: '={{ $json.text }}' };
			const parameters = (to: string) =>
				operation === 'sendText'
					? parametersOf(operation, { ...texted, to })
					: listed([order(to, 'a'), order(to, 'b')], operation);
			const items = ['a', 'b'].map((text) => ({ text }));
			const before = await run(parameters('0911000001'), operation === 'sendText' ? items : [{}]);
			state.refuses = () => false;
			const after = await before.retry({ parameters: parameters('385911000001') });
			expect(texts(got)).toEqual(['a']);
			expect(after.error?.message).toContain('a number with the same last digits');
		},
	);

	test('another identifier in a corrected list is another message', async () => {
		const { got, state } = service(({ person }) => person === personOf(BEN));
		const list = (first: string) => [
			order(ANA, first, { identifier: first }),
			order(BEN, 'order-2', { identifier: 'order-2' }),
		];
		const before = await run(listed(list('order-1'), 'campaign send', { maxRecipients: 1 }), [{}]);
		state.refuses = () => false;
		const parameters = listed(list('order-7'), 'campaign send', { maxRecipients: 1 });
		const after = await before.retry({ parameters });
		expect(texts(got)).toEqual(['order-1', 'order-2']);
		expect(after.error?.message).toContain(
			`May have been sent to ${ANA}: An earlier attempt sent a message with another identifier to this number.`,
		);
		// Another attempt with the corrected list changes nothing.
		const again = await after.retry({ parameters });
		expect(texts(got)).toEqual(['order-1', 'order-2']);
		expect(again.error?.message).toContain('with another identifier');
	});

	test('an identifier that an expression generates in each attempt is the same message', async () => {
		const { got, state } = service(({ person }) => person === personOf(BEN));
		const parameters = parametersOf('campaign send', {
			to: '={{ $json.to }}',
			identifier: '={{ Math.random() }}',
		});
		const before = await run(parameters, [{ to: ANA }, { to: BEN }]);
		state.refuses = () => false;
		const after = await before.retry();
		expect(after.error).toBeUndefined();
		expect(got.map(({ person }) => person)).toEqual([personOf(ANA), personOf(BEN)]);
	});

	test('they are distinguished in a recipient list too, and a long list yields to the event loop', async () => {
		const slice = jest.spyOn(TimeSlice.prototype, 'isOver', 'get').mockReturnValue(true);
		const { got, state } = service(({ text }) => text === 'b');
		const list = ['a', 'b', 'c'].map((text, index) =>
			order(ANA, text, { identifier: `o-${index}` }),
		);
		const asList = (options: object) => {
			const { recipientList, ...rest } = listed(list, 'campaign send', options);
			return { ...rest, recipientList: JSON.parse(String(recipientList)) as INodeParameters[] };
		};
		const options = { maxRecipients: 1, dryRun: '={{ $json.test }}' };
		const parameters = asList(options) as INodeParameters;
		const before = await run(parameters, [{ test: false }, { test: '' }]);
		state.refuses = () => false;
		const after = await before.retry();
		expect(slice).toHaveBeenCalled();
		slice.mockRestore();
		expect(after.error).toBeUndefined();
		expect(texts(got)).toEqual(['a', 'b', 'c']);
	});

	test('when nothing matches, the message may have been sent: it is not sent again, and its item says so', async () => {
		const { got, state } = service(({ text }) => text === 'second');
		const before = await run(listed([order(ANA, 'first'), order(ANA, 'second')]), [{}]);
		state.refuses = () => false;
		const changed = [order(ANA, 'neither'), order(BEN, 'third')];
		const node = { onError: 'continueRegularOutput' } as const;
		const after = await before.retry({ parameters: listed(changed), node });
		expect(texts(got)).toEqual(['first', 'third']);
		expect(after.items.map(({ json }) => answerOf(json))).toEqual(['unknown', 'answer 2']);
		expect(after.items[0].json.error).toBe(
			`May have been sent to ${ANA}: There are several messages to this number. An earlier attempt sent one or more of them, and nothing shows whether this one was sent: no earlier one has its identifier or its text. So it is not sent again (turn on 'Resend Unknown' to send it). Check the service's logs before sending it again.`,
		);
		// Resend Unknown sends it.
		const resent = await before.retry({
			parameters: listed(changed, 'sendTemplate', { resendUnknown: true }),
		});
		expect(resent.error).toBeUndefined();
		expect(texts(got)).toContain('neither');
	});

	test('an additional message to the number is sent', async () => {
		const { got, state } = service(({ person }) => person === personOf(BEN));
		const before = await run(listed([order(ANA, 'first'), order(BEN, 'third')]), [{}]);
		state.refuses = () => false;
		const more = [order(ANA, 'second'), order(ANA, 'first'), order(BEN, 'third')];
		await before.retry({ parameters: listed(more) });
		expect(texts(got).sort()).toEqual(['first', 'second', 'third']);
	});

	test.each(['retryOnFail', 'Retry'])(
		'with the time of day in their texts, each is sent once (%s)',
		async (way) => {
			let posts = 0;
			const { got } = service(() => ++posts === 2);
			const parameters = parametersOf('sendText', {
				to: '={{ $json.to }}',
				message: '={{ $json.order }} at {{ Math.random() }}',
			});
			const items = ['a', 'b', 'c'].map((each) => ({ to: ANA, order: each }));
			const node = way === 'Retry' ? {} : { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
			const before = await run(parameters, items, node);
			const after = way === 'Retry' ? await before.retry() : before;
			expect(after.error).toBeUndefined();
			expect(texts(got).map((text) => text[0])).toEqual(['a', 'b', 'c']);
		},
	);

	test('with numbers written another way and one message removed, each is sent once', async () => {
		const { got, state } = service(({ text }) => text === 'second');
		const code = { phoneFormat: 'e164', defaultCountryCode: '385' };
		const national = (text: string) => order('0911000001', text);
		const before = await run(
			listed([national('first'), national('second')], 'sendTemplate', code),
			[{}],
		);
		state.refuses = () => false;
		const after = await before.retry({
			parameters: listed([order(ANA, 'second'), order(ANA, 'third')]),
		});
		expect(texts(got).filter((text) => text === 'first')).toHaveLength(1);
		expect(texts(got).filter((text) => text === 'second')).toHaveLength(1);
		// The third is in doubt: it may be the first one, which is missing, with another text.
		expect(after.error?.message).toContain('1 may have been sent');
	});

	test('many messages to one number are distinguished', async () => {
		const { got, state } = service(({ text }) => text === '50');
		const list = Array.from({ length: 100 }, (_, index) => order(ANA, String(index)));
		const before = await run(listed(list), [{}]);
		expect(got).toHaveLength(50);
		state.refuses = () => false;
		const after = await before.retry({ parameters: listed(list.reverse()) });
		expect(after.error).toBeUndefined();
		expect(new Set(texts(got)).size).toBe(100);
		expect(got).toHaveLength(100);
	});
});
