// A test file with jest's own environment loads it again.
module.exports =
	typeof requireOnce === 'function'
		? requireOnce('n8n-workflow')
		: require('../../../node_modules/n8n-workflow');
