import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { problemsHere, releaseProblems, tagOfBuild } from '../../.ci/releaseProblems.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

const READY = {
	tag: 'v1.2.0',
	version: '1.2.0',
	changelog: '# Changelog\n\n## [1.2.0] - 2026-11-22\n',
	lines: [
		'package.json:6:"homepage": "https://github.com/ana/messaging"',
		'SECURITY.md:1:# Security',
	],
	placeholders: { repository: 'placeholder/messaging', email: 'nobody@placeholder.example.com' },
};

describe('what keeps a tagged version from being published', () => {
	const cases: Array<[string, Partial<typeof READY>, RegExp[]]> = [
		['nothing', {}, []],
		['a tag that is not the version', { tag: 'v1.3.0' }, [/v1\.3\.0.*1\.2\.0/]],
		[
			'a changelog without the version',
			{ changelog: '## [Unreleased]\n' },
			[/no section.*1\.2\.0/],
		],
		[
			'a version without its date',
			{ changelog: '## [1.2.0] - Unreleased\n' },
			[/no section.*1\.2\.0/],
		],
		[
			'another version in the changelog',
			{ changelog: '## [1.2.01] - 2026-11-22\n## [102.0] - 2026-11-22\n' },
			[/no section/],
		],
		[
			'placeholders',
			{
				lines: [
					'package.json:6:"homepage": "https://github.com/placeholder/messaging"',
					'README.md:9:git clone https://github.com/placeholder/messaging',
					'package.json:17:"email": "nobody@placeholder.example.com"',
				],
			},
			[/repository.*package\.json:6, README\.md:9\.$/, /email.*package\.json:17\.$/],
		],
	];
	for (const [what, change, expected] of cases) {
		it(what, () => {
			const problems = releaseProblems({ ...READY, ...change });
			assert.equal(problems.length, expected.length, problems.join('\n'));
			expected.forEach((pattern, index) => assert.match(problems[index], pattern));
		});
	}

	it('this build, when a tag started it', { skip: !tagOfBuild() && 'no tag' }, () => {
		assert.deepEqual(problemsHere(tagOfBuild() ?? ''), []);
	});
});

describe('npm run release', () => {
	it('on a developer’s machine it stops before n8n-node, which would replace CHANGELOG.md', () => {
		const { GITHUB_REF_TYPE: _, ...env } = process.env;
		const { status, stderr, stdout } = spawnSync('npm', ['run', '--silent', 'release'], {
			cwd: root,
			env,
			encoding: 'utf8',
			shell: process.platform === 'win32',
		});
		assert.equal(status, 1, stdout);
		assert.match(stderr, /Only the workflow of a tag publishes/);
	});
});
