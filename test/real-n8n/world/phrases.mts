/*
 * What people type into n8n's search for what we do, made by rule: each verb or quality with each kind. Nobody chose single phrases, so
 * that the aliases are not learned from them.
 */

const RULES: Array<[before: string[], kinds: string[]]> = [
	[
		['send', 'bulk', 'mass', 'send bulk', 'customer'],
		['message', 'messages', 'text', 'text messages', 'sms', 'campaign', 'notification'],
	],
	[
		['send'],
		[
			...[
				'template',
				'template message',
				'newsletter',
				'broadcast',
				'offer',
				'promotion',
				'reminder',
			],
			...['alert', 'otp', 'one-time password', 'verification code', 'login code', 'code'],
		],
	],
	[
		['payment', 'appointment', 'invoice', 'booking', 'order'],
		['reminder', 'notification', 'update', 'confirmation', 'message'],
	],
	[['message', 'sms', 'marketing', 'broadcast', 'offer', 'newsletter'], ['campaign']],
	[
		['campaign', 'delivery', 'message', 'sms', 'read'],
		['report', 'status', 'log'],
	],
	[
		['ask for', 'get', 'wait for', 'request'],
		['approval', 'reply', 'answer', 'confirmation'],
	],
	[['login', 'verification', 'one-time', 'access'], ['code']],
	[['login', 'one-time'], ['password']],
	[
		['failed', 'delivered', 'unread'],
		['messages', 'sms'],
	],
	[
		['message', 'sms', 'otp'],
		['template', 'templates'],
	],
];

/** What the node does, by verb. A few find nothing: the aliases for them would also be found by names of n8n's own nodes. */
const VERBS: Record<string, string> = {
	send: 'sms, bulk sms, text, text message, chat message, message, bulk message, template, template message, sms template, campaign, sms campaign, campaign message, one-time password, otp, verification code, login code, reminder, notification, sms notification, question, approval, reply, confirmation',
	schedule:
		'sms, bulk sms, text message, chat message, message, template message, campaign, sms campaign, reminder, notification',
	get: 'sms status, message status, delivery status, delivery report, sms report, campaign report, campaign status, message log, campaign log, sms log, delivery log, templates, message templates, otp templates, channel templates, channels, reply, approval, answer',
	list: 'templates, message templates, otp templates, channel templates, channels, chat channels, logs, message logs, sms logs, delivery reports',
	check: 'message status, sms status, delivery status, delivery report, campaign status, delivery',
	read: 'message log, delivery report, campaign report, message status, logs',
	'wait for':
		'reply, answer, approval, confirmation, response, delivery, delivery report, campaign, customer reply',
	'ask for': 'approval, confirmation, reply, answer',
	ask: 'question, customer, person',
	request: 'approval, reply, answer, confirmation',
	test: 'campaign, message, template',
};

export const PHRASES_BY_VERB = Object.entries(VERBS).flatMap(([verb, kinds]) =>
	kinds.split(', ').map((kind) => `${verb} ${kind}`),
);

export const PHRASES = RULES.flatMap(([before, kinds]) =>
	before.flatMap((word) => kinds.map((kind) => `${word} ${kind}`)),
);
