import { Type } from '@sinclair/typebox';

import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { jsonCall } from '../webhook/payloads.mts';
import { Registration } from '../webhook/registration.mts';

const Push = Type.Object(
	{ smsReport: Type.Optional(Type.String()), body: Type.Optional(Type.Unknown()) },
	{ additionalProperties: false },
);

/** Registers the webhook, which the service's users do in their account (section 6). */
export function controlWebhook(app: App): void {
	app.put('/webhook', { schema: { body: Registration } }, async ({ world, body }) => {
		if (!URL.canParse(body.url)) throw new Refusal(400, '"url" is not valid');
		world.webhook.registration = body;
		return { ok: true, webhook: body };
	});

	app.get('/webhook', async ({ world }) => ({ webhook: world.webhook.registration }));

	app.delete('/webhook', async ({ world }) => {
		world.webhook.registration = null;
		return { ok: true, webhook: null };
	});

	app.get('/webhook/deliveries', async ({ world }) => world.webhook.deliveries);

	app.post('/webhook/push', { schema: { body: Push } }, async ({ world, body }) => {
		const report =
			body.smsReport === undefined ? body.body : world.directory.smsReport(body.smsReport);
		if (report === undefined) throw new Refusal(404, 'There is nothing to push');
		if (!world.webhook.push(jsonCall(report))) throw new Refusal(409, 'No webhook is registered');
		return { ok: true };
	});
}
