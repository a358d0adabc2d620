import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startN8n } from '../../../demo/n8n/instance.mts';
import { logIn } from '../../../demo/n8n/rest/session.mts';
import { seed } from '../../../demo/n8n/seed.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { packageTarball, root } from '../../../demo/setup/paths.mjs';
import { fail } from '../../../demo/setup/trouble.mjs';
import {
	exampleCredential,
	examples,
	nodeNames,
	type Example,
} from '../../../demo/story/examples.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { openWindow, startBrowser } from './world/browser.mts';
import { Panel } from './world/panel.mts';

/* `npm run pictures` makes the pictures of the README from the example workflow in the real editor. They are committed. */

const FOLDER = join(root, 'docs', 'pictures');
const MOST_BYTES = 200_000;

const stops: Array<() => Promise<unknown>> = [];

async function run() {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-pictures-'));
	stops.push(async () => await rm(folder, { recursive: true, force: true }));
	const sandbox = await startSandbox({ campaignSeconds: 10 });
	stops.push(async () => await sandbox.close());

	await unpackPackage(packageTarball, folder);
	const credential = exampleCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	await seed(folder, { credentials: [credential], workflows: [examples.campaign, withReport()] });
	const n8n = await startN8n({ folder });
	stops.push(async () => await n8n.stop());
	await logIn(n8n.url);

	const browser = await startBrowser();
	stops.push(async () => await browser.close());
	const window = await openWindow(browser, n8n.url, { width: 1280, height: 900, scale: 1.5 });
	const page = await window.newPage();

	await mkdir(FOLDER, { recursive: true });
	await pictureOfWorkflow(page);
	await pictureOfNode(page);
	await pictureOfReport(page);
}

async function pictureOfWorkflow(page: Page) {
	await page.goto(`/workflow/${examples.campaign.id}`);
	// The sticky note is a node too.
	const nodes = page.locator('.vue-flow__node');
	await nodes.nth(examples.campaign.nodes.length - 1).waitFor();
	await page.locator('[data-test-id="execute-workflow-button"]').click();
	await nodeOf(page, nodeNames.send)
		.locator('[data-test-id="canvas-node-status-success"]')
		.waitFor();
	await closeNotifications(page);
	await page.keyboard.press('1');
	await page.mouse.move(0, 0);
	await settled(page);

	const boxes = await Promise.all(
		(await nodes.all()).map(async (node) => await node.boundingBox()),
	);
	await keep('campaign', page, boxOf(boxes, { around: 28, beside: 60, below: 48 }));
}

/** Makes the picture of the node. It needs the data of the run for the first picture. */
async function pictureOfNode(page: Page) {
	await page.setViewportSize({ width: 1280, height: 1060 });
	await nodeOf(page, nodeNames.send).dblclick();
	const panel = new Panel(page);
	await panel.part('ndv').waitFor();
	for (const parameter of ['from', 'template']) {
		await panel
			.part(`resource-locator-${parameter}`)
			.locator('[data-test-id="rlc-mode-selector"]')
			.click();
		await page.getByRole('option', { name: 'From list' }).and(page.locator(':visible')).click();
	}
	await panel.choose('from', 'Bakery main line');
	// n8n ignores the first change after the input data has arrived, and loads the preview at the second.
	await panel.choose('template', 'delivery_update');
	await panel.choose('template', 'order_ready');
	await panel.preview.getByText('Preview of order_ready').waitFor();
	await panel.chooseOption('parameterFormat', 'Chat-App Standard (Usual)');
	await panel.placeholders.getByText('Placeholder 1').waitFor();
	await panel.drag('name', panel.placeholders.locator('[data-test-id="parameter-input"]').first());
	await page.mouse.move(0, 0);
	await closeNotifications(page);
	await settled(page);
	// Without the output panel, which shows the run of the example and not of the current parameters.
	const whole = (await panel.part('ndv').boundingBox())!;
	const output = (await panel.output.boundingBox())!;
	await keep('node', page, { ...whole, width: output.x - whole.x });
}

/** The example, with the report of the campaign behind it. */
function withReport(): Example {
	const { nodes, connections, ...example } = structuredClone(examples.campaign);
	const send = nodes.find(({ name }) => name === nodeNames.send)!;
	const options = { picture: true, waitForCompletion: { values: { interval: 1 } } };
	const parameters = { resource: 'campaign', operation: 'getReport', options };
	const report = { ...send, id: randomUUID(), name: nodeNames.report, parameters };
	return {
		...example,
		id: 'campaignReport',
		nodes: [...nodes, report],
		connections: {
			...connections,
			[nodeNames.send]: { main: [[{ node: nodeNames.report, type: 'main', index: 0 }]] },
		},
	};
}

/** Shows the file that the report returns: n8n does not draw SVG files. */
async function pictureOfReport(page: Page) {
	await page.goto(`/workflow/${withReport().id}`);
	await nodeOf(page, nodeNames.report).dblclick();
	const panel = new Panel(page);
	await panel.part('ndv').waitFor();
	await panel.execute();
	await panel.output.getByText('image/svg+xml').waitFor({ timeout: 120_000 });
	const downloaded = page.waitForEvent('download');
	await panel.output.getByRole('button', { name: 'Download' }).click();
	await page.setContent(await readFile(await (await downloaded).path(), 'utf8'));
	await keep('report', page, (await page.locator('svg').boundingBox())!);
}

const nodeOf = (page: Page, name: string) =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

/** Closes the notifications of the editor. */
async function closeNotifications(page: Page) {
	for (const close of await page.locator('.el-notification__closeBtn').all()) {
		await close.click().catch(() => undefined);
	}
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
}

/** Waits until the page no longer moves. */
async function settled(page: Page) {
	let before = '';
	for (;;) {
		const now = (await page.screenshot({ scale: 'css' })).toString('base64');
		if (now === before) return;
		before = now;
		await page.waitForTimeout(400);
	}
}

type Box = { x: number; y: number; width: number; height: number } | null;

function boxOf(
	boxes: Box[],
	{ around, beside, below }: Record<'around' | 'beside' | 'below', number>,
) {
	const there = boxes.filter((box) => box !== null);
	const left = Math.min(...there.map(({ x }) => x)) - around;
	const top = Math.min(...there.map(({ y }) => y)) - around;
	const right = Math.max(...there.map(({ x, width }) => x + width)) + around + beside;
	const bottom = Math.max(...there.map(({ y, height }) => y + height)) + around + below;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

async function keep(name: string, page: Page, clip: NonNullable<Box>) {
	const path = join(FOLDER, `${name}.png`);
	await page.screenshot({ path, clip });
	const { size } = await stat(path);
	if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes: more than ${MOST_BYTES}`);
	console.log(`${path}: ${Math.round(size / 1000)} kB`);
}

run()
	.finally(async () => {
		for (const stop of stops.reverse()) await stop();
	})
	.catch(fail);
