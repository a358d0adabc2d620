import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startN8n } from '../../../demo/n8n/instance.mts';
import { logIn } from '../../../demo/n8n/rest/session.mts';
import { seed } from '../../../demo/n8n/seed.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { packageTarball, root } from '../../../demo/setup/paths.mjs';
import { fail } from '../../../demo/setup/trouble.mjs';
import { exampleCredential, examples, nodeNames } from '../../../demo/story/examples.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { openWindow, startBrowser } from './world/browser.mts';
import { Panel } from './world/panel.mts';

/*
 * Makes the pictures of the README, from the example workflow in the real editor:
 * `npm run pictures`. What it writes is committed.
 */

const FOLDER = join(root, 'docs', 'pictures');
const MOST_BYTES = 200_000;

const stops: Array<() => Promise<unknown>> = [];

async function run() {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-pictures-'));
	stops.push(async () => await rm(folder, { recursive: true, force: true }));
	const sandbox = await startSandbox({ campaignSeconds: 1 });
	stops.push(async () => await sandbox.close());

	await unpackPackage(packageTarball, folder);
	const credential = exampleCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
	await seed(folder, { credentials: [credential], workflows: [examples.campaign] });
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
	await quiet(page);
	await page.keyboard.press('1');
	await page.mouse.move(0, 0);
	await settled(page);

	const boxes = await Promise.all(
		(await nodes.all()).map(async (node) => await node.boundingBox()),
	);
	await keep('campaign', page, boxOf(boxes, { around: 28, beside: 60, below: 48 }));
}

/** Continues after the other picture: it needs the data of that run. */
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
	// n8n ignores the first change after the input data arrived, and loads the preview at the next one.
	await panel.choose('template', 'delivery_update');
	await panel.choose('template', 'order_ready');
	await panel.preview.getByText('Preview of order_ready').waitFor();
	await panel.chooseOption('parameterFormat', 'Components');
	await panel.placeholders.getByText('Placeholder 1').waitFor();
	await panel.drag('name', panel.placeholders.locator('[data-test-id="parameter-input"]').first());
	await page.mouse.move(0, 0);
	await quiet(page);
	await settled(page);
	// Without the output panel: it shows the run of the example, not of what is filled in now.
	const whole = (await panel.part('ndv').boundingBox())!;
	const output = (await panel.output.boundingBox())!;
	await keep('node', page, { ...whole, width: output.x - whole.x });
}

const nodeOf = (page: Page, name: string) =>
	page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

/** Removes what is visible only for a moment, such as tooltips. */
async function quiet(page: Page) {
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
