import type { IBuilderHintVariation, INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';

/**
 * Returns the node's parameters: the resource, the operations of each resource, and the fields of each operation. A new node
 * shows the first resource and its first operation.
 */
export function nodeProperties(resources: Resource[]): INodeProperties[] {
	const [{ value: first }] = resources;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(resourceOption),
			default: first,
		},
		...resources.map(operationsOf),
		...resources.flatMap(fieldsOf),
	];
}

/**
 * The resource, with what its operations do if an earlier resource has one of the same name: n8n's assistants would read that
 * one's description.
 */
const resourceOption = ({ name, value, operations }: Resource, index: number, all: Resource[]) => {
	const earlier = all.slice(0, index).flatMap((resource) => resource.operations);
	const isFirst = !earlier.some((operation) => operation.value === operations[0].value);
	const description = operations.map((operation) => operation.description).join('. ');
	return { name, value, ...(!isFirst && { description }) };
};

function operationsOf({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description, hint }) => ({
			name,
			value,
			action,
			description,
			...(hint && { builderHint: { propertyHint: hint } }),
		})),
		default: first,
	};
}

/**
 * Returns the fields of a resource's operations. Each is shown only for its own operation. This is the first condition,
 * because n8n shows a field at once when it meets a condition whose parameter is an expression.
 */
const fieldsOf = ({ value: resource, operations }: Resource): INodeProperties[] =>
	operations.flatMap(({ value: operation, fields }) =>
		fields.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
			},
		})),
	);

/** Returns the hints of the operations as n8n's assistants read them in the types of the node's parameters. */
export const operationHints = (resources: Resource[]): IBuilderHintVariation[] =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, hint }) =>
			hint
				? {
						content: hint,
						displayOptions: { show: { resource: [resource], operation: [operation] } },
					}
				: [],
		),
	);
