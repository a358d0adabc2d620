import { needPrograms, SERVERS } from '../programs.mjs';
import { runSuite } from '../runSuite.mjs';

/*
 * `npm run test:queue`: n8n's queue mode as on several machines, with Postgres, Redis, a main process, a webhook
 * processor and two workers. `npm run test:queue -- killed` runs the files with "killed" in their name.
 */
runSuite(import.meta.url, () => needPrograms(SERVERS));
