import { Harness } from '../support/harness';
import { installDatabase } from '../support/processedData';
import { filesIn } from './files';
import { USER_PAGES } from './prose';
import {
	buildIfAbsent,
	fileExists,
	packageJson,
	packedFiles,
	requiredBy,
	runWithN8nWorkflow,
} from '../support/packageFiles';
import { credentials, serve, success } from '../support/mockService';

jest.setTimeout(120_000);

const harness = new Harness();
beforeAll(async () => {
	buildIfAbsent();
	await harness.load({ source: false });
	await installDatabase();
});

test('package.json has the fields that n8n requires', () => {
	expect(packageJson).toEqual(
		expect.objectContaining({
			name: 'n8n-nodes-messaging',
			license: 'MIT',
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
	'it has no %s, so npm installs nothing else with it',
	(field) => {
		expect(Object.keys(packageJson)).not.toContain(field);
	},
);

test("the tarball has the built package, the users' pages, the examples and the licences, and nothing else", () => {
	const files = packedFiles();
	const others = files.filter(
		(file) => !/^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg|png)$/.test(file),
	);
	expect(others.sort()).toEqual(
		[
			...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'],
			...['dist/THIRD-PARTY-NOTICES.txt', 'examples/README.md'],
			...filesIn('examples', '.json'),
			...USER_PAGES,
		].sort(),
	);
	expect(files).toEqual(
		expect.arrayContaining([...packageJson.n8n.nodes, ...packageJson.n8n.credentials]),
	);
	expect(files.filter((file) => /test|sandbox|demo|\.ts$|\.map$/i.test(file))).toEqual([]);
});

describe.each([
	[
		'messaging',
		['Communication', 'Marketing & Content', 'HITL'],
		['Campaign', 'OTP', 'SMS', 'Template'],
	],
	['messagingTrigger', ['Communication', 'Marketing & Content'], ['Campaign', 'Webhook']],
	['messagingLogTrigger', ['Communication', 'Marketing & Content'], ['Campaign', 'Polling']],
])('the built %s', (name, categories, alias) => {
	test('loads under its real type name', () => {
		expect(harness.type(name)).toBe(`n8n-nodes-messaging.${name}`);
		expect(harness.description(name).name).toBe(name);
	});

	test('has its codex: categories, aliases and documentation', () => {
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

test('the built nodes require only n8n, Node.js, their shared file and the numbering plans', () => {
	const plans = 'dist/nodes/Messaging/sending/libphonenumber.js';
	const built = [...packageJson.n8n.nodes, 'dist/nodes/Messaging/shared.js', plans];
	expect([...new Set(built.flatMap(requiredBy))].sort()).toEqual([
		'./sending/libphonenumber',
		'./shared.js',
		'crypto',
		'n8n-workflow',
	]);
});

test('loading the built nodes reads no language data, which takes longer than everything else', () => {
	const load = `
		const fail = (name) => () => { throw new Error(name + ' is used while a node is loaded'); };
		String.prototype.localeCompare = fail('localeCompare');
		for (const name of ['Collator', 'DateTimeFormat', 'NumberFormat']) Intl[name] = fail(name);
		for (const file of ${JSON.stringify(packageJson.n8n.nodes)}) {
			for (const Node of Object.values(require('./' + file))) new Node();
		}`;
	expect(runWithN8nWorkflow(load)).toEqual({ status: 0, stderr: '' });
});

test('the built node works, and finds its numbering plans', async () => {
	const asked = serve(success({ id: 'm1' }));
	const { error } = await harness.run(
		'messaging',
		{
			resource: 'message',
			operation: 'sendText',
			from: { __rl: true, mode: 'phone', value: '447700900100' },
			to: '091 123 4567',
			message: 'Hello',
			options: { defaultCountryCode: '385' },
		},
		{ credentials },
	);
	expect(error).toBeUndefined();
	expect(asked.map(({ body }) => (body as { to: string }).to)).toEqual(['385911234567']);
});
