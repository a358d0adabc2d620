import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, beforeEach } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { executionsOf } from '../../../../demo/n8n/rest/executions.mts';
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
import { enterCodes } from '../../world/sendByHand.mts';
import { requestsDuring } from '../../world/service.mts';
import { ended, latest, save } from '../../world/workflows.mts';
import { openWindow, startBrowser } from './browser.mts';
import { Panel } from './panel.mts';

/* All tests share one browser and one tab for each colour scheme: n8n's editor loads for 15 s on a busy machine. */

/** Where the pictures are that tests take, for somebody to look at. */
const PICTURES = join(root, '.cache', 'editor');

type Colours = 'light' | 'dark';

let browser: Promise<Browser> | undefined;
const tabs = new Map<Colours, Promise<Page>>();
/** The tab that the test uses. */
let tab: Promise<Page> | undefined;

/** The browser that all tests share. */
export const theBrowser = async (): Promise<Browser> => await (browser ??= startBrowser());

async function open(colours: Colours): Promise<Page> {
	const { url } = await world();
	const size = { width: 1400, height: 1100 };
	const window = await openWindow(await theBrowser(), url, { ...size, colours });
	return await window.newPage();
}

/** Returns the tab of the test. */
export async function editor(colours: Colours = 'light'): Promise<Page> {
	tab = tabs.get(colours) ?? open(colours);
	tabs.set(colours, tab);
	return await tab;
}

/** Shows a page of n8n's editor. A tab that has the editor does not load it again, as when a person clicks on a link. */
export async function visit(page: Page, path: string): Promise<void> {
	if ((await page.locator('#app').count()) === 0) {
		await page.goto(path);
		return;
	}
	// A dialog like that of a credential would stay open.
	const dialog = page.locator('[data-test-id$="-modal"]:visible');
	if ((await dialog.count()) > 0) {
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
	}
	await page.evaluate(`
		history.pushState({}, '', '${path}');
		dispatchEvent(new PopStateEvent('popstate', { state: {} }));
	`);
}

/** Saves a screenshot of the test's tab, or of the whole of another page. */
export async function picture(name: string, page?: Page): Promise<void> {
	mkdirSync(PICTURES, { recursive: true });
	const path = join(PICTURES, `${name.replace(/\W+/g, '-')}.png`);
	await (page ?? (await tab))?.screenshot({ path, fullPage: page !== undefined });
}

beforeEach(() => {
	tab = undefined;
});

/** A picture of what each test shows at its end; tests take further ones on the way. */
afterEach(async (context) => {
	if (!tab || !('passed' in context)) return;
	// The next test gets a tab without traces of this one.
	if (!context.passed) tabs.clear();
	await picture(`${context.passed ? '' : 'failed '}${context.fullName}`);
});

after(async () => await (await browser?.catch(() => undefined))?.close());

/** What the output says after a test to this number. */
export const testSaid = (number: string) =>
	`Only a test was sent: the first recipient's message, to ${number}. Set 'Mode' to Dry Run, which shows the code, to send to everyone.`;

export const people = [
	{ name: 'Ada', phone: '12025550111', discount: '20%' },
	{ name: 'Ben', phone: '12025550112', discount: '25%' },
	{ name: 'Chloe', phone: '12025550113', discount: '30%' },
];

/** Saves a workflow of these nodes, connected in a row. @returns its id */
export const saved = async (nodes: Node[], connections?: Json, more: Json = {}): Promise<string> =>
	await save(
		await world(),
		nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		// As the editor saves it: without it, n8n fails when a node is executed a second time.
		{ connections: connections ?? inARow(nodes), pinData: {}, ...more },
	);

/**
 * Opens a node of a new workflow from its canvas, the last one by default.
 *
 * @param more.withCode what sends has the code of its dry run
 */
export async function openNode(
	nodes: Node[],
	colours?: Colours,
	{ id } = nodes.at(-1)!,
	{ withCode = false, ...more }: { withCode?: boolean } & Json = {},
): Promise<Panel> {
	const workflow = await saved(nodes, undefined, more);
	if (withCode) await enterCodes(await world(), workflow);
	const page = await editor(colours);
	await visit(page, `/workflow/${workflow}`);
	const panel = new Panel(page, workflow);
	await panel.open(page.locator(`.vue-flow__node[data-id="${id}"]`));
	return panel;
}

/** Executes, the open node by default, until n8n has ended the execution. @returns how many messages were accepted meanwhile */
export async function acceptedIn(
	panel: Panel,
	execute = async () => await panel.execute(),
): Promise<number> {
	const at = await world();
	const [known] = await executionsOf(at.session, panel.workflow);
	const { accepted } = await requestsDuring(at.sandbox, async () => {
		await execute();
		await ended(at, await latest(at, panel.workflow, known?.id));
	});
	return accepted;
}

/** Opens a Messaging node whose input is three people, if wanted with the code of its dry run. `more` are settings of the node. */
export async function openMessaging(
	parameters: Json,
	{
		credential,
		colours,
		withCode,
		...more
	}: { credential?: Reference; colours?: Colours; withCode?: boolean } & Json = {},
): Promise<Panel> {
	const own = credential ?? (await world()).credential;
	const nodes = [byHand(), ...items('People', people), messaging(own, parameters, more)];
	return await openNode(nodes, colours, undefined, { withCode });
}

/** What the counting of a person's work uses of the page. */
type Counting = {
	clicks: number;
	fields?: Set<unknown>;
	document: {
		addEventListener: (
			type: string,
			listener: (event: { isTrusted: boolean; target: unknown }) => void,
			capture: boolean,
		) => void;
	};
};

/**
 * Counts clicks and drags, a double click as one, and fields that are typed into, in every page that the tab loads from now on. Playwright stops a
 * click at the window when something covers its target in the meantime, and clicks again; so only the presses that come as far
 * as the document are a person's.
 *
 * @returns a function that reads the counts
 */
export async function countWork(page: Page) {
	await page.addInitScript(() => {
		const counting = globalThis as unknown as Counting;
		// The tab may have this script already, from an earlier test.
		if (counting.fields) return;
		Object.assign(counting, { clicks: 0, fields: new Set() });
		const count = (type: string, add: (target: unknown) => void) =>
			counting.document.addEventListener(
				type,
				({ isTrusted, target }) => isTrusted && add(target),
				true,
			);
		count('pointerdown', () => counting.clicks++);
		count('dblclick', () => counting.clicks--);
		count('input', (target) => counting.fields!.add(target));
	});
	return async () =>
		await page.evaluate(() => {
			const { clicks, fields } = globalThis as unknown as Counting;
			return { clicks, fields: fields!.size };
		});
}
