import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { stringEnum } from './schemas.mts';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** docs/development/interface.md, "OTP template". Timestamps are ISO 8601 in UTC with milliseconds. */
export type OtpTemplate = Static<typeof OtpTemplate>;
export const OtpTemplate = Type.Object({
	id: Type.String(),
	body: Type.String(),
	name: Type.String(),
	namespace: Type.String(),
	data: Type.Array(Type.Unknown()),
	locale: Type.String(),
	policy: Type.String(),
	status: Type.String(),
	type: Type.String(),
	scope: Type.String(),
	createdAt: Type.String(),
	updatedAt: Type.String(),
	firm_id: Nullable(Type.String()),
});

/** The `status` of a channel. */
export type ChannelStatus = Static<typeof ChannelStatus>;
export const ChannelStatus = stringEnum(['ACTIVE', 'INACTIVE', 'PENDING']);

/** docs/development/interface.md, "Channel". `phone` has only digits; it is null for an SMS channel. */
export type Channel = Static<typeof Channel>;
export const Channel = Type.Object({
	id: Type.String(),
	phone: Nullable(Type.String()),
	identifier: Nullable(Type.String()),
	medium: Type.String(),
	credentials: Type.Optional(Type.Null()),
	description: Nullable(Type.String()),
	name: Type.String(),
	type: Type.String(),
	country: Type.String(),
	status: ChannelStatus,
	createdAt: Type.String(),
	updatedAt: Type.String(),
	firm_id: Type.String(),
	provider_config_id: Type.String(),
});

/**
 * A component of a channel template. Only `BODY` is documented; headers, footers and buttons follow the
 * chat-app provider's public convention, in which `text` and `example` may be missing.
 */
export type TemplateComponent = Static<typeof TemplateComponent>;
export const TemplateComponent = Type.Object({
	type: Type.String(),
	text: Type.Optional(Type.String()),
	example: Type.Optional(Type.Object({ body_text: Type.Array(Type.Array(Type.String())) })),
	format: Type.Optional(Type.String()),
	buttons: Type.Optional(Type.Array(Type.Record(Type.String(), Type.String()))),
});

/** docs/development/interface.md, "Channel template" */
export type ChannelTemplate = Static<typeof ChannelTemplate>;
export const ChannelTemplate = Type.Object({
	category: Type.String(),
	components: Type.Array(TemplateComponent),
	language: Type.String(),
	name: Type.String(),
	namespace: Type.String(),
	rejected_reason: Nullable(Type.String()),
	status: Type.String(),
});

/** docs/development/interface.md, "Message record" */
export type MessageRecord = Static<typeof MessageRecord>;
export const MessageRecord = Type.Object({
	id: Type.String(),
	content: Type.String(),
	contentType: Type.String(),
	sender: Type.Object({
		name: Type.String(),
		authUser: Type.Boolean(),
		lastActivity: Type.String(),
	}),
	externalId: Type.String(),
	conversation_id: Type.String(),
	createdAt: Type.String(),
	updatedAt: Type.String(),
	subject: Nullable(Type.String()),
	imageUrl: Nullable(Type.String()),
	videoUrl: Nullable(Type.String()),
	documentUrl: Nullable(Type.String()),
	audioUrl: Nullable(Type.String()),
	quoted_message_id: Nullable(Type.String()),
});

/** docs/development/interface.md, "Log record and delivery report" */
export type LogRecord = Static<typeof LogRecord>;
export const LogRecord = Type.Object({
	id: Type.String(),
	externalId: Type.String(),
	status: Type.String(),
	reason: Nullable(Type.String()),
	from: Type.String(),
	to: Type.String(),
	units: Type.Number(),
	delivered_time: Nullable(Type.String()),
	createdAt: Type.String(),
	campaign_id: Type.String(),
	identifier: Type.String(),
});

/** docs/development/interface.md, "Log record and delivery report". The whole answer: it has no `success`. */
export type SmsReport = Static<typeof SmsReport>;
export const SmsReport = Type.Object({
	event: Type.Literal('smsDeliveryReport'),
	message: Type.Null(),
	conversation: Type.Object({
		id: Type.String(),
		externalId: Type.String(),
		status: Type.String(),
		reason: Type.String(),
		from: Type.String(),
		to: Type.String(),
		units: Type.Number(),
		delivered_time: Type.String(),
		createdAt: Type.String(),
	}),
});

/** The values of {@link messageRecord}. */
export interface SessionMessage {
	readonly id: string;
	readonly externalId: string;
	readonly conversationId: string;
	readonly text: string;
	/** Name of the sending channel. */
	readonly sender: string;
	/** ms since 1970. */
	readonly at: number;
}

/** @returns the record of a session message, with null in all fields that a text does not have */
export function messageRecord({
	id,
	externalId,
	conversationId,
	text,
	sender,
	at,
}: SessionMessage): MessageRecord {
	const time = new Date(at).toISOString();
	return {
		id,
		content: text,
		contentType: 'TEXT',
		sender: { name: sender, authUser: true, lastActivity: time },
		externalId,
		conversation_id: conversationId,
		createdAt: time,
		updatedAt: time,
		subject: null,
		imageUrl: null,
		videoUrl: null,
		documentUrl: null,
		audioUrl: null,
		quoted_message_id: null,
	};
}
