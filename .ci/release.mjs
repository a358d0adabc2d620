/*
 * Publishes a tagged version to npm, in the workflow that the tag starts. Elsewhere it refuses, because
 * `n8n-node release` on a developer's machine replaces CHANGELOG.md by the titles of the commits.
 *
 *   node .ci/release.mjs                    publishes, in the workflow
 *   node .ci/release.mjs --check [v1.2.3]   only says what must change before that tag can be published
 */
import { spawnSync } from 'node:child_process';
import { problemsHere, tagOfBuild, tagOfPackage } from './releaseProblems.mjs';

const [option, wanted] = process.argv.slice(2);
const onlyCheck = option === '--check';
const tag = onlyCheck ? (wanted ?? tagOfBuild() ?? tagOfPackage()) : tagOfBuild();

if (!tag) {
	console.error('Only the workflow of a tag publishes. docs/development/release.md has the steps.');
	process.exit(1);
}

const problems = problemsHere(tag);
if (problems.length > 0) {
	console.error(problems.join('\n'));
	process.exit(1);
}
console.log(`${tag} can be published.`);

if (!onlyCheck) {
	const { status } = spawnSync('n8n-node', ['release'], { stdio: 'inherit' });
	process.exit(status ?? 1);
}
