import { hash } from 'crypto';
import { fileExists, filesIn, filesOfRepository, readText } from './files';
import { PACKED, USER_PAGES } from './prose';

/* The documents agree with each other, with the code and with the files they name. */

test("the users' pages are all of docs/", () => {
	const pages = filesIn('docs', '.md').filter((page) => !page.startsWith('docs/development/'));
	expect(pages).toEqual([...USER_PAGES].sort());
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

test('README.md and `npm start -- --help` name the same space and time', () => {
	const named = ['README.md', 'demo/options.mjs'].map((file) =>
		/\d+ GB,? and [\d½]+ minutes \(?on two cores/.exec(readText(file))?.[0].replace(/[,(]/g, ''),
	);
	expect(named[0]).toBeDefined();
	expect(named[1]).toBe(named[0]);
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

test('no example has changed since its pictures were taken: `npm run pictures` takes them again', () => {
	const taken = JSON.parse(readText('docs/pictures/taken.json')) as Record<
		string,
		{ example: string; hash: string }
	>;
	const pictures = filesIn('docs/pictures', '.png').map((file) => file.split('/').at(-1));
	expect(Object.keys(taken)).toEqual(pictures);
	const old = Object.entries(taken).filter(
		([, { example, hash: before }]) =>
			hash('sha256', JSON.stringify(JSON.parse(readText(example)))) !== before,
	);
	expect(old.map(([picture]) => picture)).toEqual([]);
});

/* Links within the repository are relative, so that they work on GitHub, on npm and in a clone. */

const LINKING = [
	...['README.md', 'CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', 'SECURITY.md', 'CHANGELOG.md'],
	...['demo/README.md', 'sandbox/README.md', 'examples/README.md', ...filesIn('docs', '.md')],
	...['bench', 'test'].flatMap((folder) => filesIn(folder, '.md')),
];

/** GitHub shows these below another address than their own, so their relative links begin there. */
const FORMS = [...filesIn('.github', '.yml'), ...filesIn('.github', '.md')];

/** Where n8n and GitHub lead people: help of the nodes and the credential, notes of examples, forms for an issue and a pull request. */
const OTHERS = [
	...filesIn('nodes', '.node.json'),
	...filesIn('credentials', '.ts'),
	...filesIn('examples', '.json'),
	...FORMS,
];

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/\s/g, '-');

const withoutCode = (markdown: string) => markdown.replace(/^ *```.*?^ *```/gms, '');

const anchorsOf = (page: string) =>
	[...withoutCode(readText(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

/** Resolves a path in a page to a path from the repository's folder. */
function fromRoot(page: string, path: string): string {
	const steps = [...page.split('/').slice(0, -1), ...path.split('/')];
	const result: string[] = [];
	for (const step of steps) {
		if (step === '..') result.pop();
		else if (step !== '.') result.push(step);
	}
	return result.join('/');
}

const isAlive = (file: string, anchor?: string) =>
	fileExists(file) && (anchor === undefined || anchorsOf(file).includes(anchor));

const linksOf = (page: string) =>
	[...withoutCode(readText(page)).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target)
		.filter((target) => !/^https?:/.test(target));

test.each(LINKING)('the links of %s lead to files and headings that exist', (page) => {
	const dead = linksOf(page).filter((target) => {
		const [path, anchor] = target.split('#');
		const file = path === '' ? page : fromRoot(page, path);
		return !isAlive(file, anchor);
	});
	expect(dead).toEqual([]);
});

test('each exception of the simulation links a heading that tells users of it', () => {
	const links = filesIn('test/simulation', '.mts').flatMap((file) =>
		[...readText(file).matchAll(/(docs\/[\w-]+\.md)#([\w-]+)/g)].map(([, ...link]) => link),
	);
	expect(links.length).toBeGreaterThan(5);
	expect(links.filter(([page, anchor]) => !isAlive(page, anchor))).toEqual([]);
});

/** What only the repository has. */
const NOT_IN_PACKAGE = /^(docs\/pictures|docs\/development|bench|sandbox|test|CONTRIBUTING\.md)/;

test('the pages in the package lead into the package, except to pictures and to pages for developers', () => {
	const missing = PACKED.filter((file) => file.endsWith('.md'))
		.flatMap((page) => linksOf(page).map((target) => [page, ...target.split('#')]))
		.map(([page, path]) => (path === '' ? page : fromRoot(page, path)))
		.filter((file) => !PACKED.includes(file));
	expect(missing.filter((file) => !NOT_IN_PACKAGE.test(file))).toEqual([]);
});

/** The pages of this repository to which a file links as GitHub shows them: each as its path and anchor. */
const pagesOnGitHub = (file: string) =>
	[
		...readText(file).matchAll(
			/(?:github\.com\/[\w-]+\/n8n-nodes-messaging|\]\(\.\.)(?:\/blob\/HEAD\/([^#'")]+))?(?:#([\w-]+))?['")]/g,
		),
	].map(([, page = 'README.md', anchor]): [string, string?] => [
		page,
		// GitHub's own name for the README below the list of files.
		anchor === 'readme' ? undefined : anchor,
	]);

test.each(OTHERS.filter((file) => pagesOnGitHub(file).length > 0))(
	'the pages to which %s leads exist',
	(file) => {
		expect(pagesOnGitHub(file).filter((page) => !isAlive(...page))).toEqual([]);
	},
);

test('the help of the nodes and the credential, and the notes, lead into the repository of package.json', () => {
	const { homepage } = JSON.parse(readText('package.json')) as { homepage: string };
	const addresses = OTHERS.flatMap((file) => [
		...readText(file).matchAll(/https:\/\/github\.com\/[^'"\s)]+/g),
	]).map(([address]) => address);
	expect(addresses.length).toBeGreaterThan(5);
	expect(addresses.filter((address) => !address.startsWith(homepage))).toEqual([]);
});

test('the workflows name each action by its commit, which nobody can move, with its version beside it', () => {
	const used = filesIn('.github/workflows', '.yml').flatMap((file) =>
		[...readText(file).matchAll(/uses: *(.+)/g)].map(([, action]) => action),
	);
	expect(used.length).toBeGreaterThan(5);
	expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+/.test(action))).toEqual([]);
});

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

test.each([...LINKING, ...FORMS])('the npm scripts that %s names exist', (page) => {
	const run = [...readText(page).matchAll(/npm run (?:--silent |-s )?([\w:]+)/g)];
	expect(run.map(([, name]) => name).filter((name) => !(name in scripts))).toEqual([]);
});

/*
 * Whoever reads a page looks for the files that it names. A page may name a file by the end of its path: `sending/plan.ts`.
 */

/** All files and folders, also by the ends of their paths. */
const PLACES = new Set(
	filesOfRepository().flatMap((file) => {
		const steps = file.split('/');
		const folders = steps.map((_, index) => steps.slice(0, index).join('/'));
		return [file, ...folders].flatMap((path) => {
			const parts = path.split('/');
			return parts.map((_, index) => parts.slice(index).join('/'));
		});
	}),
);

const FILE_NAME =
	/(?<![\w./@$*…<>-])(?:\.{1,2}\/)*((?:\.?[\w-]+\/)*[\w-][\w.-]*\.(?:ts|mts|mjs|jsonl|json|md|txt|yml|png))(?![\w-])/g;

const FOLDER_NAME = /`((?:nodes|test|docs|bench|demo|sandbox|examples|\.ci|\.github)\/[\w./-]*)`/g;

/** Files that are written later, or are not ours. */
const NOT_THERE = new Set([
	// CONTRIBUTING.md's worked example adds it.
	'nodes/Messaging/resources/otpTemplate/getByLanguage.ts',
	// The benchmark writes it.
	'results.json',
	// n8n's own repository has these.
	'release-push-to-channel.yml',
	'docker-tags.mjs',
]);

/** What is wrong with the names in a text; in code only with those in comments. */
function filesMissingIn(page: string): string[] {
	const text = readText(page);
	const read = /\.(ts|mts|mjs)$/.test(page) ? commentsIn(text) : text;
	const named = [...read.matchAll(FILE_NAME), ...read.matchAll(FOLDER_NAME)];
	return named
		.map(([, name]) => name.replace(/^blob\/HEAD\/|\/$/g, ''))
		.filter((name) => !PLACES.has(name) && !NOT_THERE.has(name));
}

const commentsIn = (code: string) =>
	[...code.matchAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment).join('\n');

test.each([...LINKING, ...FORMS])('the files that %s names exist', (page) => {
	expect(filesMissingIn(page)).toEqual([]);
});

test('the files that comments name exist', () => {
	const missing = filesOfRepository()
		.filter((file) => /\.(ts|mts|mjs)$/.test(file))
		.map((file): [string, string[]] => [file, filesMissingIn(file)])
		.filter(([, names]) => names.length > 0);
	expect(Object.fromEntries(missing)).toEqual({});
});

/* The picture in CONTRIBUTING.md shows which part may import which. These tests check the code against it. */

const ROOT = 'nodes/Messaging/';
const FILES = filesIn('nodes/Messaging', '.ts');

/** The box of the picture that a file is in. */
function boxOf(file: string): string {
	const path = file.slice(ROOT.length).replace(/\.ts$/, '');
	const [folder, ...rest] = path.split('/');
	return rest.length === 0 ? 'node' : folder;
}

function importsOf(file: string): string[] {
	const sources = [...readText(file).matchAll(/(?:from |import\()'(\.[^']+?)(?:\.js)?'/g)].map(
		([, source]) => source,
	);
	return sources.map((source) => {
		const steps = [...file.split('/').slice(0, -1)];
		for (const step of source.split('/')) {
			if (step === '..') steps.pop();
			else if (step !== '.') steps.push(step);
		}
		return `${steps.join('/')}.ts`;
	});
}

const ARROWS = [...readText('CONTRIBUTING.md').matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(
	([, from, to]) => [from, to],
);

/** All boxes below one. */
function below(box: string): string[] {
	const direct = ARROWS.filter(([from]) => from === box).map(([, to]) => to);
	return [...new Set([...direct, ...direct.flatMap(below)])];
}

test('the picture has a box for every part, and its arrows form no circle', () => {
	const boxes = new Set(ARROWS.flat());
	expect([...new Set(FILES.map(boxOf))].sort()).toEqual([...boxes].sort());
	for (const box of boxes) expect(below(box)).not.toContain(box);
});

test.each([...new Set(FILES.map(boxOf))])('%s imports only what is below it', (box) => {
	const wrong = FILES.filter((file) => boxOf(file) === box).flatMap((file) =>
		importsOf(file)
			.filter((imported) => ![box, ...below(box)].includes(boxOf(imported)))
			.map((imported) => `${file} imports ${imported}`),
	);
	expect(wrong).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
	const open = new Set<string>();
	const done = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string) => {
		if (open.has(file)) circles.push([...open, file].join(' → '));
		if (open.has(file) || done.has(file)) return;
		open.add(file);
		importsOf(file)
			.filter((imported) => FILES.includes(imported))
			.forEach(visit);
		open.delete(file);
		done.add(file);
	};
	FILES.forEach(visit);
	expect(done.size).toBe(FILES.length);
	expect(circles).toEqual([]);
});
