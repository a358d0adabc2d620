/*
 * What people type into n8n's search for what we do, made by rule: each verb or quality with each kind. Nobody chose single phrases, so
 * that the aliases are not learned from them.
 */

type Rule = [before: string[], kinds: string[]];

const RULES: Rule[] = [
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
	[
		['login', 'verification', 'one-time', 'access'],
		['code', 'password'],
	],
	[
		['failed', 'delivered', 'unread'],
		['messages', 'sms'],
	],
	[
		['message', 'sms', 'otp'],
		['template', 'templates'],
	],
];

/** Longer ones, with other verbs and with whom a message is for. */
const LONGER: Rule[] = [
	[
		['send', 'schedule', 'create', 'start'],
		['sms campaign', 'message campaign', 'bulk messages', 'template message', 'text message'],
	],
	[
		['send', 'get', 'resend'],
		['otp code', 'login code', 'verification code', 'access code'],
	],
	[
		['message', 'notify', 'text', 'remind', 'write to'],
		['customers', 'clients', 'contacts', 'subscribers'],
	],
	[
		['check', 'get', 'track'],
		['delivery status', 'message status', 'campaign report', 'read status'],
	],
	[
		['ask', 'wait for', 'request'],
		['customer approval', 'customer reply', 'human approval', 'confirmation'],
	],
	[['shipping', 'delivery', 'meeting', 'event'], ['reminder']],
];

const made = (rules: Rule[]) =>
	rules.flatMap(([before, kinds]) =>
		before.flatMap((word) => kinds.map((kind) => `${word} ${kind}`)),
	);

export const PHRASES = made(RULES);
export const LONGER_PHRASES = made(LONGER);
