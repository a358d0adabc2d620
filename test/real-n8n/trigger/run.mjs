import { runSuite } from '../runSuite.mjs';

/*
 * `npm run test:trigger` runs the trigger in a real n8n of its own, because the tests restart it.
 * `npm run test:trigger -- burst` runs the files with "burst" in their name.
 */
runSuite(import.meta.url);
