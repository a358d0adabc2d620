import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';
import type { Resource } from './operation';

/**
 * Returns the node's parameters: the resource, the operations of each resource, and the fields of each operation.
 *
 * @param first the resource that a new node shows
 */
export const nodeProperties = (resources: Resource[], first: string): INodeProperties[] => [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: first,
	},
	...resources.map(operationsOf),
	...resources.flatMap(fieldsOf),
];

function operationsOf({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
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
	};
}

const fieldsOf = ({ value: resource, operations }: Resource): INodeProperties[] =>
	operations.flatMap(({ value: operation, fields }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
	);
