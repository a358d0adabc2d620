import { runSuite } from '../runSuite.mjs';

/* `npm run test:install`: the package as n8n itself installs, updates and removes it. */
runSuite(import.meta.url);
