import { CHROMIUM, needPrograms } from '../programs.mjs';
import { runSuite } from '../runSuite.mjs';

/*
 * `npm run test:editor` uses the editor of the real n8n as people do. `npm run test:editor -- trigger` runs the
 * files with "trigger" in their name.
 */
runSuite(import.meta.url, () => needPrograms(CHROMIUM));
