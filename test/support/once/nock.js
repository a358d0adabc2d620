// A test file with jest's own environment loads it again.
module.exports =
	typeof requireOnce === 'function' ? requireOnce('nock') : require('../../../node_modules/nock');
