// Jest runs each test file in a realm of its own, where n8n-core would be loaded again: two seconds for each file. In this
// environment all files of a worker share Node's own realm, and n8n is loaded once (once/). The modules of this
// repository are still loaded for each file.
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// n8n-core must not use ~/.n8n.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-test-'));
process.env.N8N_ENCRYPTION_KEY ??= 'test-only';
process.env.N8N_LOG_LEVEL ??= 'silent';

/** Stands for Node's own realm, for which Node has no handle. */
const MAIN = {};

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options }) =>
	compileFunction(code, parameters, {
		...options,
		...(parsingContext !== MAIN && { parsingContext }),
	});

module.exports = class MainRealm {
	constructor({ projectConfig }) {
		this.global = globalThis;
		Object.assign(globalThis, projectConfig.globals, { requireOnce: require });
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	async setup() {}

	/** The next file finds the realm as this one did. */
	async teardown() {
		this.moduleMocker.restoreAllMocks();
		this.fakeTimersModern.dispose();
		delete globalThis.requireOnce;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return MAIN;
	}
};
