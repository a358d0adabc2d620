import table from './countryCodes.json';

/*
 * The small table of country codes and the lengths of their numbers. It is made from Google's plans
 * (test/nodes/phone/numberingPlans.js), and decides on most numbers without the parser.
 */

type Plan = {
	code: string;
	/** The code for people, for example "+44". */
	shown: string;
	/** The largest country with this code; '' for ships, satellites and services. */
	region: string;
	/** Lengths of ordinary numbers, without the code. Only the parser knows others, such as those of hotlines. */
	lengths: number[];
};

const plans = new Map(
	Object.entries(table).map(([code, line]): [string, Plan] => {
		const [region, ...lengths] = line.split(' ');
		return [code, { code, shown: `+${code}`, region, lengths: lengths.map(Number) }];
	}),
);

/** The plans by the first three digits of a number: a code has one to three, and none is the beginning of another. */
const byBeginning = Array.from({ length: 1000 }, (_, index) => {
	const beginning = String(index).padStart(3, '0');
	return [1, 2, 3].map((length) => plans.get(beginning.slice(0, length))).find(Boolean);
});

/** The place of "000" in {@link byBeginning}, by the characters' codes. */
const ZEROS = 111 * '0'.charCodeAt(0);

/** Returns the plan of the country code with which the digits begin; undefined if no country has such a code. */
const planOf = (digits: string): Plan | undefined =>
	// Each message asks a few times: to cut out the three digits would take most of the time.
	byBeginning[
		100 * digits.charCodeAt(0) + 10 * digits.charCodeAt(1) + digits.charCodeAt(2) - ZEROS
	];

/** Returns the largest country with a code; undefined if no country has it. */
export const regionOf = (code: string) => plans.get(code)?.region || undefined;

/** Returns the country code of a number in digits, for example "+44"; undefined if no country has it. */
export const countryOf = (digits: string): string | undefined => planOf(digits)?.shown;

/** Whether a number, in digits with its code, is as long as ordinary numbers of its country. */
export function hasUsualLength(digits: string): boolean {
	const plan = planOf(digits);
	return plan !== undefined && plan.lengths.includes(digits.length - plan.code.length);
}

/** Returns what a number in digits may have been meant to be: as it stands, and without a zero behind the code. */
export function asWritten(digits: string): string[] {
	const code = planOf(digits)?.code;
	if (code === undefined) return [];
	// `+49 0049 171 …`
	if (digits.startsWith(`00${code}`, code.length)) return asWritten(digits.slice(code.length + 2));
	return digits[code.length] === '0' ? [digits, code + digits.slice(code.length + 1)] : [digits];
}

/** Returns the same of a number whose code is written twice, with the code once. */
export function withCodeOnce(digits: string): string[] {
	const code = planOf(digits)?.code ?? '';
	return digits.startsWith(code, code.length) ? asWritten(digits.slice(code.length)) : [];
}

/** Whether the digits are a number of usual length, in which there is nothing that might have to be left out. */
export function isPlain(digits: string): boolean {
	const plan = planOf(digits);
	if (plan === undefined) return false;
	const { length } = plan.code;
	if (digits[length] === '0' || !plan.lengths.includes(digits.length - length)) return false;
	return !digits.startsWith(plan.code, length) || !withCodeOnce(digits).some(hasUsualLength);
}

/** Says why a number, in digits with its code, is refused: because of its code or its length. */
export function whyNoCountry(digits: string): string {
	const { code, lengths } = planOf(digits) ?? {};
	if (code === undefined || lengths === undefined) {
		return `no country has the code ${digits.slice(0, 1)}, ${digits.slice(0, 2)} or ${digits.slice(0, 3)}.`;
	}
	const length = digits.length - code.length;
	return lengths.includes(length)
		? `it is no number of +${code}.`
		: `+${code} has numbers of ${lengths.join(' or ')} digits, and this one has ${length} after +${code}.`;
}
