import { useHarness } from '../../support/harness';
import { Hook, withLogs, type Delivery } from './hook';

/*
 * Calls as public documents and bug reports of comparable services show them, each with what it starts in production, and what
 * the test event says of it. The campaign is "C" (docs/triggers.md, "Which call is a completed campaign").
 */

const harness = useHarness();

const FORM = 'application/x-www-form-urlencoded';
const form = (body: string, contentType = FORM): Delivery => ({ body, contentType });
const header = (name: string, value: string, body: object): Delivery => ({
	body,
	headers: { [name]: value },
});
const C = { campaign_id: 'C' };
const campaign = (status: unknown) => ({ campaign: { id: 'C', status } });
const CHANGE = { from: 'sending', to: 'completed' };
const contacts = Array.from({ length: 8_000 }, (_, n) => ({ phone: `44770090${n}`, state: 'ok' }));

/** The body, or the call. */
type Row = [title: string, call: object];
const isDelivery = (call: object): call is Delivery =>
	['body', 'query', 'form'].some((part) => part in call) && !('body' in call && 'event' in call);

const COMPLETED: Row[] = [
	['nothing but the campaign', C],
	['of a message that says an end', { event: 'campaign.completed', ...C }],
	['a status only', { ...C, status: 'completed' }],
	['an identifier with the status in capitals', { campaign_sid: 'C', status: 'COMPLETED' }],
	['the campaign’s own status', campaign('FINISHED')],
	['one name for all statuses', { event: 'campaign.status', ...campaign('completed') }],
	['CRM: status changed', { eventName: 'CAMPAIGN.STATUS_CHANGED', ...C, new_status: 'Completed' }],
	[
		'marketing: status updated',
		{ event_type: 'campaign_status_updated', data: { ...C, status: 'DONE' } },
	],
	['updated', { event: 'campaign.updated', data: { campaignId: 'C', state: 'finished' } }],
	[
		'an old and a new status',
		{ type: 'CampaignStatusUpdate', ...C, old_status: 'sending', new_status: 'ended' },
	],
	[
		'a status with from and to',
		{ event: 'campaign.status', ...C, status: { from: 'sending', to: 'done' } },
	],
	['a topic', { topic: 'campaign.completed', ...C }],
	['an action beside a type', { type: 'campaign', action: 'completed', ...C }],
	['a trigger', { trigger: 'CampaignFinished', ...C }],
	['webhook_event', { webhook_event: 'broadcast.completed', ...C }],
	['notification_type', { notification_type: 'CAMPAIGN_COMPLETE', ...C }],
	['detail-type', { 'detail-type': 'Campaign Completed', detail: C }],
	['a header', header('x-event-type', 'campaign.completed', C)],
	['a header of cloud events', header('ce-type', 'com.example.campaign.completed', C)],
	['a header that says nothing', header('x-hook-event', 'campaign', { ...C, status: 'done' })],
	['the query names it', { body: C, query: { event: 'campaign.completed' } }],
	['the id of data', { event: 'campaign.completed', data: { id: 'C' } }],
	[
		'the id of an object',
		{ id: 'evt_1', type: 'campaign.completed', data: { object: { id: 'C' } } },
	],
	['the id of the top', { event: 'campaign_completed', id: 'C', name: 'Spring' }],
	[
		'the id of data, and the status',
		{ event: 'campaign.status', data: { id: 'C', status: 'completed' } },
	],
	['JSON as a form', form('{"event":"campaignCompleted","campaign_id":"C"}')],
	[
		'JSON with = and & as a form',
		form('{"event":"campaignCompleted","u":"a=b&c=1","campaign_id":"C"}'),
	],
	[
		'JSON as an encoded form',
		form(encodeURIComponent('{"event":"campaignCompleted","campaign_id":"C"}')),
	],
	['brackets', form('event=campaign.completed&campaign%5Bid%5D=C')],
	['brackets in brackets', form('event=campaign.completed&data[campaign][id]=C&data[list][]=1')],
	['brackets with an id', form('event=campaign.completed&data[campaign_id]=C')],
	['brackets without a content type', { body: 'event=done&campaign[id]=C', contentType: null }],
	['brackets in a multipart form', { form: { 'campaign[id]': 'C', event: 'done' } }],
	['8,000 contacts in it', { event: 'campaign.dispatch.completed', ...C, contacts }],
	['an end that is described', { event: 'campaign.completed_with_failures', ...C }],
	['an envelope’s status', { status: 'success', data: { event: 'campaign.completed', ...C } }],
	['an envelope’s HTTP status', { status: 200, data: { event: 'campaign.completed', ...C } }],
	['a campaign that is sent', { event: 'campaign.completed', ...campaign('sent') }],
	[
		'counts of recipients and messages',
		{
			event: 'campaign.completed',
			...C,
			recipients: 25,
			messages: 25,
			contact: 25,
			sms: 20,
			email: 5,
		},
	],
	['a text for a person', { message: 'Campaign completed', ...C }],
	[
		'a notification service',
		{
			Type: 'Notification',
			MessageId: 'x',
			Message: '{"event":"campaign.completed","campaign_id":"C"}',
		},
	],
	['a progress of 100', { ...C, progress: 100 }],
	[
		'a progress that has ended',
		{ event: 'campaign.progress', ...C, progress: 100, status: 'completed' },
	],
	['a name with a prefix', { type: 'com.acme.marketing.campaign.finished', ...C }],
	['sent out', { ...C, status: 'SENT_OUT' }],
	['finalized', { ...C, status: 'Finalized' }],
	// Thirty more, made up after the rule.
	[
		'e-mail tool: fired_at and data',
		{
			type: 'campaign',
			fired_at: '2026-11-27',
			'data[id]': 'x',
			data: { campaignId: 'C', status: 'done' },
		},
	],
	['CRM: kebab case', { 'event-name': 'campaign-completed', 'campaign-id': 'C' }],
	['upper case', { EVENT: 'CAMPAIGN_COMPLETED', CAMPAIGN_ID: 'C', STATUS: 'COMPLETED' }],
	[
		'automation: a list of events',
		{
			events: [
				{ eventType: 'campaign.finished', payload: { campaign: { id: 'C', name: 'Spring' } } },
			],
		},
	],
	[
		'a bus: source and detail',
		{
			version: '0',
			source: 'acme',
			'detail-type': 'Campaign State Change',
			detail: { campaignId: 'C', state: 'COMPLETED' },
		},
	],
	['JSON:API', { data: { type: 'campaign-completed', attributes: { campaign_id: 'C' } } }],
	['a status object', { campaign_id: 'C', status: { id: 3, name: 'Completed' } }],
	[
		'counts and times',
		{ campaignId: 'C', completedAt: '2026-11-27T10:00:00Z', total: 100, delivered: 90, failed: 10 },
	],
	[
		'a period from and to',
		{ event: 'campaign.completed', campaign_id: 'C', from: '2026-11-01', to: '2026-11-27' },
	],
	[
		'the sender',
		{
			event: 'campaign.completed',
			campaign_id: 'C',
			from: '+447700900211',
			sender: { phone: '+447700900211' },
		},
	],
	[
		'the creator',
		{ event: 'campaign.completed', campaign: { id: 'C', created_by: { email: 'a@example.com' } } },
	],
	[
		'lists of recipients and messages',
		{
			event: 'broadcast.completed',
			campaign_id: 'C',
			recipients: [{ phone: '447700900211' }],
			messages: [{ id: 'm', to: '447700900211' }],
		},
	],
	['sent in a query', { query: { type: 'campaign.done', campaignId: 'C' } }],
	['a form of a gateway', form('campaign_id=C&status=completed&sent=10&failed=0')],
	['a name with spaces', { event_name: 'Campaign has been completed', campaign_id: 'C' }],
	['a name with a version', { event: 'campaign.completed.v2', campaign_id: 'C' }],
	['a name as an address', { topic: 'acme/marketing/campaign/completed', campaign_id: 'C' }],
	['a closed campaign', { event: 'campaign.closed', campaign_id: 'C' }],
	['all messages', { event: 'all_messages_processed_done', campaign_id: 'C' }],
	['a GraphQL envelope', { data: { campaignUpdated: { campaign_id: 'C', status: 'COMPLETED' } } }],
	[
		'a change record',
		{
			event: 'campaign.status_changed',
			campaign_id: 'C',
			old: { status: 'sending' },
			new: { status: 'x' },
			status: 'completed',
		},
	],
	// Of other providers.
	['an end in a field of another name', { code: 'CAMPAIGN_COMPLETED', ...C }],
	['a name beside the data', { meta: { event: 'campaign.completed' }, data: { id: 'C' } }],
	[
		'JSON:API, with the status in the attributes',
		{ data: { type: 'campaign-send-job', id: 'C', attributes: { status: 'complete' } } },
	],
	['a UUID of the campaign', { event: 'campaign.completed', campaign: { uuid: 'C' } }],
	['a status with a code', { ...C, status: { code: 'COMPLETED', description: 'x' } }],
	['an envelope’s HTTP status as text', { status: '200', data: C }],
	['words of its own name and kind', { ...C, name: 'Spring campaign', campaign_type: 'promo' }],
	['an end before what has ended', { event: 'campaign.finished_sending', ...C }],
	// A word that stands elsewhere.
	['from and to', { event: 'campaign.state.changed', ...C, from: 'sending', to: 'completed' }],
	['a transition', { event: 'campaign.updated', ...C, transition: CHANGE }],
	['a change of the status', { event: 'campaign.updated', ...C, changes: { status: CHANGE } }],
	['an old and a new value', { event: 'campaign.status.changed', ...C, old: 'x', new: 'done' }],
	['two values', { event: 'campaign.updated', ...C, changes: { status: ['sending', 'done'] } }],
	...['data', 'result', 'properties'].map(
		(name): Row => [
			`${name} beside the ID`,
			{ event: 'campaign.status', ...C, [name]: { status: 'done' } },
		],
	),
	['a new value', { event: 'campaign.updated', ...C, change: { newValue: 'completed' } }],
	['a database', { before: { ...C, status: 'sending' }, after: { ...C, status: 'done' } }],
	['a list of events', { ...C, events: [{ name: 'campaign.completed' }] }],
	['a bus', { eventType: 'X.Campaign.Completed', topic: '/subscriptions/s/topics/t', data: C }],
	['an end, and what else it is', { action: 'update', event: 'campaign.completed', ...C }],
	['a type in a payload', { type: 'campaign-event', payload: { ...C, type: 'completed' } }],
	['an item', { topic: 'campaign.completed', id: 'n', data: { item: { id: 'C' } } }],
	[
		'a queue',
		{ Records: [{ messageId: 'm', body: '{"event":"campaign.done","data":{"id":"C"}}' }] },
	],
	[
		'failed messages in it',
		{ status: 'done', ...C, messages: [{ to: '447700900211', status: 'failed' }] },
	],
	[
		'a service’s header and an action',
		header('x-github-event', 'campaign', { action: 'completed', ...C }),
	],
	['XML', { event: { name: 'campaign.completed', campaign_id: 'C' } }],
	[
		'its sender and its maker',
		{ ...C, channel: { phone: '447700900211' }, owner: { email: 'a@b.example' } },
	],
	['a long text in front of it', { log: `[${'1,'.repeat(300_000)}1]`, data: C }],
	['its account', { ...C, account: { status: 'active', email: 'a@b.example' } }],
	['a state of something else', { ...C, billing: { state: 'open', progress: 50 } }],
	[
		'a topic that is a place',
		{
			eventType: 'Acme.CampaignStatusChanged',
			topic: '/subscriptions/s/topics/t',
			data: { ...C, status: 'Completed' },
		},
	],
	['a row that was updated', { type: 'UPDATE', record: { ...C, status: 'completed' } }],
	['a channel in its name', { event: 'whatsapp_campaign_completed', ...C }],
	['an execution', { event: 'CAMPAIGN_EXECUTION_COMPLETED', ...C }],
	['a time span', { event: 'campaign.completed', ...C, from: 1764115200, to: 1764201600 }],
	['days', { event: 'campaign.completed', ...C, to: '27.11.2026' }],
	['an account’s number', { event: 'campaign.completed', ...C, customer_number: '10023456' }],
	['a label', { ...C, tag: 'campaign_spring_2026' }],
	['all recipients', { event: 'campaign.completed', ...C, to: ['447700900211', '447700900212'] }],
	['its maker’s e-mail', { event: 'campaign.completed', ...C, created_by_email: 'a@b.example' }],
	['another name of its ID', { event: 'campaign.completed', campaign_uid: 'C' }],
	['a hook’s name', header('x-webhook-name', 'n8n production', C)],
	['a campaign’s own name', { campaign: { id: 'C', name: 'campaign_sent_to_vips' } }],
	['the same beside it', { ...C, campaign_name: 'broadcast-scheduled-2' }],
	['a newsletter in a header', header('ce-type', 'org.acme.newsletter.finished.v2', C)],
	['the name of an envelope', { name: 'campaign.completed', data: { id: 'C' } }],
	['an account around it', { event: 'campaign.completed', account: { campaign: { id: 'C' } } }],
	['a workspace around it', { type: 'campaign.completed', workspace: { ...C, status: 'active' } }],
	...[
		{ launched_by_email: 'a@b.example', approved_by: { id: 3, email: 'b@b.example' } },
		{ from: '20261101000000', to: '20261127103000' },
		{ to: 1764201600.123 },
		{ to: '27.11.2026 1030' },
		...['sending_email', 'bounce_email', 'manager_email'].map((field) => ({
			[field]: 'a@b.example',
		})),
		{
			source_phone_number: '15550783881',
			display_phone_number: '15550783881',
			bot_phone: '155507838',
		},
		{ customer: { id: 'cus_9', name: 'Acme Ltd' } },
		{ email: 1250000, sms: 900000, email_id: 48213377 },
	].map(
		(more): Row => [
			`of nobody: ${Object.keys(more).join()}`,
			{ body: { event: 'campaign.completed', ...C, ...more } },
		],
	),
];

