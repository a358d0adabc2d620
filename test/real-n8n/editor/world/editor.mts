import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, beforeEach } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { root } from '../../../../demo/setup/paths.mjs';
import { world } from '../../world/installation.mts';
import {
	byHand,
	inARow,
	items,
	messaging,
	type Json,
	type Node,
	type Reference,
} from '../../world/nodes.mts';
import { save } from '../../world/workflows.mts';
import { openWindow, startBrowser } from './browser.mts';
import { Panel, type Place } from './panel.mts';

/* All tests share one browser and one tab for each colour scheme: n8n's editor loads for 15 s on a busy machine. */

/** Where the pictures are that tests take, for somebody to look at. */
export const PICTURES = join(root, '.cache', 'editor');

type Colours = 'light' | 'dark';

let browser: Promise<Browser> | undefined;
const windows = new Map<Colours, Promise<BrowserContext>>();
const tabs = new Map<Colours, Page>();
let colours: Colours | undefined;

async function open(scheme: Colours): Promise<BrowserContext> {
	const { url } = await world();
	browser ??= startBrowser();
	return await openWindow(await browser, url, { width: 1400, height: 1100, colours: scheme });
}

/** Returns the tab of the test, and opens it at the first call. */
export async function editor(scheme: Colours = 'light'): Promise<Page> {
	colours = scheme;
	if (!windows.has(scheme)) windows.set(scheme, open(scheme));
	if (!tabs.has(scheme)) tabs.set(scheme, await (await windows.get(scheme)!).newPage());
	return tabs.get(scheme)!;
}

/** Shows a page of n8n's editor. A tab that has the editor does not load it again, as when a person clicks on a link. */
export async function visit(page: Page, path: string): Promise<void> {
	const isLoaded = (await page.locator('#app').count()) > 0;
	// A dialog like that of a credential would stay open.
	if (!isLoaded || (await page.locator('[data-test-id$="-modal"]:visible').count()) > 0) {
		await page.goto(path);
		return;
	}
	await page.evaluate(`
		history.pushState({}, '', '${path}');
		dispatchEvent(new PopStateEvent('popstate', { state: {} }));
	`);
}

/** Saves a screenshot of the tab, for example of a failed test. */
export async function picture(name: string): Promise<void> {
	if (!colours) return;
	mkdirSync(PICTURES, { recursive: true });
	const path = join(PICTURES, `${name.replace(/\W+/g, '-')}.png`);
	await tabs.get(colours)!.screenshot({ path });
}

beforeEach(() => {
	colours = undefined;
});

afterEach(async (context) => {
	if (!colours || !('passed' in context) || context.passed) return;
	try {
		await picture(`failed ${context.name}`);
	} finally {
		await tabs.get(colours)!.close();
		tabs.delete(colours);
	}
});

after(async () => await (await browser?.catch(() => undefined))?.close());

export const people = [
	{ name: 'Ada', phone: '447700900211', discount: '20%' },
	{ name: 'Ben', phone: '447700900212', discount: '25%' },
	{ name: 'Chloe', phone: '447700900213', discount: '30%' },
];

/** Saves a workflow of these nodes, connected in a row. @returns its id */
export const saved = async (nodes: Node[], connections: Json = inARow(nodes)): Promise<string> =>
	await save(
		await world(),
		nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		{ connections },
	);

/** Opens the last of these nodes in a new workflow. */
export async function openLast(nodes: Node[], scheme?: Colours): Promise<Panel> {
	const workflow = await saved(nodes);
	return await openNode(await editor(scheme), { workflow, node: nodes.at(-1)!.id });
}

/** Opens a node from the canvas of its workflow. */
export async function openNode(page: Page, { workflow, node }: Place): Promise<Panel> {
	await visit(page, `/workflow/${workflow}`);
	await page.locator(`.vue-flow__node[data-id="${node}"]`).dblclick();
	const panel = new Panel(page, workflow);
	await panel.part('ndv').waitFor();
	return panel;
}

/** Opens a Messaging node whose input is three people. `more` are settings of the node. */
export async function openMessaging(
	parameters: Json,
	{ credential, colours, ...more }: { credential?: Reference; colours?: Colours } & Json = {},
): Promise<Panel> {
	const own = credential ?? (await world()).credential;
	const nodes = [byHand(), ...items('People', people), messaging(own, parameters, more)];
	return await openLast(nodes, colours);
}
