import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { startN8n } from '../../demo/n8n/instance.mts';
import { executionsOf, finishedExecution, outputOf } from '../../demo/n8n/rest/executions.mts';
import { logIn, type Session } from '../../demo/n8n/rest/session.mts';
import { runWorkflow } from '../../demo/n8n/rest/workflows.mts';
import { seed } from '../../demo/n8n/seed.mts';
import { unpackPackage } from '../../demo/n8n/unpack.mts';
import { until } from '../../demo/n8n/until.mts';
import { packageTarball, root } from '../../demo/setup/paths.mjs';
import { fail } from '../../demo/setup/trouble.mjs';
import { exampleCredential, type Example } from '../../demo/story/examples.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { openWindow, startBrowser } from '../../test/real-n8n/editor/world/browser.mts';
import { Panel } from '../../test/real-n8n/editor/world/panel.mts';
import { into } from '../../test/real-n8n/world/nodes.mts';
import { linksIn } from '../../test/real-n8n/world/questions.mts';
import { untilItWaits } from '../../test/real-n8n/world/workflows.mts';

/*
 * `npm run pictures` takes the pictures of the documents in the real editor, with the workflows of examples/. They are
 * committed. `-- --to <folder> --dark` takes the same ones in the dark theme, to look at them.
 */

const { values: options } = parseArgs({
	options: { to: { type: 'string' }, dark: { type: 'boolean' }, only: { type: 'string' } },
});
const FOLDER = options.to ?? join(root, 'docs', 'pictures');
const COLOURS = options.dark ? 'dark' : 'light';
const MOST_BYTES = 230_000;

const START = 'When you press Execute';
const MY_NUMBER = '+1 202 555 0199';

const stops: Array<() => Promise<unknown>> = [];

const readExample = (name: string): Example =>
	JSON.parse(readFileSync(join(root, 'examples', `${name}.json`), 'utf8'));

/** The example of the first campaign, and changed copies of it for single pictures. */
const first = readExample('first-campaign');
/** As somebody imports it who has no credential yet. */
const imported = variant('importedCampaign', {});
for (const node of imported.nodes) delete node.credentials;
const ownList = withOwnList(variant('ownListCampaign', {}));
const failing = variant('failedCampaign', { sendMode: 'send' });
const question = readExample('send-and-wait-approval');
const trigger = readExample('campaign-completed');

function variant(id: string, parameters: object): Example {
	const copy = structuredClone(first);
	const send = copy.nodes.find(({ name }) => name === 'Send campaign')!;
	Object.assign(send.parameters, parameters);
	return { ...copy, id };
}

/** With a data table in place of the nodes that hold the invented people, and without the note. */
function withOwnList(workflow: Example): Example {
	const named = (name: string) => workflow.nodes.find((node) => node.name === name)!;
	const table = Object.assign(named('One item per person'), {
		name: 'Your list',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: { dataTableId: { __rl: true, mode: 'name', value: 'Customers' }, returnAll: true },
	});
	const start = Object.assign(named(START), { position: [220, 0] });
	const rest = ['Only those who agreed', 'Has anybody agreed?', 'Send campaign', 'Report'];
	const row = [start, table, ...rest.map(named)];
	type Lines = Record<string, { main: Array<Array<ReturnType<typeof into>>> }>;
	const connections: Lines = Object.fromEntries(
		row.slice(1).map(({ name }, index) => [row[index].name, { main: [[into(name)]] }]),
	);
	const gate = 'Has anybody agreed?';
	const { main } = (workflow.connections as Lines)[gate];
	connections[gate].main.push(main[1]);
	return { ...workflow, nodes: [...row, named('Nobody has agreed')], connections };
}

type Stage = { page: Page; panel: Panel; session: Session; sandbox: Sandbox };

