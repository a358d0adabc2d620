import type { SmsReport } from '../interface/records.mts';
import { smsMessageIds } from './ids.mts';

type Conversation = SmsReport['conversation'];

const report = (conversation: Conversation): SmsReport => ({
	event: 'smsDeliveryReport',
	message: null,
	conversation,
});

/** Reports of SMS that were sent earlier: no endpoint sends an SMS. */
export const seedSmsReports: readonly SmsReport[] = [
	report({
		id: smsMessageIds.delivered,
		externalId: 'sms-7c1f02',
		status: 'delivered',
		reason: 'Delivered to handset',
		from: 'BAKERY',
		to: '12125550171',
		units: 1,
		delivered_time: '2025-06-03T10:00:04.120Z',
		createdAt: '2025-06-03T10:00:01.000Z',
	}),
	report({
		id: smsMessageIds.undelivered,
		externalId: 'sms-7c1f03',
		status: 'failed',
		reason: 'Absent subscriber',
		from: 'BAKERY',
		to: '12125550172',
		units: 2,
		delivered_time: '2025-06-03T10:05:31.000Z',
		createdAt: '2025-06-03T10:05:01.000Z',
	}),
];
