import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { INodeType } from 'n8n-workflow';
import { rolldown } from 'rolldown';
import type { Break } from './breaks.mts';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The package's nodes and its credential, as one process of n8n has loaded them. */
export interface Package {
	Messaging: new () => INodeType;
	MessagingTrigger: new () => INodeType;
	MessagingLogTrigger: new () => INodeType;
	MessagingApi: new () => {
		authenticate: (credential: object, request: object) => Promise<object>;
	};
}

const ENTRY = 'the-package';

const entryCode = `
export * from ${JSON.stringify(join(root, 'nodes/Messaging/Messaging.node.ts'))};
export * from ${JSON.stringify(join(root, 'nodes/Messaging/MessagingTrigger.node.ts'))};
export * from ${JSON.stringify(join(root, 'nodes/Messaging/MessagingLogTrigger.node.ts'))};
export * from ${JSON.stringify(join(root, 'credentials/MessagingApi.credentials.ts'))};
`;

/**
 * Bundles the nodes with the bundler of the build (gulpfile.js), into one piece.
 *
 * @param broken a deliberate break: a text in a source file that is replaced by another
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
						const parts = code.split(find);
						if (parts.length !== 2) {
							throw new Error(`${file} holds ${parts.length - 1} times: ${find}`);
						}
						applied.add(file + find);
						code = parts.join(replace);
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
		throw new Error(`The break "${broken.name}" does not fit the sources any more.`);
	}
	return output[0].code;
}

/**
 * @returns a function that loads the package anew: each process of n8n has its own locks and memories, and nothing
 * that one keeps in its modules is seen by another
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
