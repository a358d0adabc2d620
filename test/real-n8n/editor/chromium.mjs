import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, Trouble } from '../../../demo/setup/trouble.mjs';
import { install, isExecutable, mayInstall } from '../debian.mjs';

/*
 * Finds a Chromium for the tests in the editor. As a script it installs Debian's Chromium when there is none:
 * `node test/real-n8n/editor/chromium.mjs`.
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
	'/snap/bin/chromium',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** @returns {string | undefined} */
export function findChromium() {
	const given = process.env.CHROMIUM_PATH;
	if (given) {
		if (isExecutable(given)) return given;
		throw new Trouble(`CHROMIUM_PATH is ${given}, but there is no such program.`);
	}
	const folders = (process.env.PATH ?? '').split(delimiter);
	const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
	return [...candidates, ...PLACES].find(isExecutable);
}

/** Returns the path of Chromium, and installs it on Debian when that is allowed. */
export function ensureChromium() {
	const found = findChromium();
	if (found) return found;
	if (!mayInstall()) {
		throw new Trouble(
			'The tests in the editor need Chromium or Chrome, but found none. Install one (Debian: ' +
				'`sudo apt-get install chromium`; Ubuntu: `sudo snap install chromium`), or set CHROMIUM_PATH ' +
				'to its path.',
		);
	}
	console.log('Installing Chromium …');
	install('chromium');
	const installed = findChromium();
	if (!installed) throw new Trouble('apt-get has installed Chromium, but it was not found.');
	return installed;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	try {
		console.log(ensureChromium());
	} catch (error) {
		fail(error);
	}
}
