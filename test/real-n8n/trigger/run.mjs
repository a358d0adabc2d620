import { runSuite } from '../runSuite.mjs';

/*
 * `npm run test:trigger`, or only some of it: `npm run test:trigger -- burst`. In a real n8n of its own,
 * as these tests restart it.
 */
runSuite(import.meta.url);
