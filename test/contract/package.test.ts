import { Harness } from '../support/harness';
import {
	buildIfAbsent,
	fileExists,
	packageJson,
	packedFiles,
	requiredBy,
} from '../support/packageFiles';
import { serve, success, credentials } from '../support/fakeService';

jest.setTimeout(120_000);

let harness: Harness;
beforeAll(async () => {
	buildIfAbsent();
	harness = await Harness.load({ source: false });
});

test('the package is what the contract says', () => {
	expect(packageJson).toEqual(
		expect.objectContaining({
			name: 'n8n-nodes-messaging',
			license: 'MIT',
			files: ['dist'],
			peerDependencies: { 'n8n-workflow': '*' },
			keywords: expect.arrayContaining(['n8n-community-node-package']),
		}),
	);
	expect(packageJson.n8n).toEqual({
		n8nNodesApiVersion: 1,
		strict: true,
		credentials: ['dist/credentials/MessagingApi.credentials.js'],
		nodes: expect.arrayContaining([
			'dist/nodes/Messaging/Messaging.node.js',
			'dist/nodes/Messaging/MessagingTrigger.node.js',
		]),
	});
});

test.each(['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'])(
	'it has no %s: nothing else is installed with it',
	(field) => {
		expect(Object.keys(packageJson)).not.toContain(field);
	},
);

test('what is packed is the built package and what describes it, nothing else', () => {
	const files = packedFiles();
	const others = files.filter(
		(file) => !/^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg|png)$/.test(file),
	);
	expect(others.sort()).toEqual([
		'LICENSE',
		'README.md',
		'dist/THIRD-PARTY-NOTICES.txt',
		'package.json',
	]);
	expect(files).toEqual(
		expect.arrayContaining([...packageJson.n8n.nodes, ...packageJson.n8n.credentials]),
	);
	expect(files.filter((file) => /test|sandbox|demo|\.ts$|\.map$/i.test(file))).toEqual([]);
});

describe.each([
	['messaging', ['Communication', 'Marketing', 'HITL'], ['Campaign', 'OTP', 'SMS', 'Template']],
	['messagingTrigger', ['Communication', 'Marketing'], ['Campaign', 'Webhook']],
	['messagingLogTrigger', ['Communication', 'Marketing'], ['Campaign', 'Polling']],
])('the built %s', (name, categories, alias) => {
	test('loads under its real type name', () => {
		expect(harness.type(name)).toBe(`n8n-nodes-messaging.${name}`);
		expect(harness.description(name).name).toBe(name);
	});

	test('carries its codex: categories, aliases and documentation', () => {
		const { codex } = harness.description(name);
		expect(codex?.categories).toEqual(categories);
		expect(codex?.alias).toEqual(expect.arrayContaining(alias));
		expect(codex?.resources?.primaryDocumentation?.[0].url).toMatch(/^https:\/\//);
	});

	test('its icons, light and dark, are in the package', () => {
		const { iconUrl } = harness.description(name);
		const { light, dark } = iconUrl as { light: string; dark: string };
		expect(light).not.toBe(dark);
		const prefix = 'icons/n8n-nodes-messaging/';
		for (const url of [light, dark]) {
			expect(url.slice(0, prefix.length)).toBe(prefix);
			expect({ url, exists: fileExists(url.slice(prefix.length)) }).toEqual({ url, exists: true });
		}
	});
});

test('the built credential loads, and its icons are in the package', () => {
	const { iconUrl, name } = harness.credential('messagingApi');
	const { light, dark } = iconUrl as { light: string; dark: string };
	expect(name).toBe('messagingApi');
	for (const url of [light, dark]) {
		expect(fileExists(url.replace('icons/n8n-nodes-messaging/', ''))).toBe(true);
	}
});

test('the built nodes require only n8n, Node.js and what they share', () => {
	const built = [...packageJson.n8n.nodes, 'dist/nodes/Messaging/shared.js'];
	expect([...new Set(built.flatMap(requiredBy))].sort()).toEqual([
		'./shared.js',
		'crypto',
		'n8n-workflow',
	]);
});

test('the built node works', async () => {
	const asked = serve(success([{ id: 'c1' }]));
	const { output, error } = await harness.run(
		'messaging',
		{ resource: 'channel', operation: 'getAll' },
		{ credentials },
	);
	expect({ error, json: output[0]?.[0].json, times: asked.length }).toEqual({
		error: undefined,
		json: { id: 'c1' },
		times: 1,
	});
});