const OTHERS: Row[] = [
	// About one message or person.
	[
		'the interface’s log record',
		{ id: 'm', externalId: 'e', status: 'delivered', from: '1', to: '447700900211', ...C },
	],
	['a list of a record', { body: [{ id: 'm', status: 'delivered', to: '447700900211', ...C }] }],
	['a record in data', { data: { id: 'm', status: 'delivered', to: '+44 7700 900211', ...C } }],
	...[
		{ campaign_sid: 'C', call_sid: 'd', number: '+919876543210', status: 'completed' },
		...[
			...['user_phone_number', 'call_to_number', 'whatsapp_number', 'called_number', 'dst'],
			...['sMobileNo', 'to'],
		].map((field) => ({ ...C, completion_status: 'completed', [field]: '919876543210' })),
		{ ...C, status: 'completed', to: ['447700900211'] },
		...['user_email', 'rcpt_to'].map((field) => ({ ...C, status: 'done', [field]: 'a@b.example' })),
		...['sg_message_id', 'sms_message_id', 'call_id'].map((field) => ({
			...C,
			status: 'done',
			[field]: 'm',
		})),
		{ event: 'contact.campaign.completed', ...C },
		{ event: 'lead.completed_campaign', ...C },
	].map((call): Row => [`of one: ${Object.keys(call).join()}`, call]),
	...[{ completed_at: null }, { finished: 'N' }, { pending: 20 }, { completion: 40 }].map(
		(sign): Row => [`without a word: ${JSON.stringify(sign)}`, { ...C, ...sign }],
	),
	...[
		...['callee', 'b_party', 'dest', 'called_party', 'dialed_number', 'mob', 'gsm', 'rcpt'],
		...['addressee', 'phone_e164', 'msisdns', 'celular'],
	].map(
		(field): Row => [`of one: ${field}`, { ...C, status: 'completed', [field]: '919876543210' }],
	),
	['a masked phone', { ...C, status: 'completed', phoneNumber: '+254711XXXYYY' }],
	['a chat', { ...C, status: 'completed', chat_id: 123456789 }],
	...[
		...['hook_event_name', 'trigger_name', 'notification_name', 'event_title', 'event_id', 'Label'],
		...['slug', 'name', 'kind'],
	].map((field): Row => [`a name in ${field}`, { [field]: 'campaign.paused', data: C }]),
	['a name in another header', header('x-webhook-trigger', 'campaign.paused', C)],
	['a name in the address of a type', { type: 'https://a.example/campaign/started/v1', data: C }],
	['a name in capitals', { triggerEvent: 'CampaignPaused', payload: C }],
	['a kind of object', { data: { campaignEvent: { __typename: 'CampaignPaused', ...C } } }],
	...['lifecycle', 'execution', 'run', 'progress', 'status_info', 'metadata', 'job'].map(
		(field): Row => [
			`a state in ${field}`,
			{ campaign: { id: 'C', [field]: { state: 'cancelled' } } },
		],
	),
	['a job beside it', { job: { type: 'bulk_send', status: 'PROCESSING' }, ...C }],
	['properties beside it', { body: { applicationProperties: { eventType: 'started' }, body: C } }],
	['the name of a status', { ...C, status_id: 3, status_name: 'Paused' }],
	['the text of a status', { ...C, statusText: 'Paused' }],
	['a lead', { leadId: 'l', campaignId: 'C', email: 'a@example.com' }],
	['a lead that has completed', { type: 'campaignComplete', leadId: 'l', campaignId: 'C' }],
	['a contact', { contact: { id: 7, name: 'Ann' }, campaign: { id: 'C' } }],
	['a message ID and an end', { message_id: 'm', status: 'completed', ...C }],
	['a text message’s SID', { MessageSid: 'SM1', MessageStatus: 'delivered', ...C }],
	['a message object', { message: { id: 'm', ...C } }],
	['a chat address', { to: 'chat:+447700900211', status: 'DONE', ...C }],
	['a number as a number', { to: 447700900211, status: 'done', ...C }],
	['a message’s end', { event: 'message.completed', ...C }],
	['a message’s type further down', { data: { type: 'message.sent', ...C } }],
	['a subscriber', { event: 'completed', subscriber: { email: 'a@example.com' }, ...C }],
	['a registration', { brandId: 'b', campaignId: 'C', isRegistered: true }],
	['a record without its recipient', { id: 'm', externalId: 'e', ...C }],
	// Another name.
	['a topic', { topic: 'campaign.started', ...C }],
	['an action', { action: 'started', ...C }],
	['webhook_event', { webhook_event: 'campaign.paused', ...C }],
	['notification_type', { notification_type: 'campaign_created', ...C }],
	['a header', header('x-event-type', 'campaign.started', C)],
	['the query names it', { body: C, query: { event: 'campaign.started' } }],
	['a started event further down', { type: 'event', data: { type: 'campaign.started', ...C } }],
	['an import', { event: 'import.completed', ...C }],
	['an import of the campaign', { event: 'campaign.import.completed', ...C }],
	['a survey', { event: 'survey.completed', ...C }],
	// Another status.
	...[
		'started',
		'scheduled',
		'in_progress',
		'failed',
		'paused',
		'cancelled',
		'FINISHING',
		'sending',
		'delivered',
	].map((status): Row => [`the status ${status}`, { ...C, status }]),
	['the campaign’s own status', campaign('RUNNING')],
	['a status code', { ...C, status: 3 }],
	['an end that failed', { event: 'campaign.completed', ...C, status: 'failed' }],
	['one name for all statuses', { event: 'campaign.status', ...campaign('scheduled') }],
	['one name without a status', { event: 'campaign.status', ...C }],
	[
		'a new status',
		{ event: 'campaign.status_changed', ...C, status: 'completed', new_status: 'archived' },
	],
	['a progress', { ...C, progress: 40 }],
	['a progress with a name', { event: 'campaign.progress', ...C, progress: 100 }],
	['not completed', { ...C, completed: false }],
	['an end that was moved', { event: 'campaign.end.updated', ...C }],
	// No campaign.
	['an id of something else', { event: 'import.completed', data: { id: 'C' } }],
	['the id of a record without an end', { event: 'campaign.created', data: { id: 'C' } }],
	['beyond 10,000 values', { body: [...Array.from({ length: 10_001 }, () => 0), C] }],
	// Thirty more, made up after the rule.
	[
		'batch API: a nested report',
		{
			type: 'batch.report',
			batch: { campaign_id: 'C', status: 'Finished', stats: { sent: 10, failed: 0 } },
		},
	],
	['a queue', { status: 'QUEUED', campaignId: 'C' }],
	['another language', { status: 'abgeschlossen', campaignId: 'C' }],
	[
		'a click',
		{ event: 'click', email: 'ann@example.com', campaign_id: 'C', url: 'https://example.com' },
	],
	['an unsubscription', { type: 'unsubscribed', campaign_id: 'C', contact: { id: 1 } }],
	['a reply', { event: 'reply.received', campaignId: 'C', from: '447700900211', text: 'done' }],
	['a call', { event: 'call.completed', campaign_id: 'C', call_sid: 'CA1' }],
	['a conversation', { event: 'conversation.ended', campaign_id: 'C' }],
	['a step', { event: 'campaign.step.completed', campaign_id: 'C', step: 2 }],
	['a batch', { event: 'batch.finished', campaign_id: 'C', batch: 2 }],
	['an export', { event: 'campaign.export.finished', campaign_id: 'C' }],
	['an approval', { event: 'campaign.approval.completed', campaign_id: 'C' }],
	['a person’s journey', { event: 'journey.completed', campaign_id: 'C', contact_id: 17 }],
	['a deal of a CRM', { event: 'deal.closed', campaign_id: 'C', deal_id: 7 }],
	['an order', { topic: 'orders/completed', campaign_id: 'C' }],
	['a form of a delivery report', form('campaign_id=C&msisdn=447700900211&status=DELIVRD&msgid=1')],
	[
		'a chat provider’s status',
		{
			statuses: [{ id: 'wamid.x', status: 'delivered', recipient_id: '447700900211' }],
			campaign_id: 'C',
			event: 'message_status',
		},
	],
	[
		'a lead that finished',
		{ event: 'lead.finished', data: { lead: { email: 'a@example.com' }, campaignId: 'C' } },
	],
	['progress in percent', { event: 'campaign.progress', campaign_id: 'C', percent: 50 }],
	['finishing', { event: 'campaign.finishing', campaign_id: 'C' }],
	['about to end', { event: 'campaign.ending_soon', campaign_id: 'C' }],
	['aborted', { event: 'campaign.status', campaign_id: 'C', status: 'aborted' }],
	['a budget', { event: 'campaign.budget.ended', campaign_id: 'C' }],
	['a creation that succeeded', { event: 'campaign.created', status: 'success', campaign_id: 'C' }],
	['a test call', { event: 'ping', campaign_id: 'C' }],
	['verification', { type: 'url_verification', challenge: 'x' }],
	['a deleted campaign', { event: 'campaign.deleted', campaign_id: 'C', status: 'completed' }],
	[
		'a completion of a segment',
		{ type: 'segment.completed', data: { id: 'S' }, campaign: { id: 'C' } },
	],
	['an uncompleted one', { event: 'campaign.uncompleted', campaign_id: 'C' }],
	[
		'a list of opens',
		{ events: [{ event: 'open', email: 'a@example.com', campaign: { id: 'C' } }] },
	],
	// Of other providers.
	['a mailing that is sent', form('type=campaign&data[id]=C&data[status]=sent')],
	['a start in a field of another name', { code: 'CAMPAIGN_STARTED', ...C }],
	['a name beside the data', { hook: { event: 'campaign.started' }, data: C }],
	['a metric', { object_type: 'campaign', metric: 'started', data: C }],
	['the type of a subscription', [{ subscriptionType: 'campaign.creation', campaignId: 'C' }]],
	['a header with an action', header('x-webhook-action', 'campaign.started', C)],
	['a number for its name', { event: '1001', ...C }],
	['a status with a code', { ...C, status: { code: 'STARTED', description: 'x' } }],
	['a form that says false', form('campaign_id=C&completed=false')],
	['a progress as text', { ...C, progress: '40%' }],
	['a telephone', { tel: '+44 7700 900211', status: 'completed', ...C }],
	['a profile', { profile: { id: 'p' }, status: 'completed', ...C }],
	// A word, or a person, that stands elsewhere.
	['a start in a list of events', { ...C, events: [{ name: 'campaign.started' }] }],
	['a type in a payload', { type: 'campaign-event', payload: { ...C, type: 'started' } }],
	['a history', { ...C, history: [{ event: 'campaign.created' }] }],
	[
		'another change',
		{ event: 'campaign.updated', ...C, transition: { from: 'done', to: 'archived' } },
	],
	['a transition without a name', { ...C, transition: { from: 'scheduled', to: 'sending' } }],
	['a database', { old: { ...C, status: 'done' }, new: { ...C, status: 'archived' } }],
	['data beside the ID', { ...C, data: { status: 'running' } }],
	['a quiet word beside the ID', { ...C, data: { status: 'sent' } }],
	['a quiet name beside the ID', { ...C, attributes: { event: 'campaign.status' } }],
	['progress beside the ID', { ...C, data: { progress: 50 } }],
	['an import beside the ID', { event: 'campaign.updated', ...C, import: { status: 'completed' } }],
	['a profile', { profiles: [{ email: 'a@example.com' }], key_values: C }],
	['a message', { ...C, messages: [{ id: 'm', to: '447700900211', status: 'done' }] }],
	['what a message carries', { statuses: [{ recipient_id: '4477', data: '{"campaign_id":"C"}' }] }],
];

