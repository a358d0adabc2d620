import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../demo/setup/paths.mjs';
import { startSandbox } from '../../sandbox/server.mts';
import { problemsHere, releaseProblems, tagOfBuild } from '../../.ci/releaseProblems.mjs';

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

it('npm run release on a developer’s machine stops before n8n-node, which would replace CHANGELOG.md', () => {
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

/* The commands of docs/administration.md install, update, show and remove the package, as they stand there. */

const page = readFileSync(join(root, 'docs/administration.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);

/** Finds the commands that contain a text. */
function commandsWith(text: string): string {
	const found = blocks.filter((block) => block.includes(text));
	assert.equal(found.length, 1, `docs/administration.md has ${found.length} examples with ${text}`);
	return found[0]!;
}

/** What `docker exec … sh -c '…'` runs inside of the container. */
const inside = (commands: string) => /docker exec .*? sh -c '(.*?)'/s.exec(commands)![1]!;

const tarball = /n8n-nodes-messaging-\d+\.\d+\.\d+\.tgz/.exec(page)![0];
let home: string;

before(() => {
	home = mkdtempSync(join(tmpdir(), 'messaging-install-'));
});
after(() => rmSync(home, { recursive: true, force: true }));

/** Writes the package as npm packs it, with one file besides package.json. */
function pack(version: string, file: string) {
	const folder = join(home, version, 'package');
	mkdirSync(join(folder, 'dist'), { recursive: true });
	const scripts = { version: 'what npm runs for a release' };
	const description = { name: 'n8n-nodes-messaging', version, scripts };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(description, undefined, '\t'));
	writeFileSync(join(folder, 'dist', file), '');
	for (const target of [join(home, tarball), join(home, 'messaging.tgz')]) {
		execFileSync('tar', ['czf', target, '-C', join(home, version), 'package']);
	}
}

const run = (commands: string) =>
	execFileSync('sh', ['-ec', commands], {
		cwd: home,
		env: { ...process.env, HOME: home },
		encoding: 'utf8',
	});

describe('docs/administration.md, installed from a file', () => {
	const ways: Array<[string, string]> = [
		['without Docker', commandsWith(`tar xzf ${tarball}`)],
		['in Docker', inside(commandsWith('docker cp')).replace('/tmp/messaging.tgz', 'messaging.tgz')],
	];
	const installed = () => join(home, '.n8n/nodes/node_modules/n8n-nodes-messaging');

	for (const [way, commands] of ways) {
		it(`${way}: the package is installed, and an update leaves nothing of the old version`, () => {
			rmSync(join(home, '.n8n'), { recursive: true, force: true });
			pack('0.1.0', 'old.js');
			run(commands);
			assert.ok(existsSync(join(installed(), 'dist/old.js')));
			pack('0.1.1', 'new.js');
			run(commands);
			assert.ok(existsSync(join(installed(), 'dist/new.js')));
			assert.equal(existsSync(join(installed(), 'dist/old.js')), false);
		});
	}

	it('in an image of your own: the package is copied at every start, then n8n starts with its arguments', () => {
		const [, tarballInImage, entrypoint] =
			/^ADD --chown=node:node (\S+) \/opt\/\nENTRYPOINT (\[.*\])$/m.exec(page)!;
		assert.equal(tarballInImage, tarball);
		const [init, end, ...command] = JSON.parse(entrypoint!) as string[];
		assert.deepEqual([init, end], ['tini', '--']);
		const starter = join(home, 'start.sh');
		writeFileSync(starter, 'echo "started: $*"\n', { mode: 0o755 });
		for (const [version, file] of [
			['0.1.0', 'old.js'],
			['0.1.1', 'new.js'],
		] as const) {
			pack(version, file);
			// Docker unpacks what it adds.
			run(`rm -rf opt && mkdir opt && tar xzf ${tarball} -C opt`);
			const [shell, option, script, name] = command;
			const here = script!
				.replace('/opt/package', join(home, 'opt/package'))
				.replace('/docker-entrypoint.sh', `sh ${starter}`);
			const started = execFileSync(shell!, [option!, here, name!, 'worker'], {
				env: { ...process.env, HOME: home },
				encoding: 'utf8',
			});
			assert.equal(started, 'started: worker\n');
			assert.ok(existsSync(join(installed(), 'dist', file)));
		}
		assert.equal(existsSync(join(installed(), 'dist/old.js')), false);
	});

	/** The same for both: the first command in the container, the second without Docker. */
	const bothWith = (text: string) => {
		const lines = commandsWith(text).trim().split('\n');
		const [docker, plain] = lines.filter((line) => !line.startsWith('#')) as [string, string];
		return [inside(docker), plain];
	};

	it('the version is shown, and nothing else, in Docker and without', () => {
		for (const command of bothWith('grep')) {
			assert.match(run(command), /^\s*"version": "0\.1\.1",\n$/);
		}
	});

	it('the package is removed, in Docker and without', () => {
		for (const command of bothWith(" 'rm -r ")) {
			mkdirSync(installed(), { recursive: true });
			run(command);
			assert.equal(existsSync(installed()), false);
		}
	});
});

it('the command of README.md shows whether a service has the interface', async () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const [, command] = /^```sh\n(curl .*)\n```/m.exec(readme)!;
	const sandbox = await startSandbox({ port: 0 });
	try {
		const answer = async (key: string) => {
			const asked = command!
				.replace('https://<address of your provider>', sandbox.url)
				.replace('<your key>', key);
			const { stdout } = await promisify(execFile)('sh', ['-ec', asked]);
			return JSON.parse(stdout) as { success: boolean; data: Array<{ phone: string }> };
		};
		const { success, data } = await answer(sandbox.apiKey);
		assert.equal(success, true);
		assert.ok(data.some(({ phone }) => phone === '12025550100'));
		assert.equal((await answer('wrong')).success, false);
	} finally {
		await sandbox.close();
	}
});
