import { runSuite } from '../runSuite.mjs';
import { ensureChromium } from './chromium.mjs';

/*
 * `npm run test:editor`, or only some of it: `npm run test:editor -- trigger`. Does in the editor of the
 * real n8n what people do.
 */
runSuite(import.meta.url, () => {
	process.env.CHROMIUM_PATH = ensureChromium();
});
