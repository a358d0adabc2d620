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

type Entry = [operations: string, path: string, content: unknown];

const entriesOf = ({ operations }: Contract): Entry[] =>
	Object.entries(operations as Contract).flatMap(([names, entries]) =>
		Object.entries(entries as Contract).map(([path, content]): Entry => [names, path, content]),
	);

function withEntries(contract: Contract, entries: Entry[]): Contract {
	const operations: { [names: string]: Contract } = {};
	for (const [names, path, content] of entries) {
		operations[names] = { ...operations[names], [path]: content as Contract };
	}
	return { ...contract, operations };
}

/** The contract as the file has it: what several operations have in common stands once, below all their names. */
export function asWritten(contract: Contract): Contract {
	const owners = new Map<string, string[]>();
	for (const [name, ...entry] of entriesOf(contract)) {
		const text = JSON.stringify(entry);
		owners.set(text, [...(owners.get(text) ?? []), name]);
	}
	return withEntries(
		contract,
		[...owners].map(([text, names]): Entry => {
			const [path, content] = JSON.parse(text) as [string, unknown];
			return [names.join(', '), path, content];
		}),
	);
}

/** The opposite of {@link asWritten}. */
export const asRead = (written: Contract): Contract =>
	withEntries(
		written,
		entriesOf(written).flatMap(([names, ...entry]) =>
			names.split(', ').map((name): Entry => [name, ...entry]),
		),
	);

/** Differences between two contracts, in words: what may break a saved workflow, and what does not. */
export type Changes = { breaking: string[]; added: string[] };

type Value = Contract[string] | undefined;

const isObject = (value: Value): value is Contract =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: Value) => JSON.stringify(value);

/** Settings that restrict a field: adding one may make a saved value invalid or hide it, and removing one breaks nothing. */
const RESTRICTIONS = ['maxValue', 'minValue', 'numberPrecision', 'required', 'shownWhen'];

export function changesBetween(before: Contract, after: Contract): Changes {
	const changes: Changes = { breaking: [], added: [] };
	compare(before, after, [], changes);
	return changes;
}

function compare(before: Value, after: Value, path: string[], changes: Changes) {
	const where = path.join(' › ');
	const name = path[path.length - 1];
	if (isObject(before) && isObject(after)) {
		for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
			compare(before[key], after[key], [...path, key], changes);
		}
	} else if (Array.isArray(before) && Array.isArray(after)) {
		compareLists(before, after, where, changes);
	} else if (before === undefined) {
		const restricts = RESTRICTIONS.includes(name) || (isObject(after) && after.required === true);
		const line = `${where} is new: ${shown(after)}`;
		(restricts ? changes.breaking : changes.added).push(line);
	} else if (after === undefined) {
		// Removing a restriction makes a field optional, or shows it in more places.
		const relaxes = RESTRICTIONS.includes(name);
		(relaxes ? changes.added : changes.breaking).push(`${where} is gone: was ${shown(before)}`);
	} else if (shown(before) !== shown(after)) {
		changes.breaking.push(`${where} was ${shown(before)}, and is ${shown(after)}`);
	}
}

function compareLists(before: Contract[], after: Contract[], where: string, changes: Changes) {
	const had = before.map(shown);
	const has = after.map(shown);
	for (const value of had.filter((each) => !has.includes(each))) {
		changes.breaking.push(`${where} no longer has ${value}`);
	}
	for (const value of has.filter((each) => !had.includes(each))) {
		changes.added.push(`${where} has ${value} as well`);
	}
}

/** Returns the changes in words, with the advice what to do. */
export function inWords({ breaking, added }: Changes): string {
	const list = (title: string, lines: string[]) =>
		lines.length > 0 ? [`${title}\n${lines.map((line) => `  - ${line}`).join('\n')}`] : [];
	return [
		'What people save in their workflows has changed.',
		...list('This may break workflows that were saved before:', breaking),
		...list('This breaks nothing that was saved:', added),
		'If you intend this change: read "Versioning policy" in CONTRIBUTING.md, note the change in CHANGELOG.md, and write the new contract with `UPDATE_CONTRACT=1 npx jest test/contract`.',
	].join('\n\n');
}
