import {
	failure,
	KEY,
	leaksIn,
	plainTemplates,
	serve,
	sorted,
	success,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { IDS, itemsOf, OPERATIONS, simplifying, type OperationCase } from './operations';
import { paired, runMessaging } from '../../support/runMessaging';

const harness = useHarness();
const REFUSED = IDS[1];

/** Refuses the request with the second id, or all requests when they are the same. */
const refusing = ({ answer, sameRequest }: OperationCase) =>
	serve((asked) =>
		sameRequest || JSON.stringify(asked).includes(REFUSED)
			? failure('No credit left')
			: answer(asked),
	);

/** The ids that fail when the request with the second id is refused. */
const failingIds = ({ sameRequest, together }: OperationCase) =>
	sameRequest || together ? IDS : [REFUSED];

const REASON = 'The service refused: No credit left.';

const sentence = ({ sends }: OperationCase, id: string) =>
	`${sends ? `Not sent to ${id}: ` : ''}${REASON}`;

const detailsOf = ({ sends, identifier }: OperationCase, id: string) => ({
	httpStatus: 400,
	...(sends && { outcome: 'rejected', recipient: id, identifier: identifier?.(id) }),
});

/** Only an operation that sends a template reads it. */
function withTemplatesFor(name: string) {
	plainTemplates.clear();
	if (OPERATIONS[name].sends) plainTemplates.add('opening_hours');
}

describe.each(Object.entries(OPERATIONS))('%s', (name, operation) => {
	const { parameters, requests, answer, output } = operation;

	beforeEach(() => withTemplatesFor(name));

	test('sends the documented request and outputs the answer, paired with its item', async () => {
		const asked = serve(answer);
		const items = itemsOf(IDS);
		const { outputs, error } = await runMessaging(harness, parameters, { items });

		expect({ error, asked: sorted(asked) }).toEqual({
			error: undefined,
			asked: sorted(requests(IDS)),
		});
		expect(outputs).toEqual([
			IDS.flatMap((id, item) => output(id).map((json) => paired(json, item))),
		]);
		// Other branches of the workflow get the same items.
		expect(items).toEqual(itemsOf(IDS));
	});

	test('fails the node with the service’s own words when the service refuses', async () => {
		serve(failure('No credit left'));
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
		});

		expect({ outputs, error }).toEqual({
			outputs: [],
			error: expect.objectContaining({
				message: operation.sends ? expect.stringContaining(sentence(operation, IDS[0])) : REASON,
				httpCode: '400',
				// The error of an operation that sends names the recipient instead.
				itemIndex: operation.sends ? undefined : 0,
			}),
		});
	});

	test('On Error: Continue outputs a failed item among the others', async () => {
		refusing(operation);
		const { outputs, extras, error } = await runMessaging(harness, parameters, {
			items: itemsOf(IDS),
			onError: 'continueRegularOutput',
		});

		const failing = failingIds(operation);
		expect({ error, extras }).toEqual({ error: undefined, extras: [] });
		const items = IDS.flatMap((id, item) =>
			failing.includes(id)
				? [
						paired(
							{
								...(operation.sends && { to: id, status: 'failed', reason: REASON }),
								error: sentence(operation, id),
								details: detailsOf(operation, id),
							},
							item,
						),
					]
				: output(id).map((json) => paired(json, item)),
		);
		// No item has a field that is not its own: an invented `error: false` breaks the usual If.
		expect(outputs).toEqual([items]);
	});

	test('On Error: Continue (using error output) moves a failed item with its input fields there', async () => {
		refusing(operation);
		const { outputs, error } = await runMessaging(harness, parameters, {
			items: itemsOf(IDS),
			onError: 'continueErrorOutput',
		});

		const failing = failingIds(operation);
		const failed = (id: string, row: number) =>
			paired({ id, row, error: sentence(operation, id), details: detailsOf(operation, id) }, row);
		expect({ error, outputs }).toEqual({
			error: undefined,
			outputs: [
				IDS.flatMap((id, item) =>
					failing.includes(id) ? [] : output(id).map((json) => paired(json, item)),
				),
				IDS.flatMap((id, row) => (failing.includes(id) ? [failed(id, row)] : [])),
			],
		});
	});

	test('never shows the key in an output or error, even when the service repeats it', async () => {
		serve(failure(`The key ${KEY} is blocked`, 400));
		const stopped = await runMessaging(harness, parameters, { items: itemsOf([IDS[0]]) });
		const wentOn = await runMessaging(harness, parameters, {
			items: itemsOf([IDS[0]]),
			onError: 'continueErrorOutput',
		});

		expect(stopped.error?.message).toContain('The service refused');
		expect(leaksIn(stopped.saved)).toEqual([]);
		expect(leaksIn(wentOn.saved)).toEqual([]);
		// The check finds the key.
		expect(leaksIn(`${wentOn.saved}${KEY}`)).toHaveLength(1);
	});
});

const SIMPLIFIED = Object.entries(OPERATIONS).flatMap(([name, { simplified, ...operation }]) =>
	simplified ? [{ name, simplified, ...operation }] : [],
);

test.each(SIMPLIFIED)(
	'$name returns the main fields with Simplify, and everything without',
	async ({ name, parameters, answer, output, simplified }) => {
		withTemplatesFor(name);
		serve(answer);
		const outputsWith = async (simplify: boolean | string) =>
			(
				await runMessaging(
					harness,
					{ ...parameters, ...simplifying(name, simplify) },
					{ items: [{ id: IDS[0], isShort: true }] },
				)
			).outputs;
		const expected = (records: object[]) => [records.map((json) => paired(json))];
		expect({
			off: await outputsWith(false),
			on: await outputsWith(true),
			byExpression: await outputsWith('={{ $json.isShort }}'),
		}).toEqual({
			off: expected(output(IDS[0])),
			on: expected(simplified(IDS[0])),
			byExpression: expected(simplified(IDS[0])),
		});
	},
);

// test/nodes/service/answer.test.ts tests all other answers: every operation reads them alike.
describe('an answer with a list instead of an object, or an object instead of a list, is refused', () => {
	const object = { success: true, data: { id: 'x' }, body: { id: 'x' }, conversation: [] };
	const list = { success: true, data: [{ id: 'x' }], body: [{ id: 'x' }], conversation: [] };
	const wrong = (operation: string) =>
		OPERATIONS[operation].payload.startsWith('list of') ? object : list;

	test.each(Object.keys(OPERATIONS))('%s', async (operation) => {
		withTemplatesFor(operation);
		serve(({ method, path }) =>
			operation === 'campaign send' && method === 'GET' && path === '/api/public/logs'
				? success([], { count: 0, totalPage: 0 })
				: { body: wrong(operation) },
		);
		const { error } = await runMessaging(harness, OPERATIONS[operation].parameters, {
			items: itemsOf([IDS[0]]),
		});
		expect(error?.message).toContain(
			`The service's answer contains no ${OPERATIONS[operation].payload}.`,
		);
	});
});
