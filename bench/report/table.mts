/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`]
		.concat(rows.map(line))
		.join('\n');
}

/** Three significant digits, thousands apart. */
export function number(value: number): string {
	const magnitude = Math.abs(value);
	const digits = magnitude >= 100 || value === 0 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
	return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
