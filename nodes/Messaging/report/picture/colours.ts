import { FAILED_STATUS } from '../../logs/record';

/** Each colour on a light ground and on a dark one. */
const COLOURS = {
	green: ['#1f9d61', '#3fca8a'],
	teal: ['#0e7c86', '#39b8c2'],
	blue: ['#3b7ddd', '#6aa3f5'],
	grey: ['#9aa4b2', '#7d8899'],
	red: ['#d64545', '#f07070'],
	orange: ['#e08a2c', '#f2ab5c'],
	violet: ['#8460cf', '#a98ceb'],
	pink: ['#cf5b97', '#ea86b8'],
	olive: ['#8a8f2b', '#bcc15c'],
} as const;

type Colour = keyof typeof COLOURS;

/**
 * The colours of a status by its words. Only `delivered` is documented (docs/interface.md, "States"), so all others
 * are guesses; a status without such a word gets another colour.
 */
const GUESSES: Array<[RegExp, Colour[]]> = [
	[FAILED_STATUS, ['red', 'orange']],
	[/deliver|success/i, ['green']],
	[/read|seen|open|click|repl/i, ['teal']],
	[/queue|pend|schedul|wait|creat|no status/i, ['grey']],
	[/sen[dt]|submit|accept|progress/i, ['blue']],
];
const OTHERS: Colour[] = ['violet', 'pink', 'olive', 'orange', 'blue', 'teal'];

/** Returns a colour for each status; two are the same only when there are more statuses than colours. */
export function coloursOf(statuses: string[]): Colour[] {
	const taken = new Set<Colour>();
	return statuses.map((status) => {
		const [, guess = []] = GUESSES.find(([words]) => words.test(status)) ?? [];
		const colour = [...guess, ...OTHERS].find((each) => !taken.has(each)) ?? 'grey';
		taken.add(colour);
		return colour;
	});
}

const rules = (index: 0 | 1) =>
	Object.entries(COLOURS)
		.map(([name, pair]) => `.${name}{fill:${pair[index]}}`)
		.join('');

/** Light, unless the reader prefers dark. It uses no CSS variables, because some SVG viewers do not support them. */
export const STYLE = [
	`text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}`,
	`.ground{fill:#fff;stroke:#dfe3ea}.strong{fill:#1c2430}.soft{fill:#5c6675}.line{stroke:#e6e9ef}.warn{fill:#9a5b00}`,
	rules(0),
	`@media (prefers-color-scheme:dark){.ground{fill:#171b22;stroke:#2b323d}.strong{fill:#eef1f6}.soft{fill:#a2acba}.line{stroke:#2b323d}.warn{fill:#f2bd6b}${rules(1)}}`,
].join('');
