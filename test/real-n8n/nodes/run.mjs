import { runSuite } from '../runSuite.mjs';

/* `npm run test:e2e`, or only some of it: `npm run test:e2e -- lists`. */
runSuite(import.meta.url);
