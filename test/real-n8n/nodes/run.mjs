import { runSuite } from '../runSuite.mjs';

/* `npm run test:e2e`. `npm run test:e2e -- lists` runs the files with "lists" in their name. */
runSuite(import.meta.url);
