import type { Delivery } from './hook';

/** What a call is, when it is let in. */
export type Kind = 'campaignCompleted' | 'smsDeliveryReport' | 'other' | 'unreadable';

export type Shape = {
	name: string;
	kind: Kind;
	/** How many events it holds; 1 when not said. */
	events?: number;
	/** The call; `id` is new for each, so that no row of the table meets another one's memory. */
	make: (id: string) => Delivery;
};

const FORM = 'application/x-www-form-urlencoded';
const nested = (depth: number) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`;
const sms = (id: string) => ({
	event: 'smsDeliveryReport',
	message: null,
	conversation: { id, externalId: 'x', status: 'delivered', units: 1, delivered_time: null },
});

const completions: Array<[string, (id: string) => Delivery]> = [
	['campaign_id', (id) => ({ body: { event: 'campaignCompleted', campaign_id: id } })],
	['campaignId', (id) => ({ body: { campaignId: id, total: 3 } })],
	['campaign.id', (id) => ({ body: { campaign: { id, status: 'completed' } } })],
	[
		'campaign as a name',
		(id) => ({ body: { campaign: 'Spring offer', data: { campaign_id: id } } }),
	],
	['data.campaign_id', (id) => ({ body: { success: true, data: { campaign_id: id } } })],
	['nested elsewhere', (id) => ({ body: { notification: { about: { campaign_id: id } } } })],
	[
		'the outermost of two',
		(id) => ({ body: { data: { campaign_id: 'inner' }, 'Campaign-Id': id } }),
	],
	['a form', (id) => ({ body: `event=done&campaign_id=${id}`, contentType: FORM })],
	['a form that does not say so', (id) => ({ body: `campaign_id=${id}&a=b`, contentType: null })],
	['the query, and no body', (id) => ({ query: { campaign_id: id } })],
	['the query, and an empty object', (id) => ({ body: {}, query: { campaignId: id } })],
	[
		'JSON as text/plain',
		(id) => ({ body: JSON.stringify({ campaign_id: id }), contentType: 'text/plain' }),
	],
	[
		'JSON without a content type',
		(id) => ({ body: JSON.stringify({ campaign_id: id }), contentType: null }),
	],
	[
		'JSON of an unknown content type',
		(id) => ({
			body: JSON.stringify({ campaign_id: id }),
			contentType: 'application/octet-stream',
		}),
	],
	[
		'JSON within JSON',
		(id) => ({
			body: JSON.stringify(JSON.stringify({ campaign_id: id })),
			contentType: 'application/json',
		}),
	],
	[
		// n8n hands over the decompressed bytes, and leaves the header as it was.
		'compressed',
		(id) => ({ body: { campaign_id: id }, headers: { 'content-encoding': 'gzip' } }),
	],
	[
		'a byte order mark',
		(id) => ({ body: `\uFEFF{"campaign_id":"${id}"}`, contentType: 'application/json' }),
	],
	[
		'a byte order mark without a content type',
		(id) => ({ body: `\uFEFF{"campaign_id":"${id}"}`, contentType: null }),
	],
	[
		'bytes that are not UTF-8',
		(id) => ({
			body: Buffer.from(`{"campaign_id":"${id}","name":"B\xe4ckerei"}`, 'latin1'),
			contentType: 'application/json',
		}),
	],
	[
		'bytes that are not UTF-8, without a content type',
		(id) => ({
			body: Buffer.from(`{"campaign_id":"${id}","name":"B\xe4ckerei"}`, 'latin1'),
			contentType: null,
		}),
	],
	[
		'beside deep nesting',
		(id) => ({
			body: `{"campaign_id":"${id}","x":${nested(40)}}`,
			contentType: 'application/json',
		}),
	],
	['beside 200 KB', (id) => ({ body: { text: 'x'.repeat(200_000), campaign_id: id } })],
	[
		'beside prototype names',
		(id) => ({
			body: `{"__proto__":{"event":"smsDeliveryReport"},"constructor":{"prototype":{}},"hasOwnProperty":1,"toString":2,"campaign_id":"${id}"}`,
			contentType: 'application/json',
		}),
	],
	['a list of one', (id) => ({ body: [{ campaign_id: id }] })],
	['a list with nothing else in it', (id) => ({ body: [{ campaign_id: id }, null] })],
	[
		'a list of 150 log records of one campaign',
		(id) => ({ body: Array.from({ length: 150 }, (_, n) => ({ id: n, campaign_id: id })) }),
	],
	['a list in a field', (id) => ({ body: { success: true, data: [{ campaign_id: id }] } })],
	['a list in a field of any name', (id) => ({ body: { events: [{ campaign_id: id }] } })],
	['an end by its type', (id) => ({ body: { type: 'CAMPAIGN_COMPLETED', campaign_id: id } })],
	['an end under an event', (id) => ({ body: { event: { type: 'done', campaign_id: id } } })],
	[
		'an end of several names',
		(id) => ({ body: { type: 'webhook', event: 'campaign.finished', campaign_id: id } }),
	],
	[
		'a list of ends in a call of another name',
		(id) => ({ body: { type: 'batch', events: [{ event: 'campaign.ended', campaign_id: id }] } }),
	],
	[
		'an end, whose records have a type',
		(id) => ({ body: { event: 'campaignEnd', data: [{ type: 'TEXT', campaign_id: id }] } }),
	],
	['a name further down', (id) => ({ body: { data: { type: 'TEXT', campaign_id: id } } })],
	['a name that is a number', (id) => ({ body: { type: 7, campaign_id: id } })],
	['a multipart form with a file', (id) => ({ form: { event: 'done', campaign_id: id } })],
	[
		'JSON in a field of a multipart form',
		(id) => ({ form: { payload: JSON.stringify({ data: { campaign_id: id } }) } }),
	],
	// Was `other`: objects below `__proto__` are data like any other.
	[
		'an id in a prototype',
		(id) => ({ body: `{"__proto__":{"campaign_id":"${id}"}}`, contentType: 'application/json' }),
	],
	// Was `other`: a type counts only at the top, because further down it is usually the kind of a record.
	[
		'a list within a record of another type',
		(id) => ({ body: { events: [{ type: 'reply', messages: [{ campaign_id: id }] }] } }),
	],
	[
		'JSON in a field of a form',
		(id) => ({
			body: `a=b&payload=${encodeURIComponent(JSON.stringify({ campaign_id: id }))}`,
			contentType: FORM,
		}),
	],
];

/** A status of one message, which names the campaign of the message. */
const status = (id: string, more: object = {}) => ({
	event: 'messageStatus',
	campaign_id: id,
	status: 'sent',
	...more,
});

const others: Array<[string, (id: string) => Delivery]> = [
	['a status of one message', (id) => ({ body: status(id) })],
	['a status by its type', (id) => ({ body: { type: 'message.sent', campaignId: id } })],
	['a status by its eventType', (id) => ({ body: { eventType: 'PENDING', campaign: id } })],
	[
		'a status by its event_type, the campaign below',
		(id) => ({ body: { event_type: 'campaign.incomplete', campaign: { id } } }),
	],
	['a status under an event', (id) => ({ body: { event: { name: 'sent', campaign_id: id } } })],
	[
		'a status in a form',
		(id) => ({ body: `event=messageStatus&campaign_id=${id}`, contentType: FORM }),
	],
	[
		'a status in JSON in a field of a form',
		(id) => ({
			body: `a=b&payload=${encodeURIComponent(JSON.stringify(status(id)))}`,
			contentType: FORM,
		}),
	],
	['a status in the query', (id) => ({ query: { event: 'messageStatus', campaign_id: id } })],
	[
		'a status, its campaign in the query',
		(id) => ({ body: { event: 'messageStatus' }, query: { campaign_id: id } }),
	],
	['a list of a status', (id) => ({ body: [status(id)] })],
	[
		'a list of 150 statuses',
		(id) => ({ body: Array.from({ length: 150 }, (_, n) => status(id, { n })) }),
	],
	[
		'a list of statuses of 150 campaigns',
		(id) => ({ body: Array.from({ length: 150 }, (_, n) => status(`${id}-${n}`)) }),
	],
	['statuses in a field', (id) => ({ body: { data: [status(id), status(id, { n: 2 })] } })],
	[
		'a call that is named once for all',
		(id) => ({ body: { event: 'messageStatus', data: [{ campaign_id: id }] } }),
	],
	// Was a completion: whether it is an id or a name, nobody can tell.
	['campaign as the id itself', (id) => ({ body: { campaign: id } })],
	// Was a completion: a larger call than 250,000 bytes is not searched, and neither is its query.
	['beside 5 MB', (id) => ({ body: { text: 'x'.repeat(5_000_000), campaign_id: id } })],
	[
		'the query, beside 300 KB',
		(id) => ({ body: { text: 'x'.repeat(300_000) }, query: { campaign_id: id } }),
	],
	['a status in a multipart form', (id) => ({ form: { event: 'messageStatus', campaign_id: id } })],
	['an object without an id', (id) => ({ body: { hello: id } })],
	['no body', (id) => ({ query: { ping: id } })],
	['an empty text', (id) => ({ body: '', contentType: 'application/json', query: { ping: id } })],
	['an empty object', (id) => ({ body: {}, query: { ping: id } })],
	['a list of other things', (id) => ({ body: [1, id, null, { a: 1 }] })],
	['a number', (id) => ({ body: id.replace(/\D/g, '1'), contentType: 'application/json' })],
	['a text in JSON', (id) => ({ body: JSON.stringify(id), contentType: 'application/json' })],
	['false', (id) => ({ body: 'false', contentType: null, query: { ping: id } })],
	['null', (id) => ({ body: 'null', contentType: 'application/json', query: { ping: id } })],
	['an id that is empty', (id) => ({ body: { campaign_id: ' ', id } })],
	['an id that is an object', (id) => ({ body: { campaign_id: { a: id } } })],
	['an id of a megabyte', (id) => ({ body: { campaign_id: id.repeat(30_000) } })],
	['an id with a line break', (id) => ({ body: { campaign_id: `${id}\nERROR all is lost` } })],
	[
		'an id with half a character',
		(id) => ({ body: `{"campaign_id":"${id}\\ud800"}`, contentType: 'application/json' }),
	],
	[
		'another event name in a prototype',
		(id) => ({
			body: `{"__proto__":{"event":"smsDeliveryReport"},"a":"${id}"}`,
			contentType: 'application/json',
		}),
	],
];

const unreadables: Array<[string, () => Delivery]> = [
	['text', () => ({ body: 'hello world', contentType: 'text/plain' })],
	['text without a content type', () => ({ body: '<html>campaign</html>', contentType: null })],
	['JSON cut off, without a content type', () => ({ body: '{"campaign_id":', contentType: null })],
	['bytes', () => ({ body: Buffer.from([0, 255, 254, 1, 128]), contentType: null })],
	['UTF-16', () => ({ body: Buffer.from('{"campaign_id":"c"}', 'utf16le'), contentType: null })],
	['nested 500 deep', () => ({ body: nested(250), contentType: 'application/json' })],
	['nested 20,000 deep', () => ({ body: nested(5_000), contentType: null })],
	[
		'a list of 101',
		() => ({ body: Array.from({ length: 101 }, (_, id) => ({ campaign_id: id })) }),
	],
];

const shape =
	(kind: Kind) =>
	([name, make]: [string, (id: string) => Delivery]): Shape => ({ name, kind, make });

/** Every shape of a call that we can think of: the service does not document its own. */
export const SHAPES: Shape[] = [
	...completions.map(shape('campaignCompleted')),
	{
		// Were three: only the outermost level that names a campaign counts.
		name: 'a list of two, and one further down',
		kind: 'campaignCompleted',
		events: 2,
		make: (id) => ({
			body: [{ campaign_id: id }, { campaignId: `${id}-2` }, { data: { campaign_id: `${id}-3` } }],
		}),
	},
	{
		name: 'a list of three in a field',
		kind: 'campaignCompleted',
		events: 3,
		make: (id) => ({
			body: { events: [1, 2, 2, 3].map((n) => ({ campaign_id: `${id}-${n}` })) },
		}),
	},
	{ name: 'an SMS report', kind: 'smsDeliveryReport', make: (id) => ({ body: sms(id) }) },
	{
		name: 'an SMS report that names a campaign',
		kind: 'smsDeliveryReport',
		make: (id) => ({ body: { ...sms(id), campaign_id: id } }),
	},
	{
		// Were two events: the SMS reports of a call are one.
		name: 'a list of two SMS reports',
		kind: 'smsDeliveryReport',
		make: (id) => ({ body: [sms(id), sms(`${id}-2`)] }),
	},
	...others.map(shape('other')),
	...unreadables.map(shape('unreadable')),
];
