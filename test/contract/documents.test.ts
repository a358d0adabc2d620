import { filesIn, readText } from './files';
import {
	asRead,
	paragraphsOf,
	sectionOf,
	sentencesIn,
	USER_PAGES,
	withoutNames,
	wordsIn,
} from './prose';

/* The documents are short enough to be read, and agree with each other about versions. */

test('README.md has at most 1,000 words', () => {
	expect(wordsIn(readText('README.md'))).toBeLessThanOrEqual(1000);
});

test("the users' pages have at most 8,000 words together, and are all of docs/", () => {
	const words = USER_PAGES.map((page) => wordsIn(readText(page)));
	expect(words.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(8000);
	const pages = filesIn('docs', '.md').filter((page) => !page.startsWith('docs/development/'));
	expect(pages).toEqual([...USER_PAGES].sort());
});

test.each([
	['docs/triggers.md', undefined, 900],
	['docs/administration.md', 'Many webhooks at once', 150],
])('%s (%s) has at most %i words', (page, title, most) => {
	expect(wordsIn(title ? sectionOf(page, title) : readText(page))).toBeLessThanOrEqual(most);
});

const PAGES = [
	...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/README.md'],
	...['demo/README.md', 'bench/README.md', ...filesIn('docs', '.md')],
];

describe.each(PAGES)('%s', (page) => {
	const paragraphs = paragraphsOf(readText(page));

	test('has no sentence of more than 35 words', () => {
		const long = paragraphs.flatMap(sentencesIn).filter((sentence) => wordsIn(sentence) > 35);
		expect(long).toEqual([]);
	});

	test('has no paragraph with two parentheses', () => {
		const nested = paragraphs.filter((text) => withoutNames(text).split('(').length > 2);
		expect(nested).toEqual([]);
	});
});

test('the checks find what they look for', () => {
	const long = `Very ${'word '.repeat(35)}end.`;
	expect(sentencesIn(`Short. ${long}`).map(wordsIn)).toEqual([1, 37]);
	expect(sentencesIn('It is `a.b`. `c` follows.')).toEqual(['It is code.', 'code follows.']);
	expect(withoutNames('*Timeout (Ms)* (a) [b](c) (d)').split('(')).toHaveLength(3);
	expect(asRead('![picture](x.png) **[Link](y.md)** `z`').trim()).toBe('Link code');
	expect(paragraphsOf('# A\n\nb\nc\n- d\n- e\n\n| f | g |\n|---|---|\n')).toEqual([
		'A',
		'b c',
		'd',
		'e',
		'f',
		'g',
	]);
});

type Package = { name: string; version: string; dependencies?: { n8n: string } };
const packageAt = (folder: string) => JSON.parse(readText(`${folder}package.json`)) as Package;

/** Pages that lack a text, with the text: shorter to read than two whole pages. */
const missing = (texts: Record<string, string | RegExp>) =>
	Object.entries(texts).filter(([page, text]) => readText(page).search(text) < 0);
const quoted = (text: string) => new RegExp(text.replace(/[.*+?()|[\]]/g, '\\$&'));

test('the version of the first release, and the file of it, are everywhere the same', () => {
	const { name, version } = packageAt('');
	expect(
		missing({
			'README.md': quoted(`the first will be ${version}`),
			'CHANGELOG.md': quoted(`The first release, ${version}.`),
			'docs/development/release.md': quoted(`\`git tag v${version}\``),
		}),
	).toEqual([]);
	const files = [...USER_PAGES, ...filesIn('docs/development', '.md')].flatMap((page) =>
		[...readText(page).matchAll(/n8n-nodes-messaging-[^\s`]*?\.tgz/g)].map(([file]) => file),
	);
	expect([...new Set(files)]).toEqual([`${name}-${version}.tgz`]);
});

test('the documents name the oldest and the newest n8n that the tests run', () => {
	const [oldest, newest] = ['demo/n8n-oldest/', 'demo/n8n/'].map(
		(folder) => packageAt(folder).dependencies!.n8n,
	);
	const tested = quoted(`on ${oldest} and ${newest}`);
	const [minor] = /^\d+\.\d+/.exec(oldest)!;
	const supported = new RegExp(`${minor.replace('.', '\\.')}[* ]+(?:or|and) newer`);
	expect([
		...missing({ 'README.md': tested, 'CHANGELOG.md': tested }),
		...missing({ 'README.md': supported, 'CHANGELOG.md': supported }),
		...missing({ 'docs/administration.md': supported }),
		...missing({ 'docs/administration.md': quoted(`| n8n ${oldest} | n8n ${newest} |`) }),
	]).toEqual([]);
});

test('every picture is in a page, and every example of JSON can be read', () => {
	const pages = ['README.md', 'examples/README.md', ...filesIn('docs', '.md')].map(readText);
	const unused = filesIn('docs/pictures', '.png').filter(
		(picture) => !pages.some((page) => page.includes(picture.replace('docs/', ''))),
	);
	expect(unused).toEqual([]);
	const examples = pages.flatMap((page) => [...page.matchAll(/^```json\n(.*?)^```/gms)]);
	expect(examples.length).toBeGreaterThan(4);
	for (const [, json] of examples) expect(() => JSON.parse(json) as unknown).not.toThrow();
});
