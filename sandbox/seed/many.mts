import type { Channel, ChannelStatus, ChannelTemplate } from '../interface/records.mts';
import { firmId, manyChannelId, providerConfigId } from './ids.mts';

const statuses: readonly ChannelStatus[] = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'INACTIVE', 'PENDING'];
const languages = ['en_US', 'de_DE', 'fr_FR', 'pt_BR'] as const;

const padded = (number: number, width: number) => number.toString().padStart(width, '0');
const pick = <Item,>(items: readonly [Item, ...Item[]] | readonly Item[], index: number) =>
	items[index % items.length] as Item;

/** @returns `count` further chat-app channels, the same ones every time */
export function manyChannels(count: number): Channel[] {
	return Array.from({ length: Math.max(0, count) }, (_, index) => ({
		id: manyChannelId(index + 1),
		phone: `8835100${padded(index + 1, 6)}`,
		identifier: `branch-${index + 1}`,
		medium: 'CHATAPP',
		credentials: null,
		description: `Branch number ${index + 1}`,
		name: `Branch ${padded(index + 1, 5)}`,
		type: 'CUSTOM',
		country: pick(['GB', 'DE', 'US', 'BR'], index),
		status: pick(statuses, index),
		createdAt: '2025-02-01T00:00:00.000Z',
		updatedAt: '2025-02-01T00:00:00.000Z',
		firm_id: firmId,
		provider_config_id: providerConfigId,
	}));
}

/** @returns `count` further templates with 0 to 3 placeholders, the same ones every time */
export function manyTemplates(count: number): ChannelTemplate[] {
	return Array.from({ length: Math.max(0, count) }, (_, index) => {
		const samples = Array.from({ length: index % 4 }, (__, place) => `sample ${place + 1}`);
		const placeholders = samples.map((___, place) => `{{${place + 1}}}`).join(', ');
		return {
			category: 'ALERT_UPDATE',
			components: [
				{
					type: 'BODY',
					text: `Notice ${index + 1} ${placeholders}`.trim(),
					example: { body_text: samples.length === 0 ? [] : [samples] },
				},
			],
			language: pick(languages, index),
			name: `notice_${padded(index + 1, 4)}`,
			namespace: 'bakery_5f2c1e',
			rejected_reason: null,
			status: 'submitted',
		};
	});
}
