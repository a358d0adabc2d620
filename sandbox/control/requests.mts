import { Type } from '@sinclair/typebox';

import type { App } from '../http/app.mts';

const LastQuery = Type.Object({
	last: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$' })),
});

/** Shows the last requests, with the API key masked. */
export function controlRequests(app: App): void {
	app.get('/requests', { schema: { querystring: LastQuery } }, async ({ world, query }) =>
		world.traffic.last(Number(query.last ?? 50)),
	);
}
