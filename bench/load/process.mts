import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder } from '../../demo/setup/paths.mjs';

/*
 * A fresh process that has loaded what n8n has loaded anyway, and then loads nodes as n8n does. Says what
 * that took: time, modules, JavaScript, memory.
 */

const require = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'));
require('reflect-metadata');
const { loadClassInIsolation } = require('n8n-core/dist/nodes-loader/load-class-in-isolation.js');
require('n8n-workflow');
require('n8n-core');

/** `file#class`, each. */
const classes = process.argv.slice(2).map((argument) => argument.split('#'));
// The package lives in a folder of n8n's user; n8n's own modules are found for it this way.
process.env.NODE_PATH = join(n8nFolder, 'node_modules');
(Module as unknown as { _initPaths: () => void })._initPaths();
// Somebody else's node first: n8n has loaded others before.
loadClassInIsolation(require.resolve('n8n-nodes-base/dist/nodes/NoOp/NoOp.node.js'), 'NoOp');

const before = new Set(Object.keys(require.cache));
globalThis.gc!();
const heapBefore = process.memoryUsage().heapUsed;
const start = performance.now();
for (const [file, name] of classes) loadClassInIsolation(file, name);
const ms = performance.now() - start;
globalThis.gc!();
const heapKb = (process.memoryUsage().heapUsed - heapBefore) / 1024;
const files = Object.keys(require.cache).filter((file) => !before.has(file));
const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
process.send!({ ms, modules: files.length, javaScriptKb: bytes / 1024, heapKb });
