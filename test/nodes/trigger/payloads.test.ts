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
const contacts = Array.from({ length: 8_000 }, (_, n) => ({ phone: `44770090${n}`, state: 'ok' }));
const LONG = '3319237025400370211';

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
];

const OTHERS: Row[] = [
	// About one message or person.
	[
		'the interface’s log record',
		{ id: 'm', externalId: 'e', status: 'delivered', from: '1', to: '447700900211', ...C },
	],
	['a list of a record', { body: [{ id: 'm', status: 'delivered', to: '447700900211', ...C }] }],
	['a record in data', { data: { id: 'm', status: 'delivered', to: '+44 7700 900211', ...C } }],
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
