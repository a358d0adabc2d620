import { fileExists } from '../support/packageFiles';
import { readText } from './files';

/* Stryker and jest ignore a name that matches no file. So without this test, a renamed file would no longer be mutated. */

/** The files that patterns such as `${sources}/sending/{check,deliver}.ts` name. */
function filesNamedIn(config: string): string[] {
	const patterns = readText(config).matchAll(
		/['`](?:\$\{sources\}|<rootDir>)\/([\w/]+)\/(\{[\w,]+\}|\w+)((?:\.test)?\.ts)['`]/g,
	);
	const root = config.endsWith('jest.config.js') ? '' : 'nodes/Messaging/';
	return [...patterns].flatMap(([, folder, names, ending]) =>
		names
			.replace(/[{}]/g, '')
			.split(',')
			.map((name) => `${root}${folder}/${name}${ending}`),
	);
}

test.each(['stryker.config.mjs', 'core.config.mjs', 'jest.config.js'])(
	'test/mutation/%s names only files that exist',
	(config) => {
		const files = filesNamedIn(`test/mutation/${config}`);
		expect(files.length).toBeGreaterThan(5);
		expect(files.filter((file) => !fileExists(file))).toEqual([]);
	},
);
