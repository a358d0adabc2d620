/** Formats rows as a text table. */
export function table(head: string[], rows: string[][]): string {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column].length)),
	);
	const line = (cells: string[]) =>
		`  ${cells.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd();
	return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Counts words, for example "23 delivered, 2 failed", the most frequent first. */
export function tally(words: string[]): string {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return [...counts]
		.sort(([, a], [, b]) => b - a)
		.map(([word, count]) => `${count} ${word}`)
		.join(', ');
}