async function run() {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-pictures-'));
	stops.push(async () => await rm(folder, { recursive: true, force: true }));
	const sandbox = await startSandbox({ campaignSeconds: 4 });
	stops.push(async () => await sandbox.close());

	await unpackPackage(packageTarball, folder);
	const { url: baseUrl, apiKey } = sandbox;
	// As the first campaign's page tells the person to set it.
	const credential = exampleCredential({ baseUrl, apiKey, allowedHttpRequestDomains: 'none' });
	const workflows = [first, imported, ownList, failing, question, trigger];
	await seed(folder, { credentials: [credential], workflows });
	const n8n = await startN8n({ folder });
	stops.push(async () => await n8n.stop());
	const session = await logIn(n8n.url);

	const browser = await startBrowser();
	stops.push(async () => await browser.close());
	const size = { width: 1280, height: 900, scale: 1.5, colours: COLOURS } as const;
	const window = await openWindow(browser, n8n.url, size);
	// Nothing fails here because the machine is busy.
	window.setDefaultTimeout(180_000);
	const page = await window.newPage();

	await mkdir(FOLDER, { recursive: true });
	const stage: Stage = { page, panel: new Panel(page), session, sandbox };
	for (const picture of [canvas, columns, sending, retry, triggerPanel, asking]) {
		if (!options.only || options.only.split(',').includes(picture.name)) await picture(stage);
	}
	const file = join(FOLDER, 'taken.json');
	const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	const all = Object.entries({ ...before, ...taken }).sort(([a], [b]) => (a < b ? -1 : 1));
	await writeFile(file, `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
}

/** The workflow as it is imported, and with an own list. */
async function canvas({ page }: Stage) {
	for (const [name, workflow] of [
		['step-1-import', imported],
		['step-7-own-list', ownList],
	] as const) {
		await page.goto(`/workflow/${workflow.id}`);
		const nodes = page.locator('.vue-flow__node');
		await nodes.nth(workflow.nodes.length - 1).waitFor();
		await page.keyboard.press('1');
		await settled(page);
		const boxes = await boxesOf(nodes);
		await keep(name, page, around(boxes, { left: 64, top: 28, right: 96, bottom: 76 }));
	}
}

/** The columns of a CSV file that becomes a data table. */
async function columns({ page, panel }: Stage) {
	await page.setViewportSize({ width: 1280, height: 900 });
	await page.goto('/home/datatables');
	await page.getByRole('button', { name: 'Create data table' }).last().click();
	const dialog = page.getByRole('dialog');
	await dialog.locator('input').first().fill('Customers');
	await dialog.getByText('Import CSV').click();
	const rows = ['name,phone,agreed', 'Ada Brown,12025550111,yes', 'Ben Castillo,12025550112,yes'];
	const buffer = Buffer.from(rows.join('\n'));
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer });
	await dialog.getByText('customers.csv').first().waitFor();
	await panel.part('proceed-from-select-button').click();
	await panel.part('column-type-1').click();
	await panel.option('String').click();
	await page.mouse.move(0, 0);
	await settled(page);
	await keep('step-6-columns', page, (await panel.part('addDataTableModal-modal').boundingBox())!);
}

/** What a person fills in for the first campaign, step by step. */
async function sending(stage: Stage) {
	const { page, panel } = stage;
	await page.setViewportSize({ width: 1500, height: 1150 });
	const openNode = async () => {
		await page.goto(`/workflow/${first.id}`);
		await panel.open(nodeOf(page, 'Send campaign'));
	};
	await openNode();
	const dialog = await panel.openCredential();
	await settled(page);
	await keep('step-2-credential', page, (await dialog.boundingBox())!);

	await openNode();
	await page.getByRole('button', { name: 'Execute previous nodes' }).click();
	await panel.part('ndv-input-panel').getByText('agreed', { exact: true }).waitFor();
	await closeNotifications(page);

	await panel.openList('from');
	await panel.entries();
	const list = panel.shown('rlc-item');
	await keepArea('step-3-from', page, [fieldOf(panel, 'from'), list.first(), list.last()]);
	await panel.shown('rlc-item').filter({ hasText: 'Bakery main line' }).first().click();
	// The example names its template.
	await fieldOf(panel, 'template').locator('[data-test-id="rlc-mode-selector"]').click();
	await page.getByRole('option', { name: 'From List' }).and(page.locator(':visible')).click();
	// n8n ignores the first change after the input data has arrived, and loads the preview at the second.
	await panel.choose('template', 'order_ready');
	await panel.choose('template', 'spring_offer');
	await panel.preview.getByText('take').waitFor();
	await panel.placeholders.getByText('Placeholder 1').waitFor();
	// As it is before the next step, in which the person fills in the values.
	await keepArea('step-4-template', page, [fieldOf(panel, 'template'), panel.preview]);
	const values = panel.placeholders.locator('[data-test-id="parameter-input"]');
	await panel.drag('name', values.first());
	await values.last().locator('input, textarea').first().fill('20%');

	const number = panel.part('node-parameters').getByText('+1 202 555 0111', { exact: true });
	await keepArea('step-3-to', page, [fieldOf(panel, 'from'), fieldOf(panel, 'to'), number]);
	// Leaves the field. With the Tab key, the list of options would open over the picture.
	await panel.part('ndv').getByText('Parameters').first().click();
	await keepArea('step-4-placeholders', page, [fieldOf(panel, 'template'), values.last()]);

	await page.setViewportSize({ width: 1500, height: 800 });
	await panel.chooseOption('sendMode', 'Test: Only to My Number');
	await panel.part('parameter-input-testRecipient').locator('input').fill(MY_NUMBER);
	await executed(page, panel, 'skipped');
	const output = (await panel.output.boundingBox())!;
	// The other rows have n8n's red "undefined" in the columns of the first.
	const row = (await panel.output.locator('tbody tr').first().boundingBox())!;
	await keep('step-5-test', page, { ...output, height: row.y + row.height + 1 - output.y });

	await panel.chooseOption('sendMode', 'Dry Run: Send Nothing');
	await executed(page, panel, 'ready');
	await keepNode('step-8-dry-run', page, panel);
	const text = await panel.output.innerText();
	const [, code] = /enter the code (\w+) /.exec(text)!;
	const phone = await phoneBesideRow(stage);

	await panel.chooseOption('sendMode', 'Send');
	await panel.part('parameter-input-code').locator('input').fill(code);
	await panel.part('ndv').getByText('Parameters').first().click();
	const fields = ['sendMode', 'code'].map((name) => panel.part(`parameter-input-${name}`).first());
	const hint = panel.part('node-parameters').getByText('the dry run shows it');
	await keepArea('step-9-send', page, [...fields, hint]);
	await executed(page, panel, 'accepted');
	await report(stage);
	await phone();
}

/**
 * A row of the list, and the message on this person's phone.
 *
 * @returns takes the picture
 */
async function phoneBesideRow({ page, panel, session }: Stage) {
	const row = (await panel.output.locator('tbody tr').first().boundingBox())!;
	const head = (await panel.output.locator('thead').boundingBox())!;
	const lastColumn = (await panel.output.locator('thead th').nth(4).boundingBox())!;
	const width = lastColumn.x + lastColumn.width - head.x;
	const clip = { ...head, width, height: row.y + row.height - head.y };
	const rows = (await page.screenshot({ clip })).toString('base64');
	const [{ id }] = await executionsOf(session, first.id);
	const [{ text }] = outputOf(await finishedExecution(session, id), 'Send campaign');
	return async () => {
		await page.setViewportSize({ width: 1280, height: 760 });
		await page.setContent(besides(rows, String(text)));
		await settled(page);
		await keep('row-and-phone', page, (await page.locator('main').boundingBox())!);
	};
}

/** The report above the output, and as HTML, after the campaign was sent. */
async function report({ page, panel, session }: Stage) {
	await page.setViewportSize({ width: 1500, height: 760 });
	await panel.openAgain('Report');
	await panel.execute();
	await panel.output.getByText('25 recipients').first().waitFor();
	await closeNotifications(page);
	await page.mouse.move(0, 0);
	await settled(page);
	await keepNode('step-9-report', page, panel);

	const [{ id }] = await executionsOf(session, first.id);
	const [{ html }] = outputOf(await finishedExecution(session, id), 'Report');
	await page.setViewportSize({ width: 640, height: 500 });
	await page.setContent(`<body style="margin:16px">${html}</body>`);
	const box = await page.locator('body > div').boundingBox();
	await keep('report', page, around([box], { left: 16, top: 16, right: 16, bottom: 8 }));
}

/** The two entries of "Retry execution". */
async function retry({ page, session }: Stage) {
	// By hand, a send without a code fails.
	const id = await runWorkflow(session, failing.id, START);
	await finishedExecution(session, id);
	await page.setViewportSize({ width: 1280, height: 700 });
	await page.goto(`/workflow/${failing.id}/executions/${id}`);
	const button = page.locator('[data-test-id="execution-preview-retry-button"]');
	await button.click();
	const entries = page.getByRole('menuitem').filter({ hasText: 'Retry with' });
	await entries.first().waitFor();
	await settled(page);
	const boxes = [await button.boundingBox(), ...(await boxesOf(entries))];
	await keep('retry', page, around(boxes, { left: 500, top: 50, right: 20, bottom: 24 }));
}

async function triggerPanel({ page, panel }: Stage) {
	await page.setViewportSize({ width: 1280, height: 900 });
	await page.goto(`/workflow/${trigger.id}`);
	await panel.open(nodeOf(page, 'Campaign completed'));
	await page.mouse.move(0, 0);
	await settled(page);
	await keep('trigger', page, (await panel.part('node-parameters').boundingBox())!);
}

/** The message and the page of a question, as on a phone. */
async function asking({ page, session, sandbox }: Stage) {
	const id = await runWorkflow(session, question.id, START);
	await untilItWaits({ session }, id);
	const asked = await until('the question was sent', async () => {
		const answer = await fetch(`${sandbox.url}/_sandbox/accepted`);
		const accepted = (await answer.json()) as Array<{ endpoint: string; message: string }>;
		return accepted.findLast(({ endpoint }) => endpoint === 'sendText');
	});
	const [link] = linksIn(asked.message);
	await page.setViewportSize({ width: 390, height: 700 });
	await page.goto(link);
	await settled(page);
	const { y, height } = (await page.locator('main').boundingBox())!;
	await keep('question-page', page, { x: 0, y: y - 16, width: 390, height: height + 32 });
	await page.setContent(chat(asked.message));
	await keep('question-message', page, { x: 0, y: 0, width: 390, height: height + 32 });
	await session.post(`/rest/executions/${id}/stop`);
}

/** The rows of a list, and beside them a phone with the first person's message. */
const besides = (rows: string, message: string) =>
	`<body style="margin:0;font:15px/1.4 Arial,sans-serif"><main style="display:flex;gap:28px;align-items:center;width:max-content;padding:20px;background:#fff">
	<img src="data:image/png;base64,${rows}" style="width:720px;border:1px solid #ddd;border-radius:6px">
	<div style="font-size:32px;color:#888">→</div>
	<div style="width:270px;height:340px;border:9px solid #222;border-radius:30px;overflow:hidden;background:#e5ddd5">
	<div style="background:#1f6f5c;color:#fff;padding:14px 16px">Bakery main line</div>
	<div style="background:#fff;margin:14px;padding:10px 12px;border-radius:8px;white-space:pre-wrap">${escaped(message)}</div></div></main></body>`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A message as a chat app shows it. */
const chat = (message: string) =>
	`<body style="margin:0;background:#e5ddd5;font:16px/1.4 Arial,sans-serif">
	<div style="background:#1f6f5c;color:#fff;padding:14px 16px">Bakery main line</div>
	<div style="background:#fff;margin:16px;padding:10px 12px;border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere">${escaped(message).replace(/https?:\S+/g, (link) => `<span style="color:#0645ad">${link}</span>`)}</div></body>`;

async function executed(page: Page, panel: Panel, field: string) {
	await panel.execute();
	await panel.output.getByText(field, { exact: true }).first().waitFor({ timeout: 60_000 });
	await panel.output.getByText('Table', { exact: true }).click();
	await closeNotifications(page);
	await page.mouse.move(0, 0);
	await settled(page);
}

/** Keeps the node with its fields and output, without its input. */
async function keepNode(name: string, page: Page, panel: Panel) {
	const whole = (await panel.part('ndv').boundingBox())!;
	const input = (await panel.part('ndv-input-panel').boundingBox())!;
	const left = input.x + input.width;
	await keep(name, page, { ...whole, x: left, width: whole.x + whole.width - left });
}

/** Keeps what these have in common: fields with their labels, notices, entries of a list. */
async function keepArea(name: string, page: Page, locators: Locator[]) {
	await page.mouse.move(0, 0);
	await settled(page);
	const boxes = await Promise.all(locators.map(async (locator) => await locator.boundingBox()));
	await keep(name, page, around(boxes, { left: 16, top: 36, right: 16, bottom: 12 }));
}

const fieldOf = (panel: Panel, parameter: string): Locator =>
	panel
		.part(`resource-locator-${parameter}`)
		.or(panel.part(`parameter-input-${parameter}`))
		.first();

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

type Box = { x: number; y: number; width: number; height: number };
type Margins = Record<'left' | 'top' | 'right' | 'bottom', number>;

const boxesOf = async (locators: Locator) =>
	await Promise.all((await locators.all()).map(async (locator) => await locator.boundingBox()));

function around(boxes: Array<Box | null>, margins: Margins): Box {
	const shown = boxes.filter((box) => box !== null);
	const left = Math.max(0, Math.min(...shown.map(({ x }) => x)) - margins.left);
	const top = Math.max(0, Math.min(...shown.map(({ y }) => y)) - margins.top);
	const right = Math.max(...shown.map(({ x, width }) => x + width)) + margins.right;
	const bottom = Math.max(...shown.map(({ y, height }) => y + height)) + margins.bottom;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The example that a picture shows. */
const exampleOf = (name: string) =>
	name.startsWith('question')
		? 'send-and-wait-approval'
		: name === 'trigger'
			? 'campaign-completed'
			: 'first-campaign';

/** By picture, its example and the hash of that: test/contract/documents.test.ts tells when it has changed since. */
const taken: Record<string, { example: string; hash: string }> = {};

async function keep(name: string, page: Page, clip: Box) {
	const example = `examples/${exampleOf(name)}.json`;
	const workflow = JSON.stringify(JSON.parse(readFileSync(join(root, example), 'utf8')));
	taken[`${name}.png`] = { example, hash: createHash('sha256').update(workflow).digest('hex') };
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
