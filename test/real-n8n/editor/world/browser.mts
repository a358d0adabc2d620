import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { owner } from '../../../../demo/n8n/owner.mts';
import { CHROMIUM, needPrograms } from '../../programs.mjs';

const FLAGS = [
	// CI runs as root, where Chromium's own sandbox does not start.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Much longer than n8n's editor needs for any step on a busy machine. */
const STEP_TIMEOUT_MS = 120_000;

export async function startBrowser(): Promise<Browser> {
	needPrograms(CHROMIUM);
	const executablePath = process.env.CHROMIUM_PATH;
	return await chromium.launch({ executablePath, headless: true, args: FLAGS });
}

export interface WindowSize {
	width: number;
	height: number;
	/** Device pixels per CSS pixel: a higher number makes a sharper picture. */
	scale?: number;
	colours?: 'light' | 'dark';
}

/** Opens a browser window in which a person is logged in to n8n. */
export async function openWindow(
	browser: Browser,
	n8nUrl: string,
	{ width, height, scale = 1, colours = 'light' }: WindowSize,
): Promise<BrowserContext> {
	const context = await browser.newContext({
		baseURL: n8nUrl,
		viewport: { width, height },
		deviceScaleFactor: scale,
		colorScheme: colours,
		locale: 'en-GB',
		timezoneId: 'UTC',
	});
	context.setDefaultTimeout(STEP_TIMEOUT_MS);
	await context.request.post('/rest/login', {
		data: { emailOrLdapLoginId: owner.email, password: owner.password },
	});
	// The editor asks for confirmation before it leaves a page with unsaved changes.
	context.on('dialog', (dialog) => void dialog.accept());
	return context;
}
