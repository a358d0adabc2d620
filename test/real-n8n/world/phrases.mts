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

/*
 * The rule of the aliases. People type a verb, a quality or an occasion, a kind of message, and to whom, in this order, and leave out
 * what they like. n8n takes the letters of what was typed in order within one alias, so an alias has several words for one place: "Notify
 * Send Messages to Contacts All Patients Everyone Guests Students" answers "notify patients" and "send messages to guests". A longer alias
 * scores lower, but most of these phrases find nothing else. What limits it is the short names of n8n's own nodes: "Set" is in "Send
 * Text". Such a name counts once, however many aliases contain it. So there are at most 30 of them, and each may be in many aliases.
 * A program chose the words of the aliases, for as many phrases as possible of a longer list like this one: with more trades, more people
 * and rarer words. The common ones are here.
 * A place is a list of words; a phrase takes one word of each place of its line.
 */
const KINDS =
	'message, messages, sms, text, notification, reminder, alert, update, campaign, template, newsletter, promotion, offer, broadcast, confirmation, announcement';
const MESSAGES = 'message, sms, text';
const QUALITIES =
	'bulk, mass, group, sms, text, customer, marketing, promotional, automated, personalized';
const OCCASIONS = [
	'appointment, booking, order, payment, delivery, invoice, shipping, event, meeting, service, reservation, class, lesson, school, birthday, welcome',
	'follow up, review, feedback, rent, shift, interview, webinar, membership, subscription, renewal, pickup, waitlist, viewing, support, lead',
	'abandoned cart, sale, discount, donation, maintenance, overdue, deadline, stock, table, ticket, package',
].join(', ');
const PEOPLE =
	'customers, clients, patients, parents, members, guests, students, staff, employees, tenants, team, users, contacts, leads, subscribers, people, group, volunteers, drivers, everyone';
const PERSONS =
	'customer, client, patient, parent, member, guest, student, staff, employee, team, user';
const REPORTS = 'status, report, reports, log, logs, history, results, statistics';

const PLACES = [
	['send, schedule', KINDS],
	[QUALITIES, KINDS],
	['send', QUALITIES, KINDS],
	[OCCASIONS, 'reminder, notification, update, confirmation, message, alert, sms, text'],
	['send', OCCASIONS, 'reminder, notification, update, confirmation, message, alert'],
	[OCCASIONS, 'reminder, confirmation', MESSAGES],
	['server down, outage, error, system, incident, low stock', MESSAGES, 'alert, notification'],
	['send', 'sms, message, text, notification, reminder, campaign', 'to', PEOPLE],
	['notify, text, message, remind, alert, ask, inform, contact, update, invite, sms', PEOPLE],
	[PERSONS, 'message, sms, text, notification, reminder, alert, survey'],
	['start, run, launch, schedule, create', 'sms, text, message, marketing, bulk', 'campaign'],
	['send to, broadcast to, message, text', 'list, group, all customers, everyone, contacts'],
	[
		'send, text, sms',
		'payment link, booking link, invoice, coupon, voucher, discount code, receipt',
	],
	['sms, text, message, chat, bulk sms', 'marketing, gateway, api, service, automation, blast'],
	['get, check, track, view, read, show, list', 'message, sms, campaign, delivery', REPORTS],
	['message, sms, campaign, delivery, broadcast, read', REPORTS],
	['get, list, show', 'failed, undelivered, unread, delivered, sent', 'messages, sms'],
	['get, send, wait for, ask for, request', 'approval, reply, answer, response, confirmation'],
	['wait for, get, ask', 'customer, manager, client, user', 'approval, reply, answer, response'],
	['manager, customer, human, order, invoice, expense, sms, text', 'approval, confirmation'],
	['send, get', 'otp, verification, login, one-time, access, security, 2fa', 'code, password'],
	['verification, login, security, otp, 2fa', 'code', MESSAGES],
	['verify, confirm', 'phone, phone number, customer, user, number'],
	['get, list, find, use', 'message, sms, otp, channel', 'template, templates'],
	['on, when', 'message, campaign, sms', 'delivered, failed, completed, sent, read, finished'],
	['message, campaign, sms, delivery', 'trigger, webhook, event'],
].map((line) => line.map((words) => words.split(', ')));

export const PHRASES_BY_PLACE = PLACES.flatMap((line) =>
	line.reduce((begun, words) => begun.flatMap((start) => words.map((word) => `${start} ${word}`))),
).filter((phrase) => new Set(phrase.split(' ')).size === phrase.split(' ').length);
