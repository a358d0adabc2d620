import type { Operation } from '../../nodes/Messaging/resources/operation';
import { otpTemplate } from '../../nodes/Messaging/resources/otpTemplate';
import { serve, sorted } from '../support/mockService';
import { useHarness } from '../support/harness';
import { IDS, itemsOf, type OperationCase } from '../support/operations';
import { paired, runMessaging } from '../support/runMessaging';
import { PLACES, whatIsMissing } from './completeness';
import { runModule, typeErrors } from './example';
import { readText } from './files';

/* The worked example of CONTRIBUTING.md compiles, works and is complete. */

jest.mock('../../nodes/Messaging/service/clock', () =>
	jest.requireActual<object>('../support/fastClock'),
);

const PAGE = readText('CONTRIBUTING.md');
const [, SECTION] = PAGE.split('\n## Add an operation: a worked example\n');
const [operationCode, caseCode, endToEndCode] = [
	...SECTION.split('\n## ')[0].matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code]) => code);

const OPERATION = 'nodes/Messaging/resources/otpTemplate/getByLanguage.ts';
const CASES = 'test/support/operations.ts';
const NAME = 'otpTemplate getByLanguage';

const START = 'export const OPERATIONS: Record<string, OperationCase> = {\n';
const casesCode = readText(CASES).replace(START, `${START}${caseCode}`);

const { getByLanguage } = runModule(OPERATION, operationCode) as { getByLanguage: Operation };
const { [NAME]: operationCase } = (
	runModule(CASES, casesCode) as { OPERATIONS: Record<string, OperationCase> }
).OPERATIONS;

test('the example names its files', () => {
	for (const file of [OPERATION, 'otpTemplate/index.ts', CASES]) expect(SECTION).toContain(file);
	expect(SECTION).toContain('`operations: [get, getByLanguage, getAll]`');
});

test('its code compiles, and the same with a mistake does not', () => {
	const mistaken = OPERATION.replace('.ts', 'Mistaken.ts');
	expect(
		typeErrors({
			[OPERATION]: operationCode,
			[CASES]: casesCode,
			[mistaken]: operationCode.replace("value: 'getByLanguage'", 'value: 1'),
		}),
	).toEqual([`${mistaken}: Type 'number' is not assignable to type 'string'.`]);
});

describe('its operation, in the node', () => {
	const { operations } = otpTemplate;
	beforeAll(() => void operations.push(getByLanguage));
	const harness = useHarness();
	afterAll(() => void operations.pop());

	const run = async (more: object = {}) =>
		await runMessaging(harness, { ...operationCase.parameters, ...more }, { items: itemsOf(IDS) });
	const itemsWith = (records: (id: string) => object[]) => [
		IDS.flatMap((id, item) => records(id).map((json) => paired(json, item))),
	];

	test('sends the requests and returns the output of its case', async () => {
		const asked = serve(operationCase.answer);
		const { outputs, error } = await run();
		expect({ error, asked: sorted(asked), outputs }).toEqual({
			error: undefined,
			asked: sorted(operationCase.requests(IDS)),
			outputs: itemsWith(operationCase.output),
		});
	});

	test('returns the simplified output of its case with Simplify', async () => {
		serve(operationCase.answer);
		const { outputs, error } = await run({ simplify: true });
		expect({ error, outputs }).toEqual({
			error: undefined,
			outputs: itemsWith(operationCase.simplified!),
		});
	});
});

test('its steps are complete', () => {
	const [, row] = /^(\| OTP Template \| Get by Language \| .+ \| .+ \|)$/m.exec(SECTION)!;
	const named = { resource: otpTemplate, operation: getByLanguage };
	expect(whatIsMissing(named, PLACES)).toHaveLength(4);
	expect(
		whatIsMissing(named, {
			cases: { ...PLACES.cases, [NAME]: operationCase },
			previews: [...PLACES.previews, 'otpTemplate/getByLanguage'],
			page: `${PLACES.page}\n${row}\n`,
			endToEnd: `${PLACES.endToEnd}\n${endToEndCode}`,
		}),
	).toEqual([]);
});
