/**
 * Defects that the simulation finds and that are not mended yet. What leads to them does not happen in its worlds, so
 * that they do not hide others; `WITH=kill,stop` lets these happen again, and `WITH=all` everything.
 */
const KNOWN: ReadonlyArray<{ defect: string; without: readonly string[] }> = [];

const wanted = new Set((process.env.WITH ?? '').split(',').map((name) => name.trim()));

export const muted: ReadonlySet<string> = new Set(
	KNOWN.flatMap(({ without }) => without).filter((name) => !wanted.has(name) && !wanted.has('all')),
);
