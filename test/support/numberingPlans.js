// Plain JavaScript, because n8n's lint forbids files and processes in all .ts files, even in tests.
const { execFileSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const fc = require('fast-check');
const metadata = require('libphonenumber-js/metadata.max.json');
const { Metadata } = require('libphonenumber-js/core');

const root = join(__dirname, '../..');
const file = join(root, 'nodes/Messaging/sending/numberingPlans.ts');

/** With UPDATE_PLANS=1 the test writes the plans instead of comparing them. */
exports.isUpdating = process.env.UPDATE_PLANS === '1';

const TYPES = [
	...['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE', 'TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST'],
	...['VOIP', 'PERSONAL_NUMBER', 'PAGER', 'UAN', 'VOICEMAIL'],
];

const planOf = (region) => {
	const plans = new Metadata(metadata);
	plans.selectNumberingPlan(region);
	return plans.numberingPlan;
};

/** Regions by calling code. A code without a country, such as 870 of ships, is its own region. */
exports.regionsOf = {
	...metadata.country_calling_codes,
	...Object.fromEntries(Object.keys(metadata.nonGeographic).map((code) => [code, [code]])),
};

/** The patterns of a region's numbers, by type. */
exports.patternsOf = (region) => {
	const plan = planOf(region);
	const typed = TYPES.flatMap((type) => {
		const pattern = plan.type(type)?.pattern();
		return pattern ? [[type, pattern]] : [];
	});
	return [['any', plan.nationalNumberPattern()], ...typed];
};

exports.trunkPrefixOf = (region) => planOf(region).nationalPrefix() || '';

exports.internationalPrefixOf = (region) => planOf(region).IDDPrefix() || '';

/**
 * Countries whose general pattern is too wide: one national number is also another number with its country code. For them
 * the patterns of all types of numbers are used together, which are narrower.
 */
const NARROW = ['48', '55', '84'];

/**
 * Parts of patterns and their narrower replacements. The patterns of toll-free numbers that begin with the prefix for
 * calls abroad (00, in Russia 810) are wider than these numbers, so most numbers with that prefix would be national ones.
 * In North America, seven digits are a local number without its area code.
 */
const NARROWER = {
	1: [['|3\\d{6}', '']],
	7: [['8\\d{13}', '8108\\d{10}']],
	62: [
		['00[1-9]\\d{9,14}', '00(?:1803\\d{5,11}|7803\\d{7})'],
		['|00\\d{9}', ''],
	],
	81: [['00[1-9]\\d{6,14}', '00(?:37|66|7[78]|88)\\d{5,13}']],
	82: [['00[1-9]\\d{8,11}', '00(?:3(?:08|68)|798)\\d{6,9}']],
};

/** Until 2019 Mexico's mobiles had a 1 after the country code. Chat apps still use it, and people still use the old prefixes. */
const OLD = { 52: { national: '|1[2-9]\\d{9}', trunk: '01|04[45]' } };

/** Joins patterns, without those that add nothing: the numbers of countries that share a code often fit the first pattern. */
function together(patterns) {
	const needed = [];
	for (const pattern of patterns) {
		const known = new RegExp(`^(?:${needed.join('|') || '!'})$`);
		const samples = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), {
			seed: 1,
			numRuns: 2000,
		});
		if (!samples.every((number) => known.test(number))) needed.push(pattern);
	}
	return needed.join('|');
}

function rowOf(code, regions) {
	const main = planOf(regions[0]);
	let national = NARROW.includes(code)
		? together(
				exports
					.patternsOf(regions[0])
					.flatMap(([type, pattern]) => (type === 'any' ? [] : [pattern])),
			)
		: together(regions.map((region) => planOf(region).nationalNumberPattern()));
	for (const [wide, narrow] of NARROWER[code] ?? []) {
		if (!national.includes(wide))
			throw new Error(`The numbers of ${code} are not ${wide} any more.`);
		national = national.replace(wide, narrow);
	}
	national += OLD[code]?.national ?? '';
	const trunk = OLD[code]?.trunk ?? (main.nationalPrefixForParsing() || '');
	const abroad = main.IDDPrefix() || '';
	const row = [
		national,
		trunk,
		abroad === '00' ? '' : abroad,
		main.nationalPrefixTransformRule() || '',
	];
	while (row.at(-1) === '') row.pop();
	return row.map((text) => text.replaceAll('\\d', 'd'));
}

/** The numbering plan of each calling code, as the node has it. */
exports.numberingPlans = () =>
	Object.fromEntries(
		Object.entries(exports.regionsOf).map(([code, regions]) => [code, rowOf(code, regions)]),
	);

const HEAD = `/*
 * Made from Google's libphonenumber metadata (Apache License 2.0) as libphonenumber-js (MIT) carries it.
 * Change nothing by hand: update libphonenumber-js, then run \`UPDATE_PLANS=1 npx jest test/nodes/sending/numberingPlans\`.
 */

/** Regular expressions in which \`d\` means any digit; what is missing at the end is empty. */
export type NumberingPlan = [
	/** The country's numbers, without trunk prefix. */
	national: string,
	/** What is dialled before a number within the country, at the front of a number. */
	trunk?: string,
	/** What is dialled before a country code, where it is not \`00\` alone. */
	abroad?: string,
	/** What the trunk prefix is replaced by, when its pattern has caught digits of the number. */
	replacement?: string,
];

/** By calling code. */
export const NUMBERING_PLANS: Record<string, NumberingPlan> = `;

exports.writePlans = (plans) => {
	writeFileSync(file, `${HEAD}${JSON.stringify(plans)};\n`);
	const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
	execFileSync(process.execPath, [prettier, '--write', file], { cwd: root });
};
