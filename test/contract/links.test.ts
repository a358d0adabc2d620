import { filesIn, readText } from './files';
import { fileExists } from '../support/packageFiles';

/* Links within the repository are relative, so that they work on GitHub, on npm and in a clone. */

const PAGES = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'demo/README.md'],
	...['sandbox/README.md', 'examples/README.md', ...filesIn('docs', '.md')],
	...['bench', 'test'].flatMap((folder) => filesIn(folder, '.md')),
];

/** GitHub shows these below another address than their own, so their relative links begin there. */
const FORMS = [...filesIn('.github', '.yml'), ...filesIn('.github', '.md')];

/** Where n8n and GitHub lead people: help of the nodes and the credential, forms for an issue and a pull request. */
const OTHERS = [...filesIn('nodes', '.node.json'), ...filesIn('credentials', '.ts'), ...FORMS];

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

test.each(PAGES)('the links of %s lead to files and headings that exist', (page) => {
	const dead = linksOf(page).filter((target) => {
		const [path, anchor] = target.split('#');
		const file = path === '' ? page : fromRoot(page, path);
		return !isAlive(file, anchor);
	});
	expect(dead).toEqual([]);
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

test('the help of each node and of the credential, and the forms, are among them', () => {
	const leading = OTHERS.filter((file) => pagesOnGitHub(file).length > 0);
	expect(leading.filter((file) => file.endsWith('.node.json'))).toHaveLength(3);
	expect(leading).toEqual(
		expect.arrayContaining([
			'credentials/MessagingApi.credentials.ts',
			'.github/ISSUE_TEMPLATE/bug.yml',
			'.github/PULL_REQUEST_TEMPLATE.md',
		]),
	);
});

test('the help of the nodes and the credential leads into the repository of package.json', () => {
	const { homepage } = JSON.parse(readText('package.json')) as { homepage: string };
	const addresses = OTHERS.flatMap((file) => [
		...readText(file).matchAll(/https:\/\/github\.com\/[^'"\s)]+/g),
	]).map(([address]) => address);
	expect(addresses.length).toBeGreaterThan(5);
	expect(addresses.filter((address) => !address.startsWith(homepage))).toEqual([]);
	expect(readText('README.md')).toContain(
		`${homepage.replace('github.com', 'raw.githubusercontent.com')}/HEAD/examples/first-campaign.json`,
	);
});

test.each(FORMS)('relative links of %s lead to pages that GitHub has beside an issue', (form) => {
	const wrong = linksOf(form).filter((target) => !/^\.\.\/(blob\/HEAD|security)\//.test(target));
	expect(wrong).toEqual([]);
});

test('the README has links to check, and no absolute ones into the repository', () => {
	expect(linksOf('README.md').length).toBeGreaterThan(20);
	expect(readText('README.md')).not.toMatch(/github\.com\/n8n-nodes-messaging/);
});

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

/** The file that CONTRIBUTING.md's worked example adds. */
const TO_BE_WRITTEN = 'nodes/Messaging/resources/otpTemplate/getByLanguage.ts';

test.each([...PAGES, ...FORMS])('the npm scripts and files that %s names exist', (page) => {
	const text = readText(page);
	const run = [...text.matchAll(/npm run (?:--silent |-s )?([\w:]+)/g)].map(([, name]) => name);
	const files = [
		...text.matchAll(/`((?:nodes|test|docs|bench|demo|sandbox|examples|\.ci)\/[^`\s<*]+)`/g),
	].map(([, file]) => file);
	expect({
		scripts: run.filter((name) => !(name in scripts)),
		files: files.filter((file) => file !== TO_BE_WRITTEN && !fileExists(file)),
	}).toEqual({ scripts: [], files: [] });
});
