/**
 * The field tables of the interface document, copied by hand so that the contract test does not
 * lean on the sandbox's own schemas. Keys are field names; a question mark behind a type means
 * that null is allowed, `absent` that the field may be missing.
 */
export type Table = Readonly<Record<string, string>>;

/** Section 2.2 */
export const otpTemplate: Table = {
	id: 'uuid',
	body: 'string',
	name: 'string',
	namespace: 'string',
	data: 'array',
	locale: 'string',
	policy: 'string',
	status: 'string',
	type: 'string',
	scope: 'string',
	createdAt: 'timestamp',
	updatedAt: 'timestamp',
	firm_id: 'string?',
};

/** Section 2.3 */
export const channel: Table = {
	id: 'uuid',
	phone: 'string?',
	identifier: 'string?',
	medium: 'string',
	credentials: 'null absent',
	description: 'string?',
	name: 'string',
	type: 'string',
	country: 'string',
	status: 'channelStatus',
	createdAt: 'timestamp',
	updatedAt: 'timestamp',
	firm_id: 'uuid',
	provider_config_id: 'uuid',
};

/** Section 2.4 */
export const channelTemplate: Table = {
	category: 'string',
	components: 'array',
	language: 'string',
	name: 'string',
	namespace: 'string',
	rejected_reason: 'string?',
	status: 'string',
};

/** Section 2.4, component: shown for the type `BODY` only */
export const bodyComponent: Table = { type: 'string', text: 'string', example: 'object' };

/** Section 2.5 */
export const messageRecord: Table = {
	id: 'uuid',
	content: 'string',
	contentType: 'string',
	sender: 'object',
	externalId: 'string',
	conversation_id: 'uuid',
	createdAt: 'timestamp',
	updatedAt: 'timestamp',
	subject: 'string?',
	imageUrl: 'string?',
	videoUrl: 'string?',
	documentUrl: 'string?',
	audioUrl: 'string?',
	quoted_message_id: 'string?',
};

/** Section 2.5, `sender` */
export const messageSender: Table = {
	name: 'string',
	authUser: 'boolean',
	lastActivity: 'timestamp',
};

/** Section 2.6 */
export const logRecord: Table = {
	id: 'uuid',
	externalId: 'string',
	status: 'string',
	reason: 'string?',
	from: 'string',
	to: 'string',
	units: 'number',
	delivered_time: 'timestamp?',
	createdAt: 'timestamp',
	campaign_id: 'uuid',
	identifier: 'string',
};

/** Section 2.6, `conversation` of the SMS delivery report */
export const smsConversation: Table = {
	id: 'string',
	externalId: 'string',
	status: 'string',
	reason: 'string',
	from: 'string',
	to: 'string',
	units: 'number',
	delivered_time: 'timestamp',
	createdAt: 'timestamp',
};

/** Section 2.6, the envelope of the SMS delivery report */
export const smsReport: Table = { event: 'string', message: 'null', conversation: 'object' };

/** Sections 4.1 and 4.5 */
export const bodyEnvelope: Table = { body: 'array', message: 'string', success: 'boolean' };

/** Sections 4.2 and 4.6 */
export const listEnvelope: Table = { data: 'array', message: 'string', success: 'boolean' };

/** Sections 4.3, 4.4 and 4.8 */
export const objectEnvelope: Table = { data: 'object', message: 'string', success: 'boolean' };

/** Section 4.4, `data` */
export const campaignAccepted: Table = { campaign_id: 'uuid' };

/** Section 4.6, an element of `data` */
export const templateAccepted: Table = { status: 'string', response: 'string' };

/** Section 4.7 */
export const logsEnvelope: Table = {
	count: 'number',
	data: 'array',
	currentPage: 'number',
	totalPage: 'number',
	message: 'string',
	success: 'boolean',
};
