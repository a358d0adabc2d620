import { Harness } from '../support/harness';
import { installDatabase } from '../support/n8n';
import { PACKED } from './prose';
import {
	build,
	fileExists,
	packageJson,
	packedFiles,
	requiredBy,
	runWithN8nWorkflow,
} from './files';
import { credentials, serve, success } from '../support/mockService';
import { sending } from '../support/runMessaging';

jest.setTimeout(120_000);

const harness = new Harness();
beforeAll(async () => {
	build();
	await harness.load({ source: false });
	await installDatabase();
});

test('package.json has the fields that n8n requires', () => {
	expect(packageJson).toMatchObject({
		name: 'n8n-nodes-messaging',
		license: 'MIT',
		peerDependencies: { 'n8n-workflow': '*' },
		n8n: {
			n8nNodesApiVersion: 1,
			strict: true,
			credentials: ['dist/credentials/MessagingApi.credentials.js'],
		},
	});
	expect(packageJson.keywords).toContain('n8n-community-node-package');
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
	expect(others.sort()).toEqual([...PACKED].sort());
	expect(files).toEqual(
		expect.arrayContaining([...packageJson.n8n.nodes, ...packageJson.n8n.credentials]),
	);
	expect(files.filter((file) => /test|sandbox|demo|\.ts$|\.map$/i.test(file))).toEqual([]);
});

describe.each([
	['messaging', ['Send Template', 'One Time Password', 'Mailing List', 'Human in the Loop']],
	['messagingTrigger', ['Campaign', 'Webhook']],
	['messagingLogTrigger', ['Campaign', 'Polling']],
])('the built %s', (name, alias) => {
	test('loads under its real type name, with its categories, aliases and documentation', () => {
		expect(harness.type(name)).toBe(`n8n-nodes-messaging.${name}`);
		const { codex, name: loaded } = harness.description(name);
		expect(loaded).toBe(name);
		expect(codex?.categories).toEqual(
			expect.arrayContaining(['Communication', 'Marketing & Content']),
		);
		expect(codex?.alias).toEqual(expect.arrayContaining(alias));
		// Without an anchor: n8n adds "?utm_source=…" at the end, which would become part of it.
		expect(codex?.resources?.primaryDocumentation?.[0].url).toMatch(/^https:\/\/[^#]+$/);
	});
});

test('the icons of the built nodes and credential, light and dark, are in the package', () => {
	const names = ['messaging', 'messagingTrigger', 'messagingLogTrigger'];
	const all = [...names.map(harness.description), harness.credential('messagingApi')];
	const urls = all.flatMap(({ iconUrl }) => Object.values(iconUrl as { light: string }));
	expect(new Set(urls).size).toBeGreaterThan(1);
	const path = (url: string) => url.replace('icons/n8n-nodes-messaging/', '');
	expect(urls.filter((url) => !fileExists(path(url)))).toEqual([]);
});

test('the built nodes require only n8n, Node.js, their own files and the numbering plans', () => {
	const others = ['shared.js', 'onDemand.js', 'phone/libphonenumber.js'];
	const built = [...packageJson.n8n.nodes, ...others.map((file) => `dist/nodes/Messaging/${file}`)];
	expect([...new Set(built.flatMap(requiredBy))].sort()).toEqual([
		'./onDemand.js',
		'./phone/libphonenumber',
		'./shared.js',
		'crypto',
		'n8n-workflow',
	]);
});

test('loading the built nodes reads no language data and no code page, which takes longer than everything else', () => {
	const load = `
		const fail = (name) => () => { throw new Error(name + ' is used while a node is loaded'); };
		String.prototype.localeCompare = fail('localeCompare');
		for (const name of ['Collator', 'DateTimeFormat', 'NumberFormat']) Intl[name] = fail(name);
		globalThis.TextDecoder = fail('TextDecoder');
		for (const file of ${JSON.stringify(packageJson.n8n.nodes)}) {
			for (const Node of Object.values(require('./' + file))) new Node();
		}`;
	expect(runWithN8nWorkflow(load)).toEqual({ status: 0, stderr: '' });
});

test('loading the built nodes does not read what they need only when they are executed', () => {
	const load = `
		for (const file of ${JSON.stringify(packageJson.n8n.nodes)}) require('./' + file);
		const read = Object.keys(require.cache).filter((file) => /onDemand|libphonenumber/.test(file));
		if (read.length > 0) throw new Error(read.join());`;
	expect(runWithN8nWorkflow(load)).toEqual({ status: 0, stderr: '' });
});

test('the built node works, and finds its numbering plans', async () => {
	const asked = serve(success({ id: 'm1' }));
	const { error } = await harness.run(
		'messaging',
		sending('sendText', {
			to: '091 123 4567',
			message: 'Hello',
			options: { defaultCountryCode: '385' },
		}),
		{ credentials },
	);
	expect(error).toBeUndefined();
	expect(asked.map(({ body }) => (body as { to: string }).to)).toEqual(['385911234567']);
});
