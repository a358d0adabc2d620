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
import { packageJson } from '../support/packageFiles';
import { readSchema, schemaNames } from '../support/schemaFiles';

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

/** The values that can be chosen, or the fields that can be added. */
function choices(property: INodeProperties): Contract {
	const all = property.options ?? [];
	const fields = all.filter(isField);
	const groups = all.filter(isGroup);
	const values = all.filter((choice) => !isField(choice) && !isGroup(choice));
	return sorted([
		['fields', fields.length > 0 ? parameters(fields) : undefined],
		[
			'groups',
			groups.length > 0
				? byName(groups.map((group) => [group.name, parameters(group.values)]))
				: undefined,
		],
		[
			'values',
			values.length > 0
				? values.map((choice) => (choice as INodePropertyOptions).value).sort()
				: undefined,
		],
	]);
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
		...Object.entries(bounds(property)),
		...Object.entries(choices(property)),
	]);

/** Notices are shown, and nothing is saved of them. Hidden doubles keep a parameter's value while it is not shown. */
const parameters = (properties: INodeProperties[]): Contract =>
	byName(
		properties
			.filter(
				(each) =>
					each.type !== 'notice' &&
					(each.type !== 'hidden' ||
						!properties.some(({ name, type }) => name === each.name && type !== 'hidden')),
			)
			.map((each) => [each.name, parameter(each)]),
	);

/** A node's parameters by resource and operation. A node without operations has one list of parameters. */
function parametersOf({ properties }: INodeTypeDescription): Contract {
	const operations = properties.filter(({ name }) => name === 'operation');
	if (operations.length === 0) return parameters(properties);
	const [resource] = properties.filter(({ name }) => name === 'resource');
	const shownFor = (each: INodeProperties, name: string, value: unknown) =>
		each.displayOptions?.show?.[name]?.includes(value as string) === true;
	return byName([
		['resource', parameter(resource)],
		...operations.flatMap((operation): Array<[string, unknown]> => {
			const [of] = operation.displayOptions!.show!.resource as string[];
			return [
				[`${of} operation`, parameter(operation)],
				...(operation.options as INodePropertyOptions[]).map(({ value }): [string, unknown] => [
					`${of} ${String(value)}`,
					parameters(
						properties.filter(
							(each) => shownFor(each, 'resource', of) && shownFor(each, 'operation', value),
						),
					),
				]),
			];
		}),
	]);
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

/** The fields of each operation's output, which people use in expressions. */
const outputFields = (): Contract =>
	byName(
		schemaNames().map((name) => [name, Object.keys(readSchema(name)?.properties ?? {}).sort()]),
	);

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
		outputs: outputFields(),
	};
}

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
