import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

import { HeaderRecord } from '../http/headerSchema.mts';
import { stringEnum } from '../interface/stringEnum.mts';
import { payloadShapes } from './payloads.mts';

/**
 * Where completions go, and how. Everything but `url` has a default. `repeat` is how often each
 * completion is delivered, `attempts` how often one delivery is tried until it gets a 2xx.
 */
export type Registration = Static<typeof Registration>;
export const Registration = Type.Object(
	{
		url: Type.String({ pattern: '^https?://' }),
		repeat: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
		headers: Type.Unsafe<Static<typeof HeaderRecord>>({ ...HeaderRecord, default: {} }),
		reorder: Type.Boolean({ default: false }),
		delayMs: Type.Integer({ minimum: 0, maximum: 600_000, default: 0 }),
		payload: Type.Unsafe<(typeof payloadShapes)[number]>({
			...stringEnum(payloadShapes),
			default: 'default',
		}),
		attempts: Type.Integer({ minimum: 1, maximum: 20, default: 4 }),
		retryDelayMs: Type.Integer({ minimum: 0, maximum: 600_000, default: 500 }),
		timeoutMs: Type.Integer({ minimum: 1, maximum: 600_000, default: 10_000 }),
	},
	{ additionalProperties: false },
);
