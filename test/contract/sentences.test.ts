import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { MessagingApi } from '../../credentials/MessagingApi.credentials';
import { Messaging } from '../../nodes/Messaging/Messaging.node';
import { MessagingLogTrigger } from '../../nodes/Messaging/MessagingLogTrigger.node';
import { MessagingTrigger } from '../../nodes/Messaging/MessagingTrigger.node';
import { filesIn, readText } from './files';
import { emphasised, rowsOf, sectionOf, USER_PAGES } from './prose';

/*
 * docs/troubleshooting.md explains what to do about a sentence that a person sees in n8n. A sentence that no longer
 * exists helps nobody, and looking for a new one would be in vain.
 */

/** The sources without backslashes, so that their strings are as people read them; and the examples, which have errors of their own. */
const SOURCES = [
	...filesIn('nodes', '.ts'),
	...filesIn('credentials', '.ts'),
	...filesIn('examples', '.json'),
].map((file) => readText(file).replaceAll('\\', ''));

/** The headings of the page, with the sentences that each of them quotes. */
const HEADINGS = [...readText('docs/troubleshooting.md').matchAll(/^### (.+)$/gm)].map(
	([, heading]) => ({
		heading,
		quoted: [...heading.matchAll(/"([^"]+)"/g)].map(([, text]) => text),
	}),
);

/** The sentences of the nodes, each as the parts between what differs (`…`). */
function sentencesOfNodes(): Array<[string, string[]]> {
	return (
		HEADINGS
			// test/real-n8n/nodes/words.test.mts looks for these in the installed n8n.
			.filter(({ heading }) => !heading.includes("n8n's own"))
			.flatMap(({ quoted }) => quoted)
			.map((sentence) => [
				sentence,
				sentence
					.split('…')
					.map((part) => part.trim().replace(/^[.,:]\s*/, ''))
					.filter((part) => part !== ''),
			])
	);
}

const SENTENCES = sentencesOfNodes();

test("what the page quotes as n8n's own words is looked for in the installed n8n", () => {
	const known = readText('test/contract/n8nWords.json');
	const words = HEADINGS.flatMap(({ heading, quoted }) =>
		heading.includes("n8n's own") ? quoted : [],
	);
	expect(words.length).toBeGreaterThan(3);
	expect(words.filter((text) => !known.includes(`"${text}"`))).toEqual([]);
});

/*
 * After a failure the first words of the error decide between executing and retrying. The wrong one sends twice, or never.
 */

const FIRST_WORDS = {
	'*Nothing was sent*': /\*\*execute\*\* again/,
	'*Do not execute again* or *Nothing more was sent*': /retry.*only the rest is sent/i,
};

test("docs/when-it-fails.md says what to do by the error's first words, which the nodes have", () => {
	const page = readText('docs/when-it-fails.md');
	const rows = new Map(rowsOf(page).map(([words, advice]) => [words, advice]));
	for (const [words, advice] of Object.entries(FIRST_WORDS)) {
		expect(rows.get(words)).toMatch(advice);
		const begins = emphasised(words).map((text) => text.replace('more ', ''));
		expect(begins.filter((text) => !SOURCES.some((source) => source.includes(text)))).toEqual([]);
	}
	// Every other page leads there: a second table would soon say something else.
	const others = ['README.md', ...USER_PAGES].filter((other) =>
		readText(other).includes('*Nothing was sent*'),
	);
	expect(others).toEqual(['docs/when-it-fails.md']);
	for (const leading of ['README.md', 'docs/first-campaign.md', 'docs/troubleshooting.md'])
		expect(readText(leading)).toContain('when-it-fails.md');
});

test('the page has sentences to look for', () => {
	expect(SENTENCES.length).toBeGreaterThan(5);
});

test.each(SENTENCES)('the nodes have the sentence “%s”', (_, parts) => {
	expect(parts).not.toEqual([]);
	expect(parts.filter((part) => !SOURCES.some((source) => source.includes(part)))).toEqual([]);
});

/*
 * A name in bold or italics is what a reader looks for in the editor. So each is a name of the nodes, of n8n, or of a node
 * of an example, written as there.
 */

/** test/real-n8n/nodes/words.test.mts looks for each of them in the installed n8n. */
const N8N_WORDS = Object.values(
	JSON.parse(readText('test/contract/n8nWords.json')) as { [place: string]: string[] },
).flat();

const NODES = [new Messaging(), new MessagingTrigger(), new MessagingLogTrigger()];
const CREDENTIAL = new MessagingApi();

type Named = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** All names that people see of parameters, their choices and what is inside of them. */
function namesOf(property: Named): string[] {
	const { displayName, name } = property as INodeProperties;
	const { action } = property as INodePropertyOptions;
	const {
		options = [],
		values = [],
		modes = [],
		typeOptions,
	} = property as INodeProperties & {
		values?: INodeProperties[];
	};
	return [
		displayName ?? name,
		action ?? '',
		...(typeOptions?.resourceMapper?.valuesLabel ?? '').split(' '),
		...[...options, ...values].flatMap((each) => namesOf(each as Named)),
		...modes.map((mode) => mode.displayName),
	];
}

const OWN_NAMES = [
	...NODES.flatMap(({ description }) => [
		description.displayName,
		...description.properties.flatMap(namesOf),
	]),
	...[CREDENTIAL.displayName, ...CREDENTIAL.properties.flatMap(namesOf)],
];

const NODES_OF_EXAMPLES = filesIn('examples', '.json').flatMap((file) =>
	(JSON.parse(readText(file)) as { nodes: Array<{ name: string }> }).nodes.map(({ name }) => name),
);

/** The short name of an operation, and names on GitHub. */
const OTHERS = ['Send and Wait', 'Report a vulnerability', 'Security'];

/** Not names, but how errors begin. */
const BEGINNINGS = Object.keys(FIRST_WORDS).flatMap(emphasised);

const KNOWN = new Set([...OWN_NAMES, ...N8N_WORDS, ...NODES_OF_EXAMPLES, ...OTHERS, ...BEGINNINGS]);

/** A unit or an explanation after the name may be left out: 'Timeout' is the field 'Timeout (Ms)'. */
const SHORT = [...KNOWN].map((name) => name.split(/ \(|: /)[0]);

/** "Options → HTML" and "Resume: On Form Submitted" are two names each. */
const parts = (name: string) =>
	name.split(' → ').flatMap((part) => (KNOWN.has(part) ? [part] : part.split(/: (?=.)/)));

/** Names begin with a capital letter. Sentences, and the words that introduce a paragraph, end with a sign. */
const isName = (text: string) => /^\p{Lu}/u.test(text) && !/[.?:,…]$|[.?] |`/.test(text);

test.each([
	...['README.md', 'SECURITY.md', 'docs/development/verification.md'],
	...USER_PAGES.filter((page) => !/troubl/.test(page)),
])('%s names fields, choices, buttons and nodes as people see them', (page) => {
	const unknown = emphasised(readText(page))
		.flatMap(parts)
		.filter((text) => isName(text) && !KNOWN.has(text) && !SHORT.includes(text));
	expect([...new Set(unknown)]).toEqual([]);
});

test('the sentences of the nodes name fields and buttons as people see them', () => {
	const quoted = [...filesIn('nodes', '.ts'), ...filesIn('credentials', '.ts')].flatMap((file) =>
		[...readText(file).matchAll(/"[^"\n]*"|`[^`\n]*`/g)]
			// Without code and n8n's expressions.
			.map(([text]) => text.replace(/\$\{[^}]*\}|\{\{.*?\}\}/g, ''))
			.flatMap((text) => [...text.matchAll(/'([A-Z][^'\n${}]*)'/g)].map(([, name]) => name)),
	);
	expect(quoted.length).toBeGreaterThan(50);
	const unknown = quoted.flatMap(parts).filter((name) => !KNOWN.has(name) && !SHORT.includes(name));
	expect([...new Set(unknown)]).toEqual([]);
});

