import type { INodeParameters } from 'n8n-workflow';
import { Execution } from '../support/execution';
import { Harness } from '../support/harness';
import { useSandbox } from '../support/sandbox';
import {
	isUpdating,
	readSchema,
	schemaNames,
	writeSchema,
	type Schema,
} from '../support/schemaFiles';
import { resources } from '../../nodes/Messaging/resources';

/*
 * Before a node has run, the editor shows the preview of its output from `__schema__`. Here every operation runs
 * against the sandbox, and its real output is compared with the preview.
 */

const CHANNEL = 'c1000000-0000-4000-8000-000000000001';
const id = (value: string) => ({ __rl: true, mode: 'id', value });
const from = { __rl: true, mode: 'phone', value: '447700900100' };
const template = { __rl: true, mode: 'name', value: 'opening_hours' };
const to = '={{ $json.phone }}';

/** The sandbox fails the second one because of its last digits, so that the output has a reason. */
const items = ['385917000100', '385917000001'].map((phone) => ({ phone }));

const sandbox = useSandbox();
let harness: Harness;
let campaignId: string;
let logId: string;

const run = async (parameters: INodeParameters) => {
	const { credentials } = sandbox;
	const execution = await Execution.start(harness, { parameters, items, credentials });
	expect(execution.error).toBeUndefined();
	return execution.items.map(({ json }) => json);
};

const sendCampaign = { from, to, template };

beforeAll(async () => {
	harness = await Harness.load();
	const sent = await run({ resource: 'campaign', operation: 'send', ...sendCampaign });
	campaignId = sent[0].campaign_id as string;
	// The sandbox completes a campaign without a duration a moment later.
	const wanted = { resource: 'log', operation: 'getAll', logFilters: { campaignId } };
	const records = await run(wanted);
	logId = records[0].id as string;
});

const OPERATIONS: Record<string, () => INodeParameters> = {
	'campaign/getReport': () => ({ campaignId }),
	'campaign/send': () => sendCampaign,
	'channel/get': () => ({ channelId: id(CHANNEL) }),
	'channel/getAll': () => ({}),
	'channelTemplate/getAll': () => ({ channelId: id(CHANNEL) }),
	'log/get': () => ({ logId }),
	'log/getAll': () => ({ logFilters: { campaignId } }),
	'message/sendTemplate': () => ({ from, to, template }),
	'message/sendText': () => ({ from, to, message: 'Hello' }),
	'otpTemplate/get': () => ({ otpTemplateId: id('a1000000-0000-4000-8000-000000000001') }),
	'otpTemplate/getAll': () => ({}),
	'smsReport/get': () => ({ messageId: 'd1000000-0000-4000-8000-000000000001' }),
};

/** Its output is a person's answer, so it is tested in test/real-n8n/nodes/send-and-wait.test.mts. */
const WAITS = 'message/sendAndWait';

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Returns one schema for several examples. The type of a null comes from another example. */
function schemaOf(examples: unknown[]): Schema {
	const example = examples.find((value) => value !== null) ?? null;
	const type = typeOf(example);
	if (type === 'array') {
		const elements = examples.filter(Array.isArray).flat();
		return { type, items: elements.length > 0 ? schemaOf(elements) : { type: 'object' } };
	}
	if (type !== 'object') return { type };
	const objects = examples.filter((value) => typeOf(value) === 'object') as object[];
	const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
	return {
		type,
		properties: Object.fromEntries(
			names.map((name) => [
				name,
				schemaOf(
					objects.filter((object) => name in object).map((object) => Reflect.get(object, name)),
				),
			]),
		),
	};
}

test('every operation has a preview, and every preview has an operation', () => {
	const operations = resources
		.flatMap(({ value, operations: all }) => all.map((operation) => `${value}/${operation.value}`))
		.sort();
	expect([...Object.keys(OPERATIONS), WAITS].sort()).toEqual(operations);
	if (!isUpdating) expect(schemaNames()).toEqual(operations);
});

test.each(Object.keys(OPERATIONS))('the output of %s is like its preview', async (name) => {
	const [resource, operation] = name.split('/');
	const outputs = await run({ resource, operation, ...OPERATIONS[name]() });
	const schema: Schema = { ...schemaOf(outputs), version: 1 };
	if (isUpdating) writeSchema(name, schema);
	expect(schema).toEqual(readSchema(name));
});
