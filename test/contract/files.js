// Plain JavaScript, because n8n's lint forbids files and the environment in all .ts files.
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const root = join(__dirname, '../..');
const contract = join(__dirname, 'contract.json');

/** With UPDATE_CONTRACT=1 the test writes the contract instead of comparing it. */
exports.isUpdating = process.env.UPDATE_CONTRACT === '1';

exports.readContract = () => JSON.parse(readFileSync(contract, 'utf8'));

/** Writes the contract as Prettier formats it, so that a diff shows only real changes. */
exports.writeContract = (value) => {
	writeFileSync(contract, JSON.stringify(value));
	const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
	execFileSync(process.execPath, [prettier, '--write', contract], { cwd: root });
};

exports.readText = (path) => readFileSync(join(root, path), 'utf8');

exports.filesIn = (folder, ending) =>
	readdirSync(join(root, folder), { recursive: true })
		.filter((file) => file.endsWith(ending))
		.map((file) => join(folder, file).replaceAll('\\', '/'))
		.sort();

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
