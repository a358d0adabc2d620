import { FAILED_STATUS } from '../../logs/record';

/** Each colour for a light background and for a dark one. */
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
 * The colours of a status by the words in it. Only `delivered` is documented (docs/interface.md, "States"), so the others
 * are guesses; a status without such a word gets one of `OTHERS`.
 */
const GUESSES: Array<[RegExp, Colour[]]> = [
	[FAILED_STATUS, ['red', 'orange']],
	[/deliver|success/i, ['green']],
	[/read|seen|open|click|repl/i, ['teal']],
	[/queue|pend|schedul|wait|creat|no status/i, ['grey']],
	[/sen[dt]|submit|accept|progress/i, ['blue']],
];
const OTHERS: Colour[] = ['violet', 'pink', 'olive', 'orange', 'blue', 'teal'];

/** Returns a colour for each status. Only grey may occur several times: when all colours that suit a status are taken. */
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

/** The style sheet: light, unless the reader prefers dark. Without CSS variables, which some SVG viewers do not support. */
export const STYLE = [
	`text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}`,
	`.ground{fill:#fff;stroke:#dfe3ea}.strong{fill:#1c2430}.soft{fill:#5c6675}.line{stroke:#e6e9ef}.warn{fill:#9a5b00}`,
	rules(0),
	`@media (prefers-color-scheme:dark){.ground{fill:#171b22;stroke:#2b323d}.strong{fill:#eef1f6}.soft{fill:#a2acba}.line{stroke:#2b323d}.warn{fill:#f2bd6b}${rules(1)}}`,
].join('');
