import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, beforeEach } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { root } from '../../../../demo/setup/paths.mjs';
import { world } from '../../nodes/world/world.mts';
import { openWindow, startBrowser } from './browser.mts';

/* All tests share one browser, and each has its own tab, because only one tab can edit a workflow. */

const PICTURES = join(root, '.cache', 'editor');

let opened: Promise<{ browser: Browser; window: BrowserContext }> | undefined;
let tab: Page | undefined;

async function open() {
	const { n8n } = await world();
	const browser = await startBrowser();
	const window = await openWindow(browser, n8n.url, { width: 1400, height: 1100 });
	return { browser, window };
}

/** Returns the tab of the test, and opens it at the first call. */
export async function editor(): Promise<Page> {
	opened ??= open();
	tab ??= await (await opened).window.newPage();
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

after(async () => {
	const { browser } = (await opened?.catch(() => undefined)) ?? {};
	await browser?.close();
});
