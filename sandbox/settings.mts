import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/**
 * How much there is and how fast it goes. `channels` and `templates` are totals (of the chat-app
 * listing, and of the main channel): what the seed data lacks is made up. `campaignSeconds` is the
 * time a campaign takes, `latencyMs` the time every answer of the nine endpoints takes.
 */
export type Settings = Static<typeof Settings>;
export const Settings = Type.Object(
	{
		channels: Type.Integer({ minimum: 0, maximum: 100_000 }),
		templates: Type.Integer({ minimum: 0, maximum: 100_000 }),
		campaignSeconds: Type.Number({ minimum: 0, maximum: 86_400 }),
		latencyMs: Type.Integer({ minimum: 0, maximum: 600_000 }),
	},
	{ additionalProperties: false },
);

export const defaultSettings: Settings = {
	channels: 0,
	templates: 0,
	campaignSeconds: 8,
	latencyMs: 0,
};

/** Not a secret: it opens nothing but a sandbox on one's own machine. */
export const defaultApiKey = 'sandbox-api-key';

/**
 * Completes settings with the defaults.
 * @throws Error with a sentence that names the first setting that is not possible
 */
export function settingsFrom(given: Partial<Settings>): Settings {
	const settings = { ...defaultSettings, ...given };
	const problem = Value.Errors(Settings, settings).First();
	if (!problem) return settings;
	throw new Error(`The setting ${problem.path.slice(1)} is not possible: ${problem.message}.`);
}
