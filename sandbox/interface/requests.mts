import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

import { ChannelStatus } from './records.mts';

/** What the sandbox takes for a number; the document only says "valid chat-app number" (4.3). */
const PhoneNumber = Type.String({ pattern: '^\\+?[0-9]{6,15}$' });

/** Whole numbers from 1, as they stand in a query string. */
const PositiveInteger = Type.String({ pattern: '^[1-9][0-9]{0,8}$' });

/** Only `name` is documented; whatever else the caller puts in is kept (4.4). */
export type TemplateObject = Static<typeof TemplateObject>;
export const TemplateObject = Type.Object(
	{ name: Type.String({ minLength: 1 }) },
	{ additionalProperties: Type.Unknown() },
);

/** Section 4.3. */
export const TextRequest = Type.Object({
	from: PhoneNumber,
	to: PhoneNumber,
	message: Type.String({ minLength: 1 }),
});

/** Section 4.6. */
export const TemplateRequest = Type.Object({
	from: PhoneNumber,
	messages: Type.Array(
		Type.Object({
			to: PhoneNumber,
			save: Type.Optional(Type.Boolean()),
			template: TemplateObject,
			metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
		}),
		{ minItems: 1 },
	),
});

/** Section 4.4. */
export const CampaignRequest = Type.Object({
	from: PhoneNumber,
	messages: Type.Array(
		Type.Object({
			to: PhoneNumber,
			save: Type.Optional(Type.Boolean()),
			template: TemplateObject,
			identifier: Type.Optional(Type.String()),
		}),
		{ minItems: 1 },
	),
});

/** Section 4.2. */
export const ChannelsQuery = Type.Object({
	name: Type.Optional(Type.String()),
	status: Type.Optional(ChannelStatus),
});

/** Section 4.7. */
export type LogsQuery = Static<typeof LogsQuery>;
export const LogsQuery = Type.Object({
	'page[size]': Type.Optional(PositiveInteger),
	'page[number]': Type.Optional(PositiveInteger),
	id: Type.Optional(Type.String()),
	campaign_id: Type.Optional(Type.String()),
	identifier: Type.Optional(Type.String()),
});

/** The `:id` of sections 4.5, 4.8 and 4.9. */
export const IdParams = Type.Object({ id: Type.String() });
