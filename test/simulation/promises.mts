import type { Violation } from './world.mts';

/** Something that must hold in every world. It is declared beside its check. */
export interface Promised {
	/** What a report of a broken promise says. */
	readonly name: string;
	/** What users may rely on. */
	readonly sentence: string;
}

export const promise = (name: string, sentence: string): Promised => ({ name, sentence });

/** @param seen what breaks the promise, for the story */
export const violation = ({ name }: Promised, seen: string): Violation => ({ promise: name, seen });
