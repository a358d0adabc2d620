import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { INodeType } from 'n8n-workflow';
import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A deliberate defect in the nodes: it shows that the simulation can find such a defect. */
export interface Break {
	name: string;
	/** Lines of a source, which it has exactly once, and their replacement. Indentation does not count. */
	changes: Array<{ file: string; find: string[]; replace: string[] }>;
	/** Only worlds of this scenario are played to find it; without it, worlds of all scenarios. */
	scenario?: string;
}

/** The package's nodes and its credential, as a process of n8n loads them. */
export interface Package {
	Messaging: new () => INodeType;
	MessagingTrigger: new () => INodeType;
	MessagingApi: new () => {
		authenticate: (credential: object, request: object) => Promise<object>;
	};
}

const ENTRY = 'the-package';

const entryCode = `
export * from ${JSON.stringify(join(root, 'nodes/Messaging/Messaging.node.ts'))};
export * from ${JSON.stringify(join(root, 'nodes/Messaging/MessagingTrigger.node.ts'))};
export * from ${JSON.stringify(join(root, 'credentials/MessagingApi.credentials.ts'))};
`;

/** Finds the lines of a change in a source, however they are indented. */
const patternOf = (lines: readonly string[]) =>
	new RegExp(lines.map((line) => line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'g');

/**
 * Checks that the lines that a deliberate break replaces are in its source file exactly once.
 *
 * @returns a sentence for each change that does not fit
 */
export function misfitsOf(breaks: readonly Break[]): string[] {
	return breaks.flatMap(({ name, changes }) =>
		changes.flatMap(({ file, find }) => {
			const path = join(root, file);
			if (!existsSync(path)) return [`The break "${name}" names ${file}, which does not exist.`];
			const times = readFileSync(path, 'utf8').match(patternOf(find))?.length ?? 0;
			if (times === 1) return [];
			return [
				`The break "${name}" needs this once in ${file}, which has it ${times} times: ${find.join(' ')}`,
			];
		}),
	);
}

/**
 * Bundles the nodes with the bundler of the build (gulpfile.js), into one piece.
 *
 * @param broken a deliberate break, whose lines replace those of the sources
 */
export async function bundleNodes(broken?: Break): Promise<string> {
	const applied = new Set<string>();
	const bundle = await rolldown({
		input: ENTRY,
		external: [/^n8n-workflow$/, /^(node:)?(crypto|buffer|util|stream|zlib)$/],
		platform: 'node',
		onLog: () => {},
		plugins: [
			{
				name: 'simulation',
				resolveId: (id) => (id === ENTRY ? id : undefined),
				load: (id) => (id === ENTRY ? entryCode : undefined),
				transform(code, id) {
					for (const { file, find, replace } of broken?.changes ?? []) {
						if (!id.endsWith(`/${file}`)) continue;
						applied.add(file + find.join());
						code = code.replace(patternOf(find), () => replace.join('\n'));
					}
					return code;
				},
			},
		],
	});
	const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false });
	await bundle.close();
	if (output.length !== 1) throw new Error('The nodes were not bundled into one file.');
	if (broken && applied.size !== broken.changes.length) {
		throw new Error(`The break "${broken.name}" is in a file that is not part of the bundle.`);
	}
	return output[0].code;
}

/**
 * @returns a function that loads a new copy of the package: processes of n8n share no locks and no memory
 */
export function packageLoader(code: string): () => Package {
	const run = compileFunction(code, ['exports', 'require', 'module'], {
		filename: join(root, 'nodes', 'simulated.js'),
	});
	return () => {
		const module = { exports: {} };
		run(module.exports, require, module);
		return module.exports as Package;
	};
}
