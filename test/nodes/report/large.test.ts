import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { sendCampaign } from './sendCampaign';
import { GET_REPORT } from './logService';

jest.setTimeout(180_000);

const RECIPIENTS = 100_000;

const sandbox = useSandbox();
const harness = useHarness();
let campaign_id: string;

beforeAll(async () => {
	// In the sandbox, messages to numbers that end with 0001 fail.
	const phoneOf = (index: number) => String(385_910_000_000 + index);
	campaign_id = await sendCampaign(sandbox, RECIPIENTS, phoneOf);
});

const report = async (parameters: object, items: Array<Record<string, string>>) => {
	const before = (await sandbox.counts()).requests.byEndpoint.getLogs ?? 0;
	const execution = await Execution.start(harness, {
		parameters: { ...GET_REPORT, ...parameters },
		items,
		credentials: sandbox.credentials,
	});
	expect(execution.error).toBeUndefined();
	const { requests } = await sandbox.counts();
	return {
		output: execution.items,
		asked: requests.byEndpoint.getLogs - before,
	};
};

test('a campaign of 100,000 in one summary', async () => {
	const { output, asked } = await report({}, [{ campaign_id }]);
	expect(output.map(({ json }) => json)).toEqual([
		expect.objectContaining({
			recipients: RECIPIENTS,
			statuses: { delivered: 99_980, read: 10, failed: 10 },
			units: 99_990,
			pending: 0,
		}),
	]);
	expect(asked).toBe(200);
});

test('a campaign of 100,000 joined to 100,000 input items', async () => {
	const items = Array.from({ length: RECIPIENTS }, (_, index) => ({
		campaign_id,
		// The first one was never sent.
		identifier: index === 0 ? 'never-sent' : `order-${index}`,
	}));
	const { output, asked } = await report({ output: 'both' }, items);
	expect({ asked, length: output.length }).toEqual({ asked: 200, length: RECIPIENTS + 2 });
	const [summary, missing, ...rest] = output;
	expect(summary.json.missing).toBe(1);
	expect(missing.json).toEqual(
		expect.objectContaining({ identifier: 'never-sent', missing: true }),
	);
	expect(rest.at(-1)?.json.identifier).toBe('order-0');
	const wrong = rest.slice(0, -1).filter(({ json, pairedItem }, index) => {
		const { item } = pairedItem as { item: number };
		return item !== index + 1 || json.identifier !== `order-${item}`;
	});
	expect(wrong).toEqual([]);
});
