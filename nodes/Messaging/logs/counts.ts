import type { LogPage } from '../service/types';

export const isCount = (value: number | undefined): value is number =>
	Number.isInteger(value) && value! >= 0;

/** How many records the service counted, over all passes. */
export class Counts {
	private highest = 0;

	/**
	 * Records were taken away while we read: an answer counted less than another one that had come
	 * before it was asked for. (Two that are under way together may be answered in any order.)
	 */
	fell = false;

	async watch(fetchPage: () => Promise<LogPage>): Promise<LogPage> {
		const { highest } = this;
		const page = await fetchPage();
		if (isCount(page.count)) {
			this.fell ||= page.count < highest;
			this.highest = Math.max(this.highest, page.count);
		}
		return page;
	}
}
