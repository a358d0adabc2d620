import { runSuite } from '../runSuite.mjs';
import { ensurePrograms } from './servers/programs.mjs';

/*
 * `npm run test:queue`, or only some of it: `npm run test:queue -- killed`. n8n's queue mode as it runs
 * on several machines: Postgres, Redis, a main process, a webhook processor and two workers.
 */
runSuite(import.meta.url, () => {
	Object.assign(process.env, ensurePrograms());
});
