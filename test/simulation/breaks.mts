import { readFileSync } from 'node:fs';

/** A deliberate defect in the nodes: it shows that the simulation can find such a defect. */
export interface Break {
	name: string;
	/** Lines of a source, which it has exactly once, and their replacement. Indentation does not count. */
	changes: Array<{ file: string; find: string[]; replace: string[] }>;
	/** Only worlds of this scenario are played to find it; without it, worlds of all scenarios. */
	scenario?: string;
}

/**
 * Reads breaks.txt: for each break `== its name [its scenario]`, and for each change the file, the lines that go (`-`), and
 * those that come (`+`).
 */
function read(text: string): Break[] {
	const breaks: Break[] = [];
	for (const line of text.split('\n').filter((each) => each !== '')) {
		const [, name, scenario] = /^== (.*?)(?: \[(.*)\])?$/.exec(line) ?? [];
		const changes = breaks.at(-1)?.changes;
		if (name) breaks.push({ name, scenario, changes: [] });
		else if (line.startsWith('- ')) changes!.at(-1)!.find.push(line.slice(2));
		else if (line.startsWith('+ ')) changes!.at(-1)!.replace.push(line.slice(2));
		else changes!.push({ file: `nodes/Messaging/${line}`, find: [], replace: [] });
	}
	return breaks;
}

/** Every deliberate defect. */
export const BREAKS: readonly Break[] = read(
	readFileSync(new URL('breaks.txt', import.meta.url), 'utf8'),
);
