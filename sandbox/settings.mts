import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';

/**
 * `channels` and `templates` are totals (of the chat-app channels, and of the main channel's templates): the
 * sandbox generates the ones that the seed data does not have. `campaignSeconds` is the duration of a
 * campaign, `latencyMs` the delay of every answer of an endpoint.
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

/** Not a secret: it is only valid for a sandbox on the same machine. */
export const defaultApiKey = 'sandbox-api-key';

/**
 * Completes settings with the defaults.
 * @throws Error with a sentence that names the first invalid setting
 */
export function settingsFrom(given: Partial<Settings>): Settings {
	const settings = { ...defaultSettings, ...given };
	const [problem] = Value.Errors(Settings, settings);
	if (!problem) return settings;
	throw new Error(
		`The setting ${problem.instancePath.slice(1)} is not possible: ${problem.message}.`,
	);
}
