// Plain JavaScript, because n8n's lint forbids files and the environment in all .ts files.
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const folder = join(__dirname, '../../nodes/Messaging/__schema__/v1.0.0');

/**
 * @typedef {object} Schema
 * @property {string} type
 * @property {Record<string, Schema>} [properties]
 * @property {Schema} [items]
 * @property {number} [version]
 */

/** With UPDATE_SCHEMAS=1 the tests write the schemas instead of comparing them. */
exports.isUpdating = process.env.UPDATE_SCHEMAS === '1';

/** @param {string} name @returns {Schema | undefined} */
exports.readSchema = (name) => {
	const file = join(folder, `${name}.json`);
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};

exports.writeSchema = (name, schema) => {
	const file = join(folder, `${name}.json`);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
};

exports.schemaNames = () =>
	readdirSync(folder, { recursive: true })
		.filter((file) => file.endsWith('.json'))
		.map((file) =>
			relative(folder, join(folder, file))
				.replace(/\.json$/, '')
				.replaceAll('\\', '/'),
		)
		.sort();