/** Options that do something else than usual as soon as they are added. docs/reference.md says so above the table. */
const WHEN_ADDED: Record<string, unknown> = {
	'On Duplicate Recipient': 'Skip',
	'Save as Conversation': true,
	'Send Unusual Texts': true,
	Simplify: false,
};

test('docs/reference.md lists every option of the operations that send, with its default', () => {
	const [{ description }] = NODES;
	const sends = ['sendText', 'sendTemplate', 'send'];
	const collections = description.properties.filter(
		({ name, displayOptions }) =>
			name === 'options' &&
			displayOptions?.show?.operation?.some((operation) => sends.includes(String(operation))),
	);
	expect(collections).toHaveLength(3);
	const options = collections.flatMap((collection) => collection.options as INodeProperties[]);
	const added = new Map(options.map((option) => [option.displayName, shownDefault(option)]));
	const rows = rowsOf(sectionOf('docs/reference.md', 'Options')).slice(1);
	expect(rows.map(([name]) => name)).toEqual([...added.keys()].sort());
	const documented = rows
		.filter(([name]) => !(name in WHEN_ADDED))
		.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]);
	// 'none', 'generated' and 'not sent' are what an empty field does.
	const isEmpty = (value: unknown) => value === '' || value === '{}' || typeof value === 'object';
	for (const [name, value] of documented) {
		const given = added.get(name as string);
		if (isEmpty(given)) expect(value).toMatch(/^(none|generated|not sent)$/);
		else expect([name, given]).toEqual([name, value]);
	}
	expect(
		Object.fromEntries(Object.keys(WHEN_ADDED).map((name) => [name, added.get(name)])),
	).toEqual(WHEN_ADDED);
});

/** The default of an option as the editor shows it. */
function shownDefault({ type, default: value, options }: INodeProperties): unknown {
	const choices = (type === 'options' ? options : []) as INodePropertyOptions[];
	return choices.find((choice) => choice.value === value)?.name ?? value;
}
