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

export const PHRASES = RULES.flatMap(([before, kinds]) =>
	before.flatMap((word) => kinds.map((kind) => `${word} ${kind}`)),
);
