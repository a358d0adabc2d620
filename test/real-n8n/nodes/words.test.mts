import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { packageOfN8n, root } from '../../../demo/setup/paths.mjs';

/* The documents quote what n8n calls its buttons, settings and nodes: a reader looks for exactly these words. */

const words: Record<string, string[]> = JSON.parse(
	readFileSync(join(root, 'test/contract/n8nWords.json'), 'utf8'),
);

/** The texts of n8n's editor, nodes, pages and answers. */
function* texts(): Generator<string> {
	const [editor, n8n] = ['n8n-editor-ui', 'n8n'].map(packageOfN8n);
	for (const folder of [join(editor, 'dist/assets'), join(n8n, 'dist'), join(n8n, 'templates')]) {
		for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
			if (/\.(js|handlebars)$/.test(file)) yield readFileSync(join(folder, file), 'utf8');
		}
	}
	for (const nodes of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		yield readFileSync(join(packageOfN8n(nodes), 'dist/types/nodes.json'), 'utf8');
	}
}

/** The documents quote the newest n8n. */
const options = { skip: process.env.MESSAGING_N8N === 'oldest' && 'words of the newest n8n' };

it('n8n has every word that the documents quote from it', options, () => {
	const missing = new Set(Object.values(words).flat());
	for (const text of texts()) {
		for (const word of missing) if (text.includes(word)) missing.delete(word);
		if (missing.size === 0) return;
	}
	assert.deepEqual([...missing], []);
});

it('n8n has the call that retries an execution, as the documents give it', options, () => {
	const page = readFileSync(join(root, 'docs/when-it-fails.md'), 'utf8');
	assert.match(page, /\/api\/v1\/executions\/<execution ID>\/retry/);
	assert.match(page, /X-N8N-API-KEY.*"loadWorkflow": true/s);
	const api = readFileSync(join(packageOfN8n('n8n'), 'dist/public-api/v1/openapi.yml'), 'utf8');
	const [, retry = ''] = api.split(/^ {2}\/executions\/\{\w+\}\/retry:$/m);
	assert.match(retry.split(/^ {2}\//m)[0] ?? '', /post:.*loadWorkflow:\s+type: boolean/s);
	assert.match(api, /name: X-N8N-API-KEY/);
});
