import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { MessagingApi } from '../../credentials/MessagingApi.credentials';
import { Messaging } from '../../nodes/Messaging/Messaging.node';
import { MessagingLogTrigger } from '../../nodes/Messaging/MessagingLogTrigger.node';
import { MessagingTrigger } from '../../nodes/Messaging/MessagingTrigger.node';
import { packageJson, readSchema } from './files';

/*
 * The contract: the names and values that people save in workflows and credentials, and those that their expressions and
 * webhooks use. It does not contain labels, descriptions and the order of fields, which may change at any time.
 */

export type Contract = { [name: string]: Contract | Contract[] | string | number | boolean | null };

/** Type options that restrict the values of a field. */
const BOUNDS = ['maxValue', 'minValue', 'multipleValues', 'numberPrecision', 'password'] as const;

const isEmpty = (value: unknown) =>
	value === undefined ||
	(typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const sorted = (entries: Array<[string, unknown]>): Contract =>
	Object.fromEntries(
		entries
			.filter(([, value]) => value !== undefined)
			.sort(([a], [b]) => (a < b ? -1 : Number(a > b))),
	) as Contract;

/** @throws when two entries have one name, because a saved value would belong to both */
function byName(entries: Array<[string, unknown]>): Contract {
	const names = entries.map(([name]) => name);
	const twice = names.filter((name, index) => names.indexOf(name) !== index);
	if (twice.length > 0) throw new Error(`These names exist twice: ${twice.join(', ')}`);
	return sorted(entries);
}

const bounds = ({ typeOptions = {} }: INodeProperties) =>
	sorted(BOUNDS.map((name) => [name, typeOptions[name]]));

const isField = (choice: object): choice is INodeProperties => 'type' in choice;
const isGroup = (choice: object): choice is INodePropertyCollection => 'values' in choice;

/** The values that can be chosen. */
function values({ options = [] }: INodeProperties) {
	const choices = options.filter((choice) => !isField(choice) && !isGroup(choice));
	return choices.length > 0
		? choices.map((choice) => (choice as INodePropertyOptions).value).sort()
		: undefined;
}

type Holder = Pick<INodeProperties, 'name' | 'options'>;

/** The fields that can be added to a parameter, and those of its groups, each by its path. */
function inside({ name, options = [] }: Holder): Array<[string, unknown]> {
	const groups = options
		.filter(isGroup)
		.flatMap((group) => inside({ name: group.name, options: group.values }));
	return [...Object.entries(parameters(options.filter(isField))), ...groups].map(
		([path, field]) => [`${name} › ${path}`, field],
	);
}

/** The conditions under which a parameter is shown, except its resource and operation. */
function shownWhen({ displayOptions = {} }: INodeProperties): Contract | undefined {
	const { show = {}, hide = {} } = displayOptions;
	const others = Object.entries(show).filter(
		([name]) => name !== 'resource' && name !== 'operation',
	);
	const all = sorted([
		...others,
		...Object.entries(hide).map(([name, on]) => [`not ${name}`, on]),
	] as Array<[string, unknown]>);
	return isEmpty(all) ? undefined : all;
}

const parameter = (property: INodeProperties): Contract =>
	sorted([
		['type', property.type],
		['default', property.default],
		['required', property.required],
		['shownWhen', shownWhen(property)],
		['modes', property.modes?.map(({ name }) => name).sort()],
		['values', values(property)],
		...Object.entries(bounds(property)),
	]);

/** The parameters and the fields inside of them by their paths, such as `options › timeout`. */
const parameters = (properties: INodeProperties[]): Contract =>
	byName(
		properties
			.filter((each) => isSaved(each, properties))
			.flatMap((each) => [[each.name, parameter(each)], ...inside(each)]),
	);

/** Notices are shown, and nothing is saved of them. Hidden doubles keep a parameter's value while it is not shown. */
const isSaved = ({ name, type }: INodeProperties, all: INodeProperties[]) =>
	type !== 'notice' &&
	(type !== 'hidden' || !all.some((other) => other.name === name && other.type !== 'hidden'));

const operationFields = ({ properties }: INodeTypeDescription) =>
	properties.filter(({ name }) => name === 'operation');

const resourceOf = ({ displayOptions }: INodeProperties) =>
	(displayOptions!.show!.resource as string[])[0];

/** The parameters of a node; of a node with operations only those that choose one. */
function parametersOf(description: INodeTypeDescription): Contract {
	const operations = operationFields(description);
	const { properties } = description;
	if (operations.length === 0) return parameters(properties);
	const [resource] = properties.filter(({ name }) => name === 'resource');
	return byName([
		['resource', parameter(resource)],
		...operations.map((operation): [string, unknown] => [
			`${resourceOf(operation)} operation`,
			parameter(operation),
		]),
	]);
}

/** The parameters of each operation, and the fields of its output, which people use in expressions. */
function operationsOf(description: INodeTypeDescription): Contract {
	const { properties } = description;
	const shownFor = (each: INodeProperties, name: string, value: unknown) =>
		each.displayOptions?.show?.[name]?.includes(value as string) === true;
	return byName(
		operationFields(description).flatMap((operation) => {
			const resource = resourceOf(operation);
			const ofResource = properties.filter((each) => shownFor(each, 'resource', resource));
			return (operation.options as INodePropertyOptions[]).map(({ value }): [string, unknown] => {
				const output = readSchema(`${resource}/${String(value)}`)?.properties ?? {};
				const shown = ofResource.filter((each) => shownFor(each, 'operation', value));
				return [
					`${resource} ${String(value)}`,
					{ ...parameters(shown), 'fields of the output': Object.keys(output).sort() },
				];
			});
		}),
	);
}

const webhooks = ({ webhooks: all }: INodeTypeDescription) =>
	all?.map(({ name, httpMethod, path, isFullPath, restartWebhook }) =>
		sorted(Object.entries({ name, httpMethod, path, isFullPath, restartWebhook })),
	);

const node = (description: INodeTypeDescription): Contract =>
	sorted([
		['credentials', description.credentials?.map(({ name }) => name)],
		['inputs', description.inputs],
		['outputs', description.outputs],
		['parameters', parametersOf(description)],
		['polling', description.polling],
		['usableAsTool', description.usableAsTool],
		['version', description.version],
		['webhooks', webhooks(description)],
	]);

const NODES = [Messaging, MessagingLogTrigger, MessagingTrigger];

export function publicContract(): Contract {
	const { name, properties } = new MessagingApi();
	return {
		credentials: { [name]: parameters(properties) },
		nodes: byName(
			NODES.map((Node) => {
				const { description } = new Node();
				return [`${packageJson.name}.${description.name}`, node(description)];
			}),
		),
		operations: operationsOf(new Messaging().description),
	};
}

/** Joins a fact: what it belongs to, its name, and its content. */
const fact = (owner: string, name: string, content: unknown) =>
	`${owner} › ${name} ${JSON.stringify(content)}`;

/** The contract in lines, a fact in each. What several operations have in common stands once, behind all their names. */
export function factsOf({ credentials, nodes, operations }: Contract): string[] {
	const factsIn = (owners: Contract[string]) =>
		Object.entries(owners as { [owner: string]: Contract }).flatMap(([owner, content]) => {
			const { parameters = {}, ...more } = content;
			const all = { ...more, ...(parameters as Contract) };
			return Object.entries(all).map(([name, each]) => fact(owner, name, each));
		});
	const owners = new Map<string, string[]>();
	for (const line of factsIn(operations)) {
		const [owner, ...rest] = line.split(' › ');
		const content = rest.join(' › ');
		owners.set(content, [...(owners.get(content) ?? []), owner]);
	}
	const shared = [...owners].map(([content, names]) => `${names.join(', ')} › ${content}`);
	return [...factsIn(credentials), ...factsIn(nodes), ...shared.sort()];
}

/** Returns a fact of several operations as one of each. */
const single = (line: string) => {
	const [owners, ...content] = line.split(' › ');
	return owners.split(', ').map((owner) => [owner, ...content].join(' › '));
};

/** Says what has changed; undefined if nothing has. What is gone, or has other content now, may break a saved workflow. */
export function changesBetween(before: string[], after: string[]): string | undefined {
	const [was, is] = [before, after].map((lines) => lines.flatMap(single));
	const gone = was.filter((line) => !is.includes(line)).map((line) => `- ${line}`);
	const added = is.filter((line) => !was.includes(line)).map((line) => `+ ${line}`);
	if (gone.length + added.length === 0) return undefined;
	return [
		'What people save in their workflows has changed. A line with a minus may break workflows that were saved before, and so may a new field that is required:',
		[...gone, ...added].join('\n'),
		'If you intend this change: read docs/development/versioning.md, note the change in CHANGELOG.md, and write the new contract with `UPDATE_CONTRACT=1 npx jest test/contract`.',
	].join('\n\n');
}
