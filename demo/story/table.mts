/** Formats rows as a text table. */
export function table(head: string[], rows: string[][]): string {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column].length)),
	);
	const line = (cells: string[]) =>
		`  ${cells.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd();
	return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}
