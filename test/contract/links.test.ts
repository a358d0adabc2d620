import { filesIn, readText } from './files';
import { fileExists } from '../support/packageFiles';

/* Links within the repository are relative, so that they work on GitHub, on npm and in a clone. */

const PAGES = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'demo/README.md'],
	...['sandbox/README.md', 'examples/README.md', 'bench/README.md', ...filesIn('docs', '.md')],
	...['test/simulation/README.md', 'test/mutation/README.md'],
];

/** A heading as GitHub names its anchor. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replace(/\s/g, '-');

const withoutCode = (markdown: string) => markdown.replace(/^ *```.*?^ *```/gms, '');

const anchorsOf = (page: string) =>
	[...withoutCode(readText(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

/** A path as it is from the repository's folder. */
function fromRoot(page: string, path: string): string {
	const steps = [...page.split('/').slice(0, -1), ...path.split('/')];
	const result: string[] = [];
	for (const step of steps) {
		if (step === '..') result.pop();
		else if (step !== '.') result.push(step);
	}
	return result.join('/');
}

const linksOf = (page: string) =>
	[...withoutCode(readText(page)).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target]) => target)
		.filter((target) => !/^https?:/.test(target));

test.each(PAGES)('the links of %s lead somewhere', (page) => {
	const dead = linksOf(page).filter((target) => {
		const [path, anchor] = target.split('#');
		const file = path === '' ? page : fromRoot(page, path);
		if (!fileExists(file)) return true;
		return anchor !== undefined && !anchorsOf(file).includes(anchor);
	});
	expect(dead).toEqual([]);
});

test('the README has links to check, and no absolute ones into the repository', () => {
	expect(linksOf('README.md').length).toBeGreaterThan(20);
	expect(readText('README.md')).not.toMatch(/github\.com\/n8n-nodes-messaging/);
});
