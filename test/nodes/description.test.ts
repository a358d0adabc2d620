import {
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { MessagingApi } from '../../credentials/MessagingApi.credentials';
import { Messaging } from '../../nodes/Messaging/Messaging.node';
import { MessagingLogTrigger } from '../../nodes/Messaging/MessagingLogTrigger.node';
import { MessagingTrigger } from '../../nodes/Messaging/MessagingTrigger.node';

/*
 * n8n's lint checks only descriptions that are written in one .node.ts file. Ours are assembled from many files, so these
 * tests check n8n's rules, and the names that workflows save, on the assembled descriptions.
 */

const NODES: Record<string, INodeTypeDescription> = {
	messaging: new Messaging().description,
	messagingTrigger: new MessagingTrigger().description,
	messagingLogTrigger: new MessagingLogTrigger().description,
};

type Found = { path: string; property: INodeProperties };

/** Lists every property with its path, also those within collections. */
const flatten = (properties: INodeProperties[], path: string): Found[] =>
	properties.flatMap((property) => {
		const own = `${path}.${property.name}`;
		const inner = ['collection', 'fixedCollection'].includes(property.type)
			? (property.options ?? []).flatMap((option) =>
					'values' in option
						? (option as INodePropertyCollection).values
						: [option as INodeProperties],
				)
			: [];
		return [{ path: own, property }, ...flatten(inner, own)];
	});

const ALL: Found[] = [
	...Object.entries(NODES).flatMap(([name, { properties }]) => flatten(properties, name)),
	...flatten(new MessagingApi().properties, 'messagingApi'),
];

const choicesOf = ({ type, options }: INodeProperties): INodePropertyOptions[] =>
	['options', 'multiOptions'].includes(type) ? ((options ?? []) as INodePropertyOptions[]) : [];

const isSorted = (names: string[]) =>
	names.join() === [...names].sort((a, b) => a.localeCompare(b)).join();

/* The names of all parameters, where they are shown, inputs and outputs are in test/contract/contract.txt. */
test.each(Object.entries(NODES))(
	'%s has a subtitle, a description, and a credential that its own method tests',
	(_, description) => {
		expect(description.subtitle).toMatch(/^=\{\{.+\}\}$/);
		expect(description.description).toMatch(/^[A-Z].{15,}[^.]$/);
		expect(description.defaults.name).toBe(description.displayName);
		expect(description.credentials).toEqual([
			{ name: 'messagingApi', required: true, testedBy: 'testCredential' },
		]);
	},
);

describe('wording of fields', () => {
	/** What holds for each field, also within collections. */
	const RULES: Array<[string, (property: INodeProperties) => boolean]> = [
		[
			'a mode in which a person writes shows an example',
			({ modes = [] }) =>
				modes.every(
					({ type, placeholder = '' }) => type !== 'string' || placeholder.startsWith('e.g. '),
				),
		],
		[
			'a field for JSON shows an example, or where its format is described',
			({ type, description = '' }) => type !== 'json' || /<code>|<a href=/.test(description),
		],
		[
			'the fields of a collection are sorted',
			({ type, options = [] }) => {
				const names = options.map((option) => (option as INodeProperties).displayName);
				return type !== 'collection' || names.length < 5 || isSorted(names);
			},
		],
		[
			'a field has a description, unless its choices have one',
			(property) =>
				['notice', 'collection'].includes(property.type) ||
				['resource', 'operation'].includes(property.name) ||
				(choicesOf(property).length > 0 && choicesOf(property).every((each) => each.description)) ||
				(property.description ?? '').length > 10,
		],
		[
			'a description begins with a capital, a single sentence has no full stop, several all have one',
			({ description = 'None' }) => {
				const sentences = description.split(/(?<=[.!?])\s+(?=[A-Z0-9])/);
				const ends =
					sentences.length > 1 ? /[.!?]$/.test(description) : !/[^.]\.$/.test(description);
				return /^[A-Z0-9]/.test(description) && ends;
			},
		],
		[
			'a yes/no field begins with "Whether"',
			({ type, description = '' }) => type !== 'boolean' || description.startsWith('Whether '),
		],
		[
			'a placeholder is an example',
			({ placeholder, type }) =>
				placeholder === undefined ||
				['collection', 'fixedCollection'].includes(type) ||
				/^(.*\be\.g\. |https:\/\/\S*example\.com)/.test(placeholder),
		],
		[
			'a required field has an empty default, so that the editor shows it as missing',
			({ required, default: value }) =>
				!required ||
				value === '' ||
				value === '[]' ||
				(typeof value === 'object' && value !== null),
		],
	];

	test.each(RULES)('%s', (_, rule) => {
		expect(ALL.filter(({ property }) => !rule(property)).map(({ path }) => path)).toEqual([]);
	});

	/* n8n's linter does not check this. */
	test('actions of operations are in sentence case, without articles', () => {
		const isAction = (text: string) =>
			/^[A-Z][a-z]+( ([a-z]+|OTP|SMS))+$/.test(text) && !/ (a|an|the) /.test(text);
		expect(['Get a channel', 'Get Channel', 'get channel', 'Get'].filter(isAction)).toEqual([]);
		const actions = NODES.messaging.properties
			.filter(({ name }) => name === 'operation')
			.flatMap((property) => choicesOf(property).map(({ action = '' }) => action));
		expect(actions.length).toBeGreaterThan(10);
		expect(actions.filter((action) => !isAction(action))).toEqual([]);
	});

	/* n8n's page on node design wants each list sorted; its linter only looks at five choices or more. */
	const SORTED_IN_ANOTHER_WAY = [
		'messaging.resource', // what most people want comes first, like the next
		'messaging.sendMode', // from the usual one to the one that sends nothing
		'messaging.operation', // what most people want comes first
		'messaging.output', // as on n8n's page about tools of agents
		'messaging.approvalOptions.approvalType', // as in n8n's own Send and Wait
		'messaging.options.limitWaitTime.resumeUnit', // by length
		'messagingTrigger.events', // what most people want comes first
	];

	test('choices are sorted, except where another order says more', () => {
		const wrong = ALL.filter(
			({ property }) => !isSorted(choicesOf(property).map(({ name }) => name)),
		);
		const paths = [...new Set(wrong.map(({ path }) => path))];
		expect(paths.sort()).toEqual([...SORTED_IN_ANOTHER_WAY].sort());
	});

	test('a resource mapper is reloaded when its template or sender changes', () => {
		const mappers = ALL.filter(({ property }) => property.type === 'resourceMapper');
		expect(mappers.length).toBeGreaterThan(0);
		for (const { property } of mappers) {
			expect(property.typeOptions?.loadOptionsDependsOn).toEqual(
				expect.arrayContaining(['template.value', 'from.value']),
			);
		}
	});

	test('each operation has its own action, and its own description in a sentence', () => {
		const operations = NODES.messaging.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(choicesOf);
		const others = (index: number, field: 'action' | 'description') =>
			operations.filter(
				(each, other) => other !== index && each[field] === operations[index][field],
			);
		const wrong = operations.flatMap(({ name, value, description = '' }, index) => [
			...(/^[A-Z].{15,}[^.]$/.test(description) ? [] : [`${name} (${value}): ${description}`]),
			// n8n asks for other words than those of the name, for readers who do not know that word.
			...(description.startsWith('Get ') ? [`${name} (${value}): begins with Get`] : []),
			...(['action', 'description'] as const).flatMap((field) =>
				others(index, field).map((other) => `${name} (${value}) and ${other.name}: one ${field}`),
			),
		]);
		expect(wrong).toEqual([]);
	});
});

test('the methods that fields refer to exist', () => {
	const { listSearch, resourceMapping } = new Messaging().methods;
	const wanted = ALL.flatMap(({ property }) =>
		(property.modes ?? []).flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
	);
	expect([...new Set(wanted)].sort()).toEqual(Object.keys(listSearch).sort());
	const mapped = ALL.flatMap(
		({ property }) => property.typeOptions?.resourceMapper?.resourceMapperMethod ?? [],
	);
	expect([...new Set(mapped)].sort()).toEqual(Object.keys(resourceMapping).sort());
});

test('Messaging Trigger: n8n answers when it has written the execution, and registers its webhook nowhere', async () => {
	expect(NODES.messagingTrigger.webhooks).toMatchObject([
		{ responseMode: 'onReceived', responseData: '' },
	]);
	const { checkExists, create, delete: remove } = new MessagingTrigger().webhookMethods.default;
	expect([await checkExists(), await create(), await remove()]).toEqual([true, true, true]);
});

// n8n adds *Poll Times* to each description that it loads, in place. Shared by two, the panel showed it twice.
test.each([Messaging, MessagingTrigger, MessagingLogTrigger])(
	'%p hands out a list of parameters of its own',
	(Node) => {
		const names = () => new Node().description.properties.map(({ name }) => name);
		const before = names();
		new Node().description.properties.unshift({ name: 'pollTimes' } as INodeProperties);
		expect(names()).toEqual(before);
	},
);
