import { statSync } from 'node:fs';
import Module from 'node:module';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { n8nFolder, packageOfN8n } from '../../demo/setup/paths.mjs';

/* A new process that loads n8n, then loads nodes as n8n does, and measures that. */

const require = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'));
require('reflect-metadata');
const { loadClassInIsolation } = require('n8n-core/dist/nodes-loader/load-class-in-isolation.js');
require('n8n-workflow');
require('n8n-core');

/** The classes to load, each as `file#class`. */
const classes = process.argv.slice(2).map((argument) => argument.split('#'));
// The package is in the user's folder, outside n8n's; this makes n8n's modules available to it.
process.env.NODE_PATH = dirname(packageOfN8n('n8n-workflow'));
(Module as unknown as { _initPaths: () => void })._initPaths();
// In n8n other nodes are loaded first, so the measured node is never the first one.
loadClassInIsolation(require.resolve('n8n-nodes-base/dist/nodes/NoOp/NoOp.node.js'), 'NoOp');

const before = new Set(Object.keys(require.cache));
const start = performance.now();
for (const [file, name] of classes) loadClassInIsolation(file, name);
const ms = performance.now() - start;
const files = Object.keys(require.cache).filter((file) => !before.has(file));
process.send!({ ms, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) });
