// Plain JavaScript: n8n's lint bars files and processes from the .ts files, also those of the tests.
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

/** Regions, or the calling code itself where it belongs to no country, such as 870 of ships. */
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
 * Countries whose general pattern is so wide that a national number of theirs is also another one with its code.
 * The patterns of the types of numbers together are narrower.
 */
const NARROW = ['48', '55', '84'];

/**
 * Parts of other patterns, and what they become. Free numbers that begin like what is dialled to call abroad (00, in
 * Russia 810) have patterns that are wider than the numbers, and make a national number of most calls abroad. Seven
 * digits in North America are a local number, to which the area code is missing.
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

/** Until 2019 Mexico's mobiles had a 1 after the country code; chat apps still write it, and people the old prefixes. */
const OLD = { 52: { national: '|1[2-9]\\d{9}', trunk: '01|04[45]' } };

/** The alternatives that are needed: countries that share a code are often a part of the first one. */
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
