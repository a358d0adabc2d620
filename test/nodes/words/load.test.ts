import { formatPhone, recipientDigits } from '../../../nodes/Messaging/phone/phone';
import { cleaned, whyNoNumber } from '../../../nodes/Messaging/phone/clean';
import { misreadWord } from '../../../nodes/Messaging/utils/encoding';
import { isOrdinary, refuseUnreadable } from '../../../nodes/Messaging/words/readable';
import { NEVER_RIGHT, UNUSUAL } from '../../../nodes/Messaging/words/tables';
import { isNight } from '../../support/share';

/*
 * A text of 100,000 characters that only opens, such as «a«a«a, comes from a stranger's form. It may not cost much more than a plain text of that
 * length, because n8n stands still meanwhile.
 */

const LENGTH = 100_000;

/** What is short is not compared: a machine that does something else for a moment would decide. */
const FLOOR = 60;

/** A field as it is saved. */
const SUM = '={{ $json.x + "" }}';

const PLAIN = 'ab'.repeat(LENGTH / 2);

/** Processor time of this process, in ms: the best of some runs. */
function costOf(work: () => unknown, runs = 3): number {
	let best = Infinity;
	for (let run = 0; run < runs && best > FLOOR; run++) {
		const { user } = jest.requireActual<typeof import('process')>('process').cpuUsage();
		work();
		const after = jest.requireActual<typeof import('process')>('process').cpuUsage();
		best = Math.min(best, (after.user - user) / 1000);
	}
	return best;
}

function expectCheap(work: (text: string) => unknown, text: string) {
	const cost = costOf(() => work(text));
	// Most cost next to nothing.
	if (cost < FLOOR) return;
	expect([text.slice(0, 20), cost < 10 * costOf(() => work(PLAIN))]).toEqual([
		text.slice(0, 20),
		true,
	]);
}

const repeated = (sign: string) => sign.repeat(Math.ceil(LENGTH / sign.length)).slice(0, LENGTH);

const ROWS = [...NEVER_RIGHT, ...UNUSUAL].map(([, pattern]) => pattern);

/** Returns texts that only open: what a row begins with, and what may follow it, again and again. */
function opening(pattern: string): string[] {
	// As it is written in the pattern, without what only decides where it may stand.
	const signs = [...pattern.matchAll(/\\?[{[(<«%#$&*_@|=\\:.^/]|[A-Z][a-z]+ ?/g)].map(([each]) =>
		each.replace(/^\\(?=.)/, ''),
	);
	const first = [...new Set(signs)].slice(0, 12);
	const pairs = first.flatMap((one) => [one, one + one, ...first.map((other) => one + other)]);
	return [...new Set(pairs)].flatMap((sign) => [
		sign,
		`${sign}a`,
		`${sign}A_`,
		`${sign}1`,
		`${sign}a `,
	]);
}

/** The signs of all rows, so that a new one is tried in all of them, too. */
const OPENING = [
	...String.raw`{ {{ {% {! <% < << <! [ [[ (( « «_ __ _| *| # ## @@ % $ & &# \ A:\ =? =A %7B%7B /Date( Loading #REF`.split(
		' ',
	),
	..."2026-11-27T03:08 1. 1e+ - . Ã£ É™ сё Ã (0) +(0) + ( ٣ ½ a: ' tel: ```".split(' '),
	...[
		'${',
		'[object ',
		'[Your ',
		'[a ',
		'Abc ',
		'\n```',
		'2026-11-27 03:08:43',
		'Fri Nov 27 2026 03:08:43 GMT (',
	],
];

const TEXTS = [
	...new Set([...OPENING.flatMap((sign) => [sign, `${sign}a`, `${sign}A`, `${sign}1`])]),
].map(repeated);

test.each(ROWS)('the row %s costs no more of a text that only opens', (pattern) => {
	const finds = new RegExp(pattern.replace(/[‹›]/g, ''), 'u');
	for (const sign of [...new Set([...opening(pattern).slice(0, 60), ...OPENING])])
		expectCheap((text) => finds.test(text), repeated(sign));
});

test.each([
	['the look that most texts pass', isOrdinary],
	['the look for wrong encodings', misreadWord],
	['cleaning a number', cleaned],
	['what cannot be a number', (text: string) => whyNoNumber(text, cleaned(text))],
	['reading a number', (text: string) => formatPhone(text, 'digits', '44')],
	['comparing a number', recipientDigits],
] as Array<[string, (text: string) => unknown]>)(
	'%s costs no more of a text that only opens',
	(_, work) => {
		for (const text of TEXTS) expectCheap(work, text);
	},
);

test('the whole check costs no more of a text that only opens', () => {
	// An expression that puts a text together meets all rows but the one of a fixed text.
	for (const raw of isNight ? ['x', '={{ $json.x }}', SUM] : [SUM])
		for (const text of TEXTS)
			expectCheap((given) => {
				try {
					const more = { subject: 'It', timeZone: 'UTC', mayBeUnusual: false };
					refuseUnreadable({ ...more, text: given, raw });
				} catch {
					// It is refused.
				}
			}, text);
});
