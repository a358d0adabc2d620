import table from './countryCodes.json';

/*
 * The country codes, and how many digits the numbers of people have: landlines and mobiles. The table is made from Google's
 * plans (test/nodes/phone/numberingPlans.js), because to ask their library takes five microseconds a number.
 */

/**
 * By country code: its largest country, '' for ships, satellites and services, and whether others share the code; and the lengths
 * of its numbers, without the code.
 */
const plans = new Map(
	Object.entries(table).map(([code, line]) => {
		const [regions, ...lengths] = line.split(' ');
		const [region, ...others] = regions.split('+');
		const isShared = others.length > 0;
		return [code, { shown: `+${code}`, region, isShared, lengths: lengths.map(Number) }];
	}),
);

/** Returns the largest country with a code; undefined if no country has it. */
export const regionOf = (code: string) => plans.get(code)?.region || undefined;

/** Whether several countries have a code, as the United States and Canada have 1. */
export const isSharedCode = (code: string) => plans.get(code)?.isShared === true;

/** Returns the country code of a number in digits, for example "+44"; undefined if no country has it. */
export const countryOf = (digits: string): string | undefined => planOf(digits)?.shown;

/** The codes by what follows them: with one branch for all codes that have the same lengths, the expression is compiled quickly. */
const codes: Record<string, string[]> = {};
for (const [code, { lengths }] of plans) {
	(codes[`[1-9](?:${lengths.map((length) => `\\d{${length - 1}}`).join('|')})`] ??= []).push(code);
}
const branches = Object.entries(codes).map(([digits, some]) => `(?:${some.join('|')})${digits}`);
const PLAIN_NUMBER = new RegExp(`^\\+?(?:${branches.join('|')})(?<!^\\d+0{6})$`);

/**
 * Returns the digits of a number with its country code, with or without a plus, that is as long as people's numbers there, and
 * has nothing that may have to go: no zero behind the code and, without the plus, no six zeros of a spreadsheet at the end.
 */
export const plainNumber = (given: string): string | undefined =>
	PLAIN_NUMBER.test(given) ? given.slice(given.startsWith('+') ? 1 : 0) : undefined;

/**
 * What stood in front of mobile numbers in a plan that was changed since. Chat apps still write it: Mexico's 1 was given up in
 * 2019, and is in every ID of the app (public reports of its numbers).
 */
const FORMER_PREFIXES: Record<string, string> = { '+52': '1' };

/** Says why a number, in digits with its code, is refused: because of its code or its length. */
export function whyNoCountry(digits: string): string {
	const { shown, lengths } = planOf(digits) ?? {};
	if (!shown || !lengths) return 'it does not begin with a country code.';
	const length = digits.length + 1 - shown.length;
	const former = FORMER_PREFIXES[shown];
	const isFormer = former !== undefined && digits.slice(shown.length - 1).startsWith(former);
	const asItIs =
		isFormer && lengths.includes(length - former.length)
			? ` If the app itself writes it with the ${former} in front, choose 'Phone Format: As Is' for these rows.`
			: '';
	return lengths.includes(length)
		? `it is no number of ${shown}, perhaps because of its zero.`
		: `${shown} has numbers of ${lengths.join(' or ')} digits, and this one has ${length} after ${shown}.${asItIs}`;
}

/** Returns the plan of the code with which digits begin: a code has one to three, and none is the beginning of another. */
const planOf = (digits: string) =>
	plans.get(digits.slice(0, 1)) ?? plans.get(digits.slice(0, 2)) ?? plans.get(digits.slice(0, 3));
