import type { OtpTemplate } from '../interface/records.mts';
import { firmId, otpTemplateIds } from './ids.mts';

type Differences = Pick<OtpTemplate, 'id' | 'body' | 'name' | 'namespace' | 'locale' | 'firm_id'>;

const template = ({ firm_id, locale, ...named }: Differences): OtpTemplate => ({
	...named,
	data: [],
	locale,
	policy: 'DETERMINISTIC',
	status: 'approved',
	type: 'text',
	scope: 'otp',
	createdAt: '2025-01-10T08:00:00.000Z',
	updatedAt: '2025-01-10T08:00:00.000Z',
	firm_id,
});

/** The OTP templates of every sandbox: two shared ones, and one of the account. */
export const seedOtpTemplates: readonly OtpTemplate[] = [
	template({
		id: otpTemplateIds.english,
		body: '{{otp}} is your code for {{firm}}. It expires in {{minutes}} minutes.',
		name: 'otp_default',
		namespace: 'otp_shared',
		locale: 'en',
		firm_id: null,
	}),
	template({
		id: otpTemplateIds.british,
		body: 'Your {{firm}} code is {{otp}}. Please use it within {{minutes}} minutes.',
		name: 'otp_default_gb',
		namespace: 'otp_shared',
		locale: 'en_GB',
		firm_id: null,
	}),
	template({
		id: otpTemplateIds.ownFirm,
		body: '{{otp}} opens the bakery door.',
		name: 'bakery_door',
		namespace: 'bakery_5f2c1e',
		locale: 'en',
		firm_id: firmId,
	}),
];
