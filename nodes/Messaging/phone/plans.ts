import table from './countryCodes.json';

/*
 * The small table of country codes: which there are, and how long their numbers are. It is made from Google's plans
 * (test/nodes/phone/numberingPlans.js), and decides on most numbers without the parser.
 */

type Plan = {
	code: string;
	/** The largest country with this code; '' for ships, satellites and services. */
	region: string;
	/** Lengths of ordinary numbers, without the code. Others, such as those of hotlines, are known to the parser only. */
	lengths: number[];
};

const plans = new Map(
	Object.entries(table).map(([code, line]): [string, Plan] => {
		const [region, ...lengths] = line.split(' ');
		return [code, { code, region, lengths: lengths.map(Number) }];
	}),
);

/** Codes have one to three digits, and none is the beginning of another. */
const LONGEST_CODE = 3;

/** Returns the plan of the country code with which the digits begin; undefined if no country has such a code. */
export function planOf(digits: string): Plan | undefined {
	for (let length = 1; length <= LONGEST_CODE; length++) {
		const plan = plans.get(digits.slice(0, length));
		if (plan) return plan;
	}
	return undefined;
}

/** Returns the largest country with a code; undefined if no country has it. */
export const regionOf = (code: string) => plans.get(code)?.region || undefined;

/** Returns the country code of a number in digits, for example "+44"; undefined if no country has it. */
export function countryOf(digits: string): string | undefined {
	const plan = planOf(digits);
	return plan && `+${plan.code}`;
}

/** Whether a number, in digits with its code, is as long as ordinary numbers of its country. */
export function hasUsualLength(digits: string): boolean {
	const plan = planOf(digits);
	return plan?.lengths.includes(digits.length - plan.code.length) ?? false;
}

const withoutZero = (digits: string, { length }: string) =>
	digits[length] === '0' ? [digits.slice(0, length) + digits.slice(length + 1)] : [];

/** Returns what a number in digits may have been meant to be: as it stands, and without a zero behind the code. */
export function asWritten(digits: string): string[] {
	const plan = planOf(digits);
	return plan ? [digits, ...withoutZero(digits, plan.code)] : [];
}

/** Returns the same of a number whose code is written twice, with the code once. */
export function withCodeOnce(digits: string): string[] {
	const plan = planOf(digits);
	return plan && digits.startsWith(plan.code, plan.code.length)
		? asWritten(digits.slice(plan.code.length))
		: [];
}

/** Whether the digits are a number of usual length, in which there is nothing that might have to be left out. */
export function isPlain(digits: string): boolean {
	const plan = planOf(digits);
	if (!plan?.lengths.includes(digits.length - plan.code.length)) return false;
	if (digits[plan.code.length] === '0') return false;
	return !withCodeOnce(digits).some(hasUsualLength);
}

/** Says why a number, in digits with its code, is refused: by its code or its length. */
export function whyNoCountry(digits: string): string {
	const plan = planOf(digits);
	if (!plan) {
		const [one, two, three] = [1, 2, LONGEST_CODE].map((length) => digits.slice(0, length));
		return `no country has the code ${one}, ${two} or ${three}.`;
	}
	const length = digits.length - plan.code.length;
	if (plan.lengths.includes(length)) return 'it is too long for a number without its country code.';
	return `+${plan.code} has numbers of ${plan.lengths.join(' or ')} digits, and this one has ${length}.`;
}
