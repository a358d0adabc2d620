// Plain JavaScript, because n8n's lint forbids files in all .ts files, even in tests.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** The file of texts. @type {string} */
exports.FILE = readFileSync(join(__dirname, 'texts.txt'), 'utf8').replaceAll('⍽', '\u00a0');
