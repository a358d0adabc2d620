import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { ADDRESS, KEY } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { Hook } from './hook';

jest.mock('../../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../../support/fastClock'),
);

const harness = useHarness();
const CREDENTIAL = { baseUrl: ADDRESS, apiKey: KEY, webhookSecret: '' };
const NOT_HANDLED = '503 The call could not be handled. Please deliver it again.';

let workflows = 0;
/** A trigger that starts on nothing, because calls that start something read n8n's database for another reason. */
const hookOf = (settings: Partial<Hook> = {}) =>
	new Hook(harness, {
		parameters: { events: [] },
		workflowId: `workflow-${++workflows}`,
		...settings,
	});

/** A credential whose reads take a moment. @param fails whether the nth read fails */
function slowCredential(
	hooks: Hook[],
	credential: IDataObject = CREDENTIAL,
	fails: (nth: number) => boolean = () => false,
) {
	const reads = { all: 0 };
	for (const hook of hooks) {
		hook.sabotage = (context) =>
			Object.defineProperty(context, 'getCredentials', {
				value: async () => {
					const nth = ++reads.all;
					for (let tick = 0; tick < 20; tick++) await null;
					if (fails(nth)) throw new RangeError('operation timed out');
					return credential;
				},
			});
	}
	return reads;
}
const answersOf = async (hook: Hook, count: number, query: IDataObject = {}) =>
	await Promise.all(
		Array.from({ length: count }, async () => {
			const { status, message } = await hook.deliver({ body: {}, query });
			return `${status} ${message}`;
		}),
	);

describe('the credential', () => {
	test('is read once for all calls of one second, and again a second later', async () => {
		const hook = hookOf();
		const reads = slowCredential([hook]);
		await answersOf(hook, 30);
		expect(reads.all).toBe(1);
		// The clock jumps ahead here.
		await sleep(1);
		await answersOf(hook, 1);
		expect(reads.all).toBe(2);
	});

	test('cannot be read: all calls that come at once are answered 503, and a later one reads it', async () => {
		const hook = hookOf();
		slowCredential([hook], CREDENTIAL, (nth) => nth === 1);
		expect(new Set(await answersOf(hook, 30))).toEqual(new Set([NOT_HANDLED]));
		expect(await answersOf(hook, 1)).toEqual([expect.stringMatching(/^200 Ignored/)]);
	});

	test.each<[string, Partial<Hook>]>([
		['another workflow', { workflowId: 'another' }],
		['another trigger', { node: { id: 'another', name: 'Another' } }],
		['a test', { mode: 'manual' }],
	])('is not shared with %s', async (_, other) => {
		const here = hookOf();
		const there = hookOf({ workflowId: here.workflowId, ...other });
		slowCredential([here], { ...CREDENTIAL, webhookSecret: 'here' });
		slowCredential([there], { ...CREDENTIAL, webhookSecret: 'there' });
		const answers = await Promise.all([
			answersOf(here, 1, { secret: 'here' }),
			answersOf(there, 1, { secret: 'there' }),
		]);
		expect(answers.flat().map((answer) => answer.slice(0, 3))).toEqual(['200', '200']);
	});
});
