import { Type } from '@sinclair/typebox';

import type { App } from '../http/app.mts';
import { ChannelTemplate } from '../interface/records.mts';

/** Replaces the templates of the main channel until the next reset. */
export function controlTemplates(app: App): void {
	app.put(
		'/templates',
		{ schema: { body: Type.Array(ChannelTemplate) } },
		async ({ world, body }) => {
			world.directory.replaceMainTemplates(body);
			return { ok: true, templates: body.length };
		},
	);
}
