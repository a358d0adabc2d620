import type { Channel } from '../interface/records.mts';
import { channelIds, firmId, providerConfigId } from './ids.mts';

const common = {
	firm_id: firmId,
	provider_config_id: providerConfigId,
	createdAt: '2025-01-15T09:30:00.000Z',
	updatedAt: '2025-06-02T14:05:12.345Z',
} as const;

/** The channels of every sandbox. Their numbers are reserved for fiction, so that they belong to nobody. */
export const seedChannels: readonly Channel[] = [
	{
		id: channelIds.main,
		phone: '12025550100',
		identifier: 'bakery-main',
		medium: 'CHATAPP',
		credentials: null,
		description: 'Orders and deliveries',
		name: 'Bakery main line',
		type: 'DEFAULT',
		country: 'GB',
		status: 'ACTIVE',
		...common,
	},
	{
		// Without `credentials`, because the interface says that the field may be absent.
		id: channelIds.german,
		phone: '491713920020',
		identifier: 'bakery-de',
		medium: 'CHATAPP',
		description: null,
		name: 'Bäckerei Berlin',
		type: 'CUSTOM',
		country: 'DE',
		status: 'ACTIVE',
		...common,
	},
	{
		id: channelIds.inactive,
		phone: '13035550142',
		identifier: null,
		medium: 'CHATAPP',
		credentials: null,
		description: 'Closed in spring',
		name: 'Old shop',
		type: 'CUSTOM',
		country: 'US',
		status: 'INACTIVE',
		...common,
	},
	{
		id: channelIds.pending,
		phone: '12125550130',
		identifier: 'bakery-new',
		medium: 'CHATAPP',
		credentials: null,
		description: 'Waiting for the provider',
		name: 'New shop',
		type: 'CUSTOM',
		country: 'GB',
		status: 'PENDING',
		...common,
	},
	{
		id: channelIds.sms,
		phone: null,
		identifier: 'BAKERY',
		medium: 'SMS',
		credentials: null,
		description: 'One-time passwords',
		name: 'Bakery SMS',
		type: 'DEFAULT',
		country: 'GB',
		status: 'ACTIVE',
		...common,
	},
];
