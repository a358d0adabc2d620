import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';
import type { Resource } from './operation';

const operationsOf = (
	{ value: resource, operations }: Resource,
	first = operations[0].value,
): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [resource] } },
	options: operations.map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	})),
	default: first,
});

const fieldsOf = ({ value: resource, operations }: Resource): INodeProperties[] =>
	operations.flatMap(({ value: operation, fields }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
	);

/** The node's parameters: the resource, each resource's operations, and each operation's fields. */
export const describe = (resources: Resource[], first: string): INodeProperties[] => [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: first,
	},
	...resources.map((resource) => operationsOf(resource)),
	...resources.flatMap(fieldsOf),
];
