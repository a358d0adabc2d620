/** A defect that is put into the nodes on purpose, to see that the simulation finds it. */
export interface Break {
	name: string;
	/** Texts in the sources, each there exactly once, and what stands there instead. */
	changes: ReadonlyArray<{ file: string; find: string; replace: string }>;
}

export const BREAKS: readonly Break[] = [];
