import { filesIn, readText } from './files';

/** What users and administrators read, besides README.md. */
export const USER_PAGES = [
	'first-campaign',
	'recipes',
	'for-developers',
	'when-it-fails',
	'troubleshooting',
	'reference',
	'triggers',
	'reports',
	'asking-a-person',
	'limits',
	'administration',
].map((name) => `docs/${name}.md`);

/** What the package has besides the built nodes, as package.test.ts reads from its tarball. */
export const PACKED = [
	...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'],
	...['dist/THIRD-PARTY-NOTICES.txt', 'examples/README.md'],
	...filesIn('examples', '.json'),
	...USER_PAGES,
	'docs/development/interface.md',
];

const withoutBlocks = (markdown: string) =>
	markdown.replace(/^ *```.*?^ *```/gms, '').replace(/<!--.*?-->/gs, '');

/** Counts the words that a person reads: without code, pictures and the addresses of links. */
export const wordsIn = (markdown: string) =>
	withoutBlocks(markdown)
		.replace(/`[^`\n]*`/g, ' ')
		.replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
		.replace(/\]\([^)]*\)/g, ']')
		.split(/\s+/)
		.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The text below a heading, up to the next heading of the same or a higher level. */
export function sectionOf(page: string, title: string): string {
	const lines = readText(page).split('\n');
	const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title);
	if (start < 0) throw new Error(`${page} has no heading "${title}"`);
	const level = lines[start].indexOf(' ');
	const rest = lines.slice(start + 1);
	const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
	return (end < 0 ? rest : rest.slice(0, end)).join('\n');
}

/** The paragraphs of a page; each item of a list and each cell of a table is one. Without blocks of code. */
export function paragraphsOf(markdown: string): string[] {
	return withoutBlocks(markdown)
		.split(/\n\s*\n/)
		.flatMap((block) => block.split(/\n(?=\s*(?:[-*>]|\d+\.) |\s*\||#+ )/))
		.flatMap((line) => (/^\s*\|/.test(line) ? line.split(/(?<!\\)\|/) : [line]))
		.map((text) => text.replace(/^[\s>]*(?:(?:-|\*|\d+\.|#+) )?/, '').replace(/\s+/g, ' '))
		.map((text) => text.trim())
		.filter((text) => /\p{L}/u.test(text));
}

/** The texts in bold or italics: names in the editor, and a few other words. */
export const emphasised = (markdown: string) =>
	paragraphsOf(markdown)
		.map((text) => text.replace(/`[^`]+`/g, '`'))
		.flatMap((text) => [...text.matchAll(/\*\*([^*]+)\*\*|(?<![*\p{L}])\*([^*]+)\*(?![*\p{L}])/gu)])
		.map(([, bold, italic]) => bold ?? italic);

/** The rows of the tables in a text, by cell, without the line below the head. */
export const rowsOf = (markdown: string) =>
	withoutBlocks(markdown)
		.split('\n')
		.filter((line) => line.startsWith('|') && !/^\|[-|\s]+\|$/.test(line))
		.map((line) =>
			line
				.split(/(?<!\\)\|/)
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
