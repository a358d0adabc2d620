import type { INodeProperties } from 'n8n-workflow';
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
			options: resources.map(({ name, value, operations }) => ({
				name,
				value,
				// For n8n's assistants, which take the operations of the same name of all resources for one.
				...(/^get(All)?$/.test(operations[0].value) && {
					description: operations.map((each) => `${each.name}: ${each.description}`).join('. '),
				}),
			})),
			default: first,
		},
		...resources.map(operationsOfResource),
		...resources.flatMap(fieldsOfResource),
	];
}

function operationsOfResource({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(
			({ name, value, action, description, fields, hint = outputHint(fields) }) => ({
				name,
				value,
				action,
				description,
				...(hint && { builderHint: { propertyHint: hint } }),
			}),
		),
		default: first,
	};
}

/** Names the fields of a record that *Simplify* keeps, for n8n's assistants, which see no outputs. */
function outputHint(fields: INodeProperties[]): string | undefined {
	const kept = fields.find(({ name }) => name === 'fields')?.default as string[] | undefined;
	return kept && `It outputs ${kept.map((field) => `'${field}'`).join(', ')} of each record.`;
}

/**
 * Returns the fields of a resource's operations. Each is shown only for its own operation. This is the first condition,
 * because n8n shows a field at once when it meets a condition whose parameter is an expression.
 */
const fieldsOfResource = ({ value: resource, operations }: Resource): INodeProperties[] =>
	operations.flatMap(({ value: operation, fields }) =>
		fields.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
			},
		})),
	);
