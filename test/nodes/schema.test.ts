import { Execution } from './execution';
import { useHarness } from '../support/harness';
import { OPERATIONS, type SandboxIds } from './resources/operations';
import { useSandbox } from '../support/sandbox';
import { isUpdating, readSchema, writeSchema, type Schema } from '../contract/files';

/*
 * Before a node has run, the editor shows a preview of its output, from `__schema__` beside the node. These tests run
 * every operation against the sandbox, and compare its output with its preview.
 */

/** In the sandbox, a message to a number that ends in 0101 fails, so one record has a reason. */
const items = ['385917000100', '385917000101'].map((phone) => ({ phone }));

const sandbox = useSandbox();
const harness = useHarness();
const ids: SandboxIds = { campaignId: '', logId: '' };

/** The items that an operation returns when it runs against the sandbox. */
const outputOf = async (name: string) => {
	const { parameters, inSandbox } = OPERATIONS[name];
	const { resource, operation } = parameters;
	const { credentials } = sandbox;
	const execution = await Execution.start(harness, {
		parameters: { resource, operation, ...inSandbox(ids) },
		items,
		credentials,
	});
	expect(execution.error).toBeUndefined();
	return execution.items.map(({ json }) => json);
};

beforeAll(async () => {
	const sent = await outputOf('campaign send');
	ids.campaignId = sent[0].campaign_id as string;
	// With a duration of 0 the sandbox still completes the campaign a moment later.
	const records = await outputOf('log getAll');
	ids.logId = records[0].id as string;
});

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Returns one schema for several examples. For a field that is null in one example, another example has the type. */
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

/** Stands beside the difference when a preview is missing or old. */
const ADVICE = 'Write the previews with: UPDATE_SCHEMAS=1 npx jest test/nodes/schema';

test.each(Object.keys(OPERATIONS))('%s returns what its preview shows', async (name) => {
	const schema: Schema = { ...schemaOf(await outputOf(name)), version: 1 };
	const file = name.replace(' ', '/');
	if (isUpdating('SCHEMAS')) writeSchema(file, schema);
	expect({ ADVICE, preview: schema }).toEqual({ ADVICE, preview: readSchema(file) });
});
