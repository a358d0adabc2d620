/** A JSON object whose fields are not known. */
export type Json = { [field: string]: unknown };

export const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/*
 * The service's records. Each type names the fields that the nodes read; every other field passes through untouched.
 */

/** docs/development/interface.md, "OTP template" */
export type OtpTemplate = Json & {
	id: string;
	body: string;
	name: string;
	locale: string;
	status: string;
};

/** docs/development/interface.md, "Channel". `phone` is null for an SMS channel. */
export type Channel = Json & {
	id: string;
	phone: string | null;
	name: string;
	medium: string;
	status: string;
};

/** A part of a channel template; `text` contains the placeholders. */
type TemplateComponent = Json & {
	type: string;
	text?: string;
	example?: { body_text?: string[][] } & Json;
};

/** docs/development/interface.md, "Channel template" */
export type ChannelTemplate = Json & {
	name: string;
	language: string;
	category: string;
	status: string;
	namespace: string;
	components: TemplateComponent[];
	rejected_reason: string | null;
};

/** docs/development/interface.md, "Message record" */
export type MessageRecord = Json & { id: string };

/** docs/development/interface.md, "Log record and delivery report" */
export type LogRecord = Json & {
	id: string;
	status: string;
	reason: string | null;
	to: string;
	units: number;
	delivered_time: string | null;
	createdAt: string;
	campaign_id: string;
	identifier: string;
};

/** One page of the logs. The counts are undefined when the service gives none. */
export type LogPage = {
	records: LogRecord[];
	/** Matching records on all pages. */
	count?: number;
	/** Number of pages. */
	totalPage?: number;
	/** `null` was in the place of the list, which proves nothing about a single record. */
	isNull?: boolean;
};

/** docs/development/interface.md, "Log record and delivery report". The only answer without an envelope. */
export type SmsDeliveryReport = Json & {
	event: string;
	message: unknown;
	conversation: Json;
};
