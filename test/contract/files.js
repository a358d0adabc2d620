// Plain JavaScript, because n8n's lint forbids files, processes and the environment in all .ts files, even in tests.
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '../..');
const contract = join(__dirname, 'contract.txt');

/** With UPDATE_CONTRACT=1 or UPDATE_SCHEMAS=1 a test writes these files instead of comparing them. */
exports.isUpdating = (what) => process.env[`UPDATE_${what}`] === '1';

/** @returns {string[]} */
exports.readContract = () => readFileSync(contract, 'utf8').trim().split('\n');

/** @param {string[]} lines */
exports.writeContract = (lines) => writeFileSync(contract, `${lines.join('\n')}\n`);

/**
 * @typedef {object} Schema
 * @property {string} type
 * @property {Record<string, Schema>} [properties]
 * @property {Schema} [items]
 * @property {number} [version]
 */

/** The preview of an operation's output. @param {string} name such as `log/get` */
const schemaFile = (name) => join(root, 'nodes/Messaging/__schema__/v1.0.0', `${name}.json`);

/** @param {string} name @returns {Schema | undefined} */
exports.readSchema = (name) =>
	existsSync(schemaFile(name)) ? JSON.parse(readFileSync(schemaFile(name), 'utf8')) : undefined;

exports.writeSchema = (name, schema) => {
	mkdirSync(dirname(schemaFile(name)), { recursive: true });
	writeFileSync(schemaFile(name), `${JSON.stringify(schema, null, '\t')}\n`);
};

exports.readText = (path) => readFileSync(join(root, path), 'utf8');

exports.fileExists = (path) => existsSync(join(root, path));

/** The files below a folder with such an ending, by path. */
exports.filesIn = (folder, ending) =>
	exports
		.filesOfRepository(folder)
		.filter((file) => file.endsWith(ending))
		.sort();

/** The folders of a clone that git does not have, or that hold what others wrote. */
const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** All files of the repository, by path. @returns {string[]} */
exports.filesOfRepository = (folder = '') =>
	readdirSync(join(root, folder), { withFileTypes: true })
		.filter(({ name }) => !NOT_OURS.has(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name).replaceAll('\\', '/');
			return entry.isDirectory() ? exports.filesOfRepository(path) : [path];
		});

/* The package, as it is built and packed. */

exports.packageJson = JSON.parse(exports.readText('package.json'));

/** Builds `dist` as `npm run build` does, also when it exists: it may be older than the sources. */
exports.build = () => {
	const gulp = join(root, 'node_modules/gulp/bin/gulp.js');
	execFileSync(process.execPath, [gulp], { cwd: root });
};

/** The modules that a built file requires. It must not import any, because n8n does not reload imported modules on an update. */
exports.requiredBy = (path) =>
	[...exports.readText(path).matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name);

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

/* TypeScript takes a second to load: only what needs it loads it. */

/** The compiler options of the tests. */
function options() {
	const ts = require('typescript');
	const file = join(root, 'test/tsconfig.json');
	const { config } = ts.readConfigFile(file, ts.sys.readFile);
	return ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'test')).options;
}

/**
 * Compiles files that do not exist on the disk, or that have another content there.
 *
 * @param {Record<string, string>} files contents by path
 * @returns {string[]} the errors of the compiler
 */
exports.typeErrors = (files) => {
	const ts = require('typescript');
	const contents = new Map(Object.entries(files).map(([path, text]) => [join(root, path), text]));
	const host = ts.createCompilerHost(options());
	const { fileExists, readFile, getSourceFile } = host;
	host.fileExists = (file) => contents.has(file) || fileExists(file);
	host.readFile = (file) => contents.get(file) ?? readFile(file);
	host.getSourceFile = (file, languageVersion, ...more) =>
		contents.has(file)
			? ts.createSourceFile(file, contents.get(file), languageVersion)
			: getSourceFile(file, languageVersion, ...more);
	const program = ts.createProgram([...contents.keys()], options(), host);
	const diagnostics = [...contents.keys()].flatMap((file) => {
		const source = program.getSourceFile(file);
		return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
	});
	return diagnostics.map(({ file, messageText }) => {
		const message = ts.flattenDiagnosticMessageText(messageText, '\n');
		return `${relative(root, file.fileName)}: ${message}`;
	});
};

/** Runs a module as if it were at this path, and returns its exports. */
exports.runModule = (path, content) => {
	const ts = require('typescript');
	const { outputText } = ts.transpileModule(content, {
		compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
	});
	const module = { exports: {} };
	const folder = join(root, path, '..');
	const load = (name) => require(name.startsWith('.') ? join(folder, name) : name);
	new Function('require', 'exports', outputText)(load, module.exports);
	return module.exports;
};
