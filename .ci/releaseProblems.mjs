import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** @param {string} file */
const read = (file) => readFileSync(`${root}${file}`, 'utf8');
const LIST = '.ci/placeholders.json';

/** The tag that started this build on GitHub, or undefined. */
export const tagOfBuild = (env = process.env) =>
	env.GITHUB_REF_TYPE === 'tag' ? env.GITHUB_REF_NAME : undefined;

/** The tag that the version in package.json will have. */
export const tagOfPackage = () => `v${versionHere()}`;

/** @returns {string} */
const versionHere = () => JSON.parse(read('package.json')).version;

/**
 * Says in sentences what must change before the tagged version can be published.
 *
 * @param {{ tag: string, version: string, changelog: string, lines: string[], placeholders: Record<string, string> }} release
 *   `lines`: every line of the repository, as `file:number:text`
 * @returns {string[]}
 */
export function releaseProblems({ tag, version, changelog, lines, placeholders }) {
	const problems = [];
	if (tag !== `v${version}`) {
		problems.push(`The tag is ${tag}, but the version in package.json is ${version}.`);
	}
	const heading = new RegExp(
		`^## \\[?${version.replaceAll('.', '\\.')}\\]?\\s.*\\d{4}-\\d{2}-\\d{2}`,
		'm',
	);
	if (!heading.test(changelog)) {
		problems.push(`CHANGELOG.md has no section "## [${version}] - <date>".`);
	}
	for (const [what, placeholder] of Object.entries(placeholders)) {
		const places = lines
			.filter((line) => line.includes(placeholder))
			.map((line) => line.split(':').slice(0, 2).join(':'));
		if (places.length === 0) continue;
		problems.push(
			`The ${what} is still the placeholder "${placeholder}". Replace it in ${places.join(', ')}.`,
		);
	}
	return problems;
}

/**
 * The same for the files of this repository.
 *
 * @param {string} tag
 */
export function problemsHere(tag) {
	const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
	const lines = files
		.split('\n')
		.filter((file) => file !== '' && file !== LIST)
		.flatMap((file) =>
			read(file)
				.split('\n')
				.map((text, index) => `${file}:${index + 1}:${text}`),
		);
	return releaseProblems({
		tag,
		version: versionHere(),
		changelog: read('CHANGELOG.md'),
		lines,
		placeholders: JSON.parse(read(LIST)),
	});
}
