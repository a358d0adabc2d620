const { createRequire } = require('node:module');
const { TestEnvironment } = require('jest-environment-node');

/** Jest's own environment, in which test/support/n8n.ts finds Node's own `require`. */
module.exports = class extends TestEnvironment {
	constructor(...values) {
		super(...values);
		this.global.requireOnce = createRequire(require.resolve('../support/mainRealm.js'));
	}
};
