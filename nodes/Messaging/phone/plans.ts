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

/** Whether a number, in digits with its code, is as long as ordinary numbers of its country. */
export function hasUsualLength(digits: string): boolean {
	const plan = planOf(digits);
	return plan?.lengths.includes(digits.length - plan.code.length) ?? false;
}

/** Returns the country code of a number in digits, for example "+44"; undefined if no country has it. */
export function countryOf(digits: string): string | undefined {
	const plan = planOf(digits);
	return plan && `+${plan.code}`;
}
