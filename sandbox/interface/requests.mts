import { Type } from 'typebox';
import type { Static } from 'typebox';

import { ChannelStatus } from './records.mts';

/** A phone number: the interface does not document what a valid one is. */
const PhoneNumber = Type.String({ pattern: '^\\+?[0-9]{6,15}$' });

/** A whole number from 1, as text in a query string. */
const PositiveInteger = Type.String({ pattern: '^[1-9][0-9]{0,8}$' });

/** The template of a message. Only `name` is documented; all other fields are kept. */
export type TemplateObject = Static<typeof TemplateObject>;
export const TemplateObject = Type.Object(
	{ name: Type.String({ minLength: 1 }) },
	{ additionalProperties: Type.Unknown() },
);

/** docs/development/interface.md, "Send session message" */
export const TextRequest = Type.Object({
	from: PhoneNumber,
	to: PhoneNumber,
	message: Type.String({ minLength: 1 }),
});

/** docs/development/interface.md, "Send template message" */
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

/** docs/development/interface.md, "Send campaign" */
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

/** docs/development/interface.md, "Get channels" */
export const ChannelsQuery = Type.Object({
	name: Type.Optional(Type.String()),
	status: Type.Optional(ChannelStatus),
});

/** docs/development/interface.md, "Get logs" */
export type LogsQuery = Static<typeof LogsQuery>;
export const LogsQuery = Type.Object({
	'page[size]': Type.Optional(PositiveInteger),
	'page[number]': Type.Optional(PositiveInteger),
	id: Type.Optional(Type.String()),
	campaign_id: Type.Optional(Type.String()),
	identifier: Type.Optional(Type.String()),
});

/** The `:id` of a path. */
export const IdParams = Type.Object({ id: Type.String() });
