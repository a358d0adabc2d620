import type { ChannelTemplate, TemplateComponent } from '../interface/records.mts';
import { channelIds } from './ids.mts';

const body = (text: string, ...samples: string[]): TemplateComponent => ({
	type: 'BODY',
	text,
	example: { body_text: samples.length === 0 ? [] : [samples] },
});

const template = (
	name: string,
	language: string,
	components: TemplateComponent[],
	differences: Partial<ChannelTemplate> = {},
): ChannelTemplate => ({
	category: 'ALERT_UPDATE',
	components,
	language,
	name,
	namespace: 'bakery_5f2c1e',
	rejected_reason: null,
	status: 'submitted',
	...differences,
});

/** Without placeholders. Every chat-app channel has it, also the generated ones. */
export const openingHours = template('opening_hours', 'en_US', [
	body('We are open from 7 to 18 on weekdays and until noon on Saturdays.'),
]);

const main: readonly ChannelTemplate[] = [
	openingHours,
	template('order_ready', 'en_US', [body('Hello {{1}}, your order is ready.', 'Ada')]),
	template('order_ready', 'de_DE', [body('Hallo {{1}}, Ihre Bestellung ist fertig.', 'Ada')]),
	template('delivery_update', 'en_US', [
		body('Hi {{1}}, your order {{2}} arrives on {{3}}.', 'Ada', 'A-1042', 'Tuesday'),
	]),
	template(
		'spring_offer',
		'en_GB',
		[
			{ type: 'HEADER', format: 'TEXT', text: 'Spring at the bakery' },
			body('{{1}}, take {{2}} off every cake this week.', 'Ada', '20%'),
			{ type: 'FOOTER', text: 'No more offers: bakery.example.com/stop' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'QUICK_REPLY', text: 'Order now' },
					{ type: 'QUICK_REPLY', text: 'Not today' },
				],
			},
		],
		{ category: 'MARKETING', status: 'approved' },
	),
	template(
		'login_code',
		'en_US',
		[
			body('{{1}} is your verification code.', '482913'),
			{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
		],
		{ category: 'AUTHENTICATION', status: 'approved' },
	),
	template(
		'workflow_alert',
		'en_US',
		[
			body(
				'The workflow {{1}} failed: {{2}} Look into its executions.',
				'Newsletter',
				'The sheet is empty.',
			),
		],
		{ status: 'approved' },
	),
	template('free_cake', 'en_US', [body('FREE CAKE for {{1}}!!!', 'Ada')], {
		category: 'MARKETING',
		rejected_reason: 'PROMOTIONAL',
		status: 'rejected',
	}),
];

const german: readonly ChannelTemplate[] = [
	openingHours,
	template('bestellung_fertig', 'de_DE', [
		body('Hallo {{1}}, Ihre Bestellung {{2}} ist fertig.', 'Ada', 'A-1042'),
	]),
	template('commande_prete', 'fr_FR', [body('Bonjour {{1}}, votre commande est prête.', 'Ada')]),
];

/** The templates of each seeded chat-app channel, by channel id. */
export const seedChannelTemplates: ReadonlyMap<string, readonly ChannelTemplate[]> = new Map([
	[channelIds.main, main],
	[channelIds.german, german],
	[channelIds.inactive, [openingHours]],
	[channelIds.pending, []],
]);
