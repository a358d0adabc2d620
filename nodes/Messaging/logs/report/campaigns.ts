import { Turns } from '../../host/turns';
import { requiredText } from '../../host/values';

/** Input items that ask for the same campaign; or one whose campaign cannot be told. */
export type Campaign = { id: string; items: number[] } | { items: [number]; error: Error };

/**
 * The campaigns that the input items ask for, in the order of their first items: each is read once,
 * however many items name it.
 *
 * @param readId the campaign's id as an item gives it; may throw
 * @param wasSkipped whether sending left the item out as a duplicate: it has no campaign, and needs none as
 *   long as another item names one
 */
export async function campaignsOf(
	count: number,
	readId: (item: number) => unknown,
	wasSkipped: (item: number) => boolean,
): Promise<Campaign[]> {
	const campaigns: Campaign[] = [];
	const known = new Map<string, number[]>();
	const turns = new Turns();
	for (let item = 0; item < count; item++) {
		await turns.giveWay();
		try {
			const id = requiredText(readId(item), 'Campaign ID');
			const items = known.get(id);
			if (items) {
				items.push(item);
			} else {
				known.set(id, [item]);
				campaigns.push({ id, items: known.get(id)! });
			}
		} catch (error) {
			campaigns.push({ items: [item], error: error as Error });
		}
	}
	if (known.size === 0) return campaigns;
	return campaigns.filter((campaign) => 'id' in campaign || !wasSkipped(campaign.items[0]));
}
