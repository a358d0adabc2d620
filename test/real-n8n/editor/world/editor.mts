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
import { Panel } from './panel.mts';

/* All tests share one browser, and each has its own tab, because only one tab can edit a workflow. */

/** Where the pictures are that tests take, for somebody to look at. */
export const PICTURES = join(root, '.cache', 'editor');

type Colours = 'light' | 'dark';

let browser: Promise<Browser> | undefined;
const windows = new Map<Colours, Promise<BrowserContext>>();
let tab: Page | undefined;

async function open(colours: Colours): Promise<BrowserContext> {
	const { url } = await world();
	browser ??= startBrowser();
	return await openWindow(await browser, url, { width: 1400, height: 1100, colours });
}

/** Returns the tab of the test, and opens it at the first call. */
export async function editor(colours: Colours = 'light'): Promise<Page> {
	if (!windows.has(colours)) windows.set(colours, open(colours));
	tab ??= await (await windows.get(colours)!).newPage();
	return tab;
}

/** Saves a screenshot of the tab, for example of a failed test. */
export async function picture(name: string): Promise<void> {
	if (!tab) return;
	mkdirSync(PICTURES, { recursive: true });
	await tab.screenshot({ path: join(PICTURES, `${name.replace(/\W+/g, '-')}.png`) });
}

beforeEach(() => {
	tab = undefined;
});

afterEach(async (context) => {
	if (!tab) return;
	try {
		if ('passed' in context && !context.passed) await picture(`failed ${context.name}`);
	} finally {
		await tab.close();
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
export async function openLast(nodes: Node[], colours?: Colours): Promise<Panel> {
	const workflow = await saved(nodes);
	return await Panel.open(await editor(colours), { workflow, node: nodes.at(-1)!.id });
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
