/**
 * The service's resources as the interface document shows them (section 2). Every type is open:
 * fields and values that the document does not show pass through untouched.
 */
type Open = { [field: string]: unknown };

/** One-time-password template (2.2). */
export type OtpTemplate = Open & {
	id: string;
	body: string;
	name: string;
	locale: string;
	status: string;
};

/** A configured sender (2.3). `phone` is null for an SMS channel. */
export type Channel = Open & {
	id: string;
	phone: string | null;
	name: string;
	medium: string;
	status: string;
};

/** A part of a channel template (2.4); `text` carries the placeholders. */
export type TemplateComponent = Open & {
	type: string;
	text?: string;
	example?: { body_text?: string[][] } & Open;
};

/** Chat-app template of a channel (2.4). */
export type ChannelTemplate = Open & {
	name: string;
	language: string;
	category: string;
	status: string;
	namespace: string;
	components: TemplateComponent[];
	rejected_reason: string | null;
};

/** What the service keeps of a session message (2.5). */
export type MessageRecord = Open & { id: string };

/** What happened to one message (2.6). */
export type LogRecord = Open & {
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

/** One page of the logs (4.7). */
export type LogPage = {
	records: LogRecord[];
	/** Matching records in all pages, as the service says; undefined when it does not say. */
	count?: number;
	/** Pages in all, as the service says; undefined when it does not say. */
	totalPage?: number;
};

/** SMS delivery report (2.6), the only answer without the common envelope. */
export type SmsDeliveryReport = Open & {
	event: string;
	message: unknown;
	conversation: Open;
};
