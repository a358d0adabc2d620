// Plain JavaScript, because n8n's lint forbids files and the environment in all .ts files.
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

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
