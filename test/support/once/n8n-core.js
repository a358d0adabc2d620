// A test file with jest's own environment loads it again.
module.exports =
	typeof requireOnce === 'function'
		? requireOnce('n8n-core')
		: require('../../../node_modules/n8n-core');
