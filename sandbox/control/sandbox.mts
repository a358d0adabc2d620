import { Type } from '@sinclair/typebox';

import type { App } from '../http/app.mts';
import { Settings } from '../settings.mts';
import type { World } from '../world.mts';

/** What the control API can do to the sandbox as a whole. */
export interface SandboxControl {
	readonly apiKey: string;
	url(): string;
	reset(settings: Partial<Settings>): World;
}

const ResetBody = Type.Union([
	Type.Partial(Settings, { additionalProperties: false }),
	Type.Null(),
]);

/** `GET /_sandbox/health` and `POST /_sandbox/reset`. */
export function controlSandbox(app: App, sandbox: SandboxControl): void {
	app.get('/health', async () => ({ ok: true, url: sandbox.url(), apiKey: sandbox.apiKey }));

	app.post('/reset', { schema: { body: Type.Optional(ResetBody) } }, async ({ body }) => {
		const world = sandbox.reset(body ?? {});
		return { ok: true, settings: world.settings };
	});
}
