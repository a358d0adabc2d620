import { UserError, type IDataObject } from 'n8n-workflow';
import { TimeSlice } from '../utils/concurrency';
import { requiredText } from '../n8n/values';
import { isObject } from '../service/types';
import { plainId } from '../logs/plainId';

/** Input items that ask for the same campaign; or one whose campaign cannot be told. */
export type Campaign = { id: string; items: number[] } | { items: [number]; error: Error };

/** Whether an item is a message that failed, as Send puts it out under Continue On Fail. */
export const hasFailed = ({ error, details }: IDataObject) =>
	typeof error === 'string' && isObject(details);

/**
 * The campaigns that the input items ask for, in the order of their first items: each is read once,
 * however many items name it.
 *
 * @param readId the campaign's id as an item gives it; may throw
 * @param isExcused whether sending skipped the item as a duplicate, or it failed: it has no campaign, and needs
 *   none as long as another item names one
 */
export async function campaignsOf(
	count: number,
	readId: (item: number) => unknown,
	isExcused: (item: number) => boolean,
): Promise<Campaign[]> {
	const campaigns: Campaign[] = [];
	const known = new Map<string, number[]>();
	const slice = new TimeSlice();
	for (let item = 0; item < count; item++) {
		await slice.yieldIfOver();
		try {
			const id = requiredText(readId(item), 'Campaign ID');
			const items = known.get(plainId(id));
			if (items) {
				items.push(item);
			} else {
				const first = [item];
				known.set(plainId(id), first);
				campaigns.push({ id, items: first });
			}
		} catch (error) {
			campaigns.push({ items: [item], error: error as Error });
		}
	}
	const wanted = campaigns.filter((each) => 'id' in each || !isExcused(each.items[0]));
	if (wanted.length > 0) return wanted;
	const error = new UserError(
		"There is no campaign to report on: every message failed or was skipped, so 'Campaign ID' is empty. The input items say why.",
	);
	return campaigns.map(({ items: [item] }) => ({ items: [item], error }));
}
