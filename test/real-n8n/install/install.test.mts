import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startN8n, type Instance } from '../../../demo/n8n/instance.mts';
import { finishedExecution } from '../../../demo/n8n/rest/executions.mts';
import { logIn, RestError, type Session } from '../../../demo/n8n/rest/session.mts';
import {
	activateWorkflow,
	createWorkflow,
	runWorkflow,
} from '../../../demo/n8n/rest/workflows.mts';
import { seed } from '../../../demo/n8n/seed.mts';
import { freePort, HOST } from '../../../demo/ports.mjs';
import { node24, packageTarball } from '../../../demo/setup/paths.mjs';
import { completionOf, sendCampaign } from '../../../demo/story/campaign.mts';
import {
	exampleCredential,
	examples,
	nodeNames,
	webhookUrl,
} from '../../../demo/story/examples.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { logTrigger, nothing, inARow } from '../world/nodes.mts';
import { npmShim, type NpmShim } from './npmShim.mts';

/** A file that only the earlier version has: an update must remove it. */
const REMOVED_FILE = 'removed.js';

/**
 * Packs the package once more, as an earlier version to update from: no version was published before this one.
 *
 * @param folder a folder that does not exist yet
 * @returns the path of the tarball
 */
async function earlierVersion(tarball: string, folder: string): Promise<string> {
	const run = promisify(execFile);
	await mkdir(folder);
	await run('tar', ['xzf', tarball, '-C', folder]);
	const place = join(folder, 'package');
	const description = join(place, 'package.json');
	const content = JSON.parse(await readFile(description, 'utf8')) as object;
	await writeFile(description, JSON.stringify({ ...content, version: '0.0.1' }));
	await writeFile(join(place, 'dist', 'nodes', 'Messaging', REMOVED_FILE), '');
	const earlier = join(folder, 'n8n-nodes-messaging-0.0.1.tgz');
	await run('tar', ['czf', earlier, '-C', folder, 'package']);
	return earlier;
}

const NAME = 'n8n-nodes-messaging';
const NODES = ['messaging', 'messagingLogTrigger', 'messagingTrigger'];

interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string }>;
}

/*
 * One story in the order in which a person does it: install, build workflows, update, continue, remove.
 * n8n gets the package from files instead of the npm registry (npmShim.mts); everything else is n8n itself.
 */
