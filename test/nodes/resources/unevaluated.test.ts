import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/Messaging/resources';
import { serve, withTemplates } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging, SENDER } from '../../support/runMessaging';
import { accepting } from '../sendAndWait/questionRun';
import { OPERATIONS } from './operations';

/*
 * An expression in a field that is Fixed: n8n does not evaluate it, so the service would get it as it stands. The fields are
 * those of the description, so a new one is tried, too.
 */

const harness = useHarness();

const LEFT = '{{ $json.x }}';

type Field = { label: string; parameters: IDataObject };

/** Only shown, or read only in a tool, where an agent fills it in. */
const isOther = ({ type, name, displayOptions }: INodeProperties) =>
	['notice', 'hidden'].includes(type) ||
	name === 'templatePreview' ||
	displayOptions?.show?.['@tool'] !== undefined;

/** Puts the expression into a field. */
function left({ type, name }: INodeProperties): unknown {
	if (type === 'resourceLocator') return chosen('name', LEFT);
	if (type === 'resourceMapper')
		return { mappingMode: 'defineBelow', value: { 1: LEFT }, schema: [] };
	return type === 'json' ? `{"${name}":"${LEFT}"}` : LEFT;
}

/** Parameters with which the editor shows a field; `/` stands before those that are not its siblings. */
function shownBy({ displayOptions = {} }: INodeProperties, all: INodeProperties[]) {
	const { show = {}, hide = {} } = displayOptions;
	const values = Object.entries(show).map(([name, shown]) => [name, shown?.[0]]);
	const others = Object.entries(hide).flatMap(([name, hidden]) => {
		const { options = [] } = all.find((each) => each.name === name.replace('/', '')) ?? {};
		const other = (options as Array<{ value?: string }>).find(
			({ value }) => !(hidden as unknown[]).includes(value),
		);
		return other ? [[name, other.value]] : [];
	});
	return Object.fromEntries([...values, ...others]) as IDataObject;
}

const isOfRoot = ([name]: [string, unknown]) => name.startsWith('/');

/** Parameters of a field in a collection as the node has them. */
function inside(parameters: IDataObject, at: (given: IDataObject) => IDataObject): IDataObject {
	const all = Object.entries(parameters);
	return {
		...Object.fromEntries(all.filter(isOfRoot)),
		...at(Object.fromEntries(all.filter((each) => !isOfRoot(each))) as IDataObject),
	} as IDataObject;
}

/** Returns every field, below collections, too. */
const fieldsOf = (properties: INodeProperties[], all = properties): Field[] =>
	properties
		.filter((each) => !isOther(each))
		.flatMap((property) => {
			const { type, name, displayName, options = [] } = property;
			const shown = shownBy(property, [...properties, ...all]);
			const below = (inner: Field[], at: (given: IDataObject) => IDataObject) =>
				inner.map(({ label, parameters }) => ({
					label,
					parameters: { ...shown, ...inside(parameters, (given) => ({ [name]: at(given) })) },
				}));
			if (type === 'collection')
				return below(fieldsOf(options as INodeProperties[], all), (given) => given);
			if (type === 'fixedCollection') {
				const [{ name: values, values: inner }] = options as Array<{
					name: string;
					values: INodeProperties[];
				}>;
				return below(fieldsOf(inner, all), (given) => ({ [values]: given }));
			}
			const label = type === 'resourceMapper' ? 'Placeholder 1' : displayName;
			return [{ label, parameters: { ...shown, [name]: left(property) } as IDataObject }];
		});

/** What makes the operation run, were it not for the field. */
const COMPLETE: Record<string, IDataObject> = {
	...Object.fromEntries(
		Object.entries(OPERATIONS).map(([name, { parameters }]) => [name, parameters as IDataObject]),
	),
	'message sendAndWait': {
		resource: 'message',
		operation: 'sendAndWait',
		from: chosen('phone', SENDER),
		to: '385911000001',
		message: 'May we?',
		template: chosen('name', 'opening_hours'),
	},
};

const ROWS = resources.flatMap(({ value, operations }) =>
	operations.flatMap((operation) => {
		const name = `${value} ${operation.value}`;
		return fieldsOf(operation.fields).map(
			({ label, parameters }): [string, string, IDataObject] => [name, label, parameters],
		);
	}),
);

test('every operation has fields that are tried', () => {
	const tried = new Set(ROWS.map(([name]) => name));
	const all = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value} ${operation.value}`),
	);
	expect([...tried]).toEqual(all);
	expect(ROWS.length).toBeGreaterThan(100);
});

test.each(ROWS)(
	'%s: an expression in a fixed field is refused: %s, %j',
	async (name, label, field) => {
		const text = label === 'Placeholder 1' ? 'Hi {{1}}' : 'Hi';
		const templates = [
			{ name: 'opening_hours', language: 'en', components: [{ type: 'BODY', text }] },
		];
		const answer = OPERATIONS[name]?.answer ?? accepting;
		const asked = serve(withTemplates(templates, answer));
		const complete = COMPLETE[name];
		const options = { ...(complete.options as object), ...(field.options as object) };
		const given = Object.entries({ ...complete, ...field, options });
		const parameters = Object.fromEntries(
			given.map(([key, value]) => [key.replace('/', ''), value]),
		) as INodeParameters;
		const { error } = await runMessaging(harness, parameters, { items: [{ id: '385911000001' }] });
		expect(error?.message).toContain(`'${label}' `);
		expect(error?.message).toMatch(
			/has ".*\{\{ \$json\.x \}\}.*": nobody filled it in\. Choose 'Expression' in place of 'Fixed'\.|is the same for all items, so it cannot be an expression/,
		);
		expect(asked.filter((each) => each.method === 'POST')).toEqual([]);
		expect(JSON.stringify(asked)).not.toMatch(/json\.x/);
	},
);