const EVENTS = ['campaignCompleted', 'smsDeliveryReport', 'other'];
let workflows = 0;

async function deliver(call: object, mode: 'webhook' | 'manual', completionEvent = '') {
	const hook = new Hook(harness, {
		mode,
		workflowId: `payload-${++workflows}`,
		parameters: {
			events: mode === 'manual' ? ['campaignCompleted'] : EVENTS,
			options: { completionEvent },
		},
	});
	withLogs(hook, 'known');
	const { items = [] } = await hook.deliver(isDelivery(call) ? call : { body: call });
	return items;
}

const STARTS = 'The published workflow would start.';
const IGNORES = 'The published workflow would ignore this call. This is no completed campaign: ';

describe('Messaging Trigger: a completed campaign', () => {
	test.each(COMPLETED)('%s', async (_, call) => {
		const expected = [{ event: 'campaignCompleted', campaign_id: 'C' }];
		expect(await deliver(call, 'webhook')).toMatchObject(expected);
		expect(await deliver(call, 'manual')).toMatchObject([
			{ ...expected[0], hint: expect.stringContaining(STARTS) as string },
		]);
	});
});

describe('Messaging Trigger: no completed campaign', () => {
	test.each(OTHERS)('%s', async (_, call) => {
		expect(await deliver(call, 'webhook')).toMatchObject([{ event: 'other' }]);
		const [{ event, hint }] = await deliver(call, 'manual');
		expect([event, String(hint).slice(0, IGNORES.length)]).toEqual(['other', IGNORES]);
	});
});