describe('installed through n8n, as users do', () => {
	let folder: string;
	let sandbox: Sandbox;
	let shim: NpmShim;
	let n8n: Instance;
	let session: Session;
	let previous: string;
	let current: string;
	let polling: string;

	const start = async (port?: number) => {
		const PATH = [shim.folder, dirname(node24), process.env.PATH].join(delimiter);
		// n8n asks the registry itself before it runs npm. Here the connection is refused immediately: in a closed
		// network that lets connections hang, each installation would take minutes.
		const nobody = `http://${HOST}:${await freePort()}`;
		const env = { PATH, HTTPS_PROXY: nobody, https_proxy: nobody };
		n8n = await startN8n({ folder, port, env });
		session = await logIn(n8n.url);
	};

	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'messaging-install-'));
		sandbox = await startSandbox({ port: 0, campaignSeconds: 1 });
		shim = await npmShim(join(folder, 'bin'));
		await seed(folder, {
			credentials: [exampleCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })],
			workflows: [examples.campaign, examples.completion],
		});
		await start();
	});

	after(async () => {
		await n8n?.stop();
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true });
	});

	const installed = async () => await session.get<InstalledPackage[]>('/rest/community-packages');

	const nodeTypes = async () => {
		const types = await session.get<Array<{ name: string }>>('/types/nodes.json');
		return types
			.map(({ name }) => name)
			.filter((name) => name.startsWith(`${NAME}.`) && !/Tool$/.test(name))
			.map((name) => name.slice(NAME.length + 1))
			.sort();
	};

	const pageOfInstalled = async () =>
		(await installed()).map(({ packageName, installedVersion, installedNodes }) => ({
			packageName,
			installedVersion,
			nodes: installedNodes.map(({ type }) => type.slice(NAME.length + 1)).sort(),
		}));

	/** Sends the campaign, whose completion starts the other workflow: both workflows are as they were saved. */
	const savedWorkflowsRun = async () => {
		const before = sandbox.world.messages.tally().messages;
		const { campaignId, people } = await sendCampaign(session);
		await completionOf(session, campaignId);
		assert.equal(sandbox.world.messages.tally().messages - before, people);
	};

	const restart = async () => {
		const { port } = n8n.place;
		await n8n.stop();
		await start(port);
	};

	const place = () => join(folder, '.n8n', 'nodes', 'node_modules', NAME);
	const scripts = async () =>
		(await readdir(join(place(), 'dist', 'nodes', 'Messaging')))
			.filter((name) => name.endsWith('.js'))
			.sort();

	it('installs the previous version, and its nodes are available at once', async () => {
		previous = await shim.publish(await earlierVersion(packageTarball, join(folder, 'earlier')));
		assert.deepEqual(await nodeTypes(), []);
		await session.post('/rest/community-packages', { name: NAME, version: previous });
		assert.deepEqual(await pageOfInstalled(), [
			{ packageName: NAME, installedVersion: previous, nodes: NODES },
		]);
		assert.deepEqual(await nodeTypes(), NODES);
		assert.ok((await scripts()).includes(REMOVED_FILE));
	});

	it('workflows are built with it, published, and run', async () => {
		await activateWorkflow(session, examples.completion.id);
		const registered = await fetch(`${sandbox.url}/_sandbox/webhook`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ url: webhookUrl(n8n.url, examples.completion) }),
		});
		assert.equal(registered.status, 200, await registered.text());
		await savedWorkflowsRun();

		const { id, name } = exampleCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
		const pollTimes = { item: [{ mode: 'everyMinute' }] };
		const nodes = [logTrigger({ id, name }, { pollTimes }), nothing('Next')];
		const workflow = { name: 'Polls', nodes, connections: inARow(nodes) };
		({ id: polling } = await createWorkflow(session, workflow));
		await activateWorkflow(session, polling);
	});

	it('updates to this version, and the saved workflows run without a change', async () => {
		current = await shim.publish(packageTarball);
		await session.patch('/rest/community-packages', { name: NAME });
		assert.deepEqual(await pageOfInstalled(), [
			{ packageName: NAME, installedVersion: current, nodes: NODES },
		]);
		assert.deepEqual(await nodeTypes(), NODES);
		await savedWorkflowsRun();
	});

	it('the update leaves no file of the previous version', async () => {
		const { version } = JSON.parse(await readFile(join(place(), 'package.json'), 'utf8'));
		assert.equal(version, current);
		assert.deepEqual(await scripts(), [
			'Messaging.node.js',
			'MessagingLogTrigger.node.js',
			'MessagingTrigger.node.js',
			'onDemand.js',
			'shared.js',
		]);
	});

	it('is available after a restart of n8n, and the published workflow listens', async () => {
		await restart();
		assert.deepEqual(await nodeTypes(), NODES);
		await savedWorkflowsRun();
	});

	it('is removed, and a workflow that needs it fails with an error that says so', async () => {
		await session.remove(`/rest/community-packages?name=${NAME}`);
		assert.deepEqual([await installed(), await nodeTypes()], [[], []]);
		const before = sandbox.world.messages.tally().messages;
		const said = await runWorkflow(session, examples.campaign.id, nodeNames.start)
			.then(async (id) => (await finishedExecution(session, id)).error?.message)
			.catch((error: unknown) => {
				if (error instanceof RestError) return error.message;
				throw error;
			});
		assert.match(String(said), /Unrecognized node type: n8n-nodes-messaging\.messaging/);
		assert.equal(sandbox.world.messages.tally().messages, before);
	});

	it('when n8n was started without it, what polls stays silent until it is published again', async () => {
		await restart();
		await session.post('/rest/community-packages', { name: NAME, version: current });
		await restart();
		const status = async () =>
			(await session.get<{ status: string }>(`/rest/workflows/${polling}/publication-status`))
				.status;
		assert.equal(await status(), 'failed');
		await session.post(`/rest/workflows/${polling}/deactivate`, {});
		await activateWorkflow(session, polling);
		assert.equal(await status(), 'published');
	});
});
