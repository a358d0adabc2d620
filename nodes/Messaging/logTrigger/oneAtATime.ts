const underWay = new Set<string>();

/**
 * Does the work unless the same, by its key, is under way in this process.
 *
 * @returns undefined when nothing was done
 */
export async function oneAtATime<Result>(
	key: string,
	work: () => Promise<Result>,
): Promise<Result | undefined> {
	if (underWay.has(key)) return undefined;
	underWay.add(key);
	try {
		return await work();
	} finally {
		underWay.delete(key);
	}
}
