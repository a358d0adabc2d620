import { Type } from '@sinclair/typebox';

import { FaultRule } from '../faults/rules.mts';
import type { App } from '../http/app.mts';

/** Adds, shows and removes fault rules. */
export function controlFaults(app: App): void {
	app.post('/faults', { schema: { body: Type.Array(FaultRule) } }, async ({ world, body }) => {
		world.faults.add(body);
		return world.faults.list();
	});

	app.get('/faults', async ({ world }) => world.faults.list());

	app.delete('/faults', async ({ world }) => {
		world.faults.clear();
		return [];
	});
}
