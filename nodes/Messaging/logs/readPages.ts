import type { LogPage } from '../service/types';
import type { Counts } from './counts';
import type { Found } from './found';
import { Pages, type Verdict } from './pages';

const PAGES_AT_ONCE = 5;

/**
 * Reads all pages once. The first one tells how many there are; the others follow, a few at a time,
 * and are taken in their order. Pages that nothing promises are asked for one by one.
 *
 * @param size records per page, as they are asked for
 */
export async function readPages(
	fetchFirst: () => Promise<LogPage>,
	fetchPage: (number: number) => Promise<LogPage>,
	found: Found,
	size: () => number,
	counts: Counts,
): Promise<Verdict> {
	const first = await counts.watch(fetchFirst);
	const pages = new Pages(found, size(), counts);
	await pages.add(first);
	const underWay: Array<Promise<LogPage>> = [];
	try {
		for (let next = 2; ; ) {
			while (underWay.length < PAGES_AT_ONCE && pages.isWanted(next, underWay.length)) {
				const number = next++;
				const page = counts.watch(async () => await fetchPage(number));
				// Whoever waits for it sees its failure; until then nobody does.
				page.catch(() => {});
				underWay.push(page);
			}
			const page = underWay.shift();
			if (!page) return pages.verdict;
			await pages.add(await page);
		}
	} finally {
		await Promise.allSettled(underWay);
	}
}
