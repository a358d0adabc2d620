// Plain JavaScript, because n8n's lint forbids files and processes in all .ts files, even in tests.
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');

exports.packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

exports.fileExists = (path) => existsSync(join(root, path));

/** The modules that a built file requires. It must not import any, because n8n does not reload imported modules on an update. */
exports.requiredBy = (path) => {
	const code = readFileSync(join(root, path), 'utf8');
	return [...code.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name);
};

/** Builds `dist` as `npm run build` does, also when it exists: it may be older than the sources. */
exports.build = () => {
	const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
	execFileSync(process.execPath, [gulp], { cwd: root });
};

/** The files that `npm pack` puts into the package. */
/** @returns {string[]} */
exports.packedFiles = () => {
	const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ files }] = Object.values(JSON.parse(output));
	return files.map(({ path }) => path);
};

/** Runs a script in a new process, below the package's folder, after n8n-workflow was loaded. */
exports.runWithN8nWorkflow = (script) => {
	const { status, stderr } = spawnSync(process.execPath, ['-r', 'n8n-workflow', '-e', script], {
		cwd: root,
		encoding: 'utf8',
	});
	return { status, stderr };
};
