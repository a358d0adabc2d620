import { randomUUID } from 'node:crypto';

import type { App } from '../http/app.mts';
import { endpoints } from '../interface/endpoints.mts';
import { TemplateRequest } from '../interface/requests.mts';
import { startRun } from '../state/run.mts';
import { activeSender, requireTemplates } from './sender.mts';

/** 4.6: sends template messages; all of them or, when one is refused, none. */
export function sendTemplate(app: App): void {
	app.post(
		endpoints.sendTemplate.path,
		{ config: { endpoint: 'sendTemplate' }, schema: { body: TemplateRequest } },
		async ({ world, body: { from, messages } }) => {
			requireTemplates(world, activeSender(world, from), messages);
			const seconds = world.settings.campaignSeconds;
			const run = startRun(randomUUID(), from, messages.length, seconds);
			const data = world.messages
				.accept('sendTemplate', run, messages)
				.map(({ externalId }) => ({ status: 'success', response: externalId }));
			return { data, message: 'Messages sent', success: true };
		},
	);
}
