// Plain JavaScript, because libphonenumber-js has no types for its metadata's plans.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const metadata = require('libphonenumber-js/metadata.max.json');
const { Metadata } = require('libphonenumber-js/core');

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

/* The node's small table of country codes, which is made from the plans. */

const file = join(__dirname, '../../../nodes/Messaging/phone/countryCodes.json');

/** The lengths of a region's ordinary numbers without their code; of all its numbers if it has no ordinary ones. */
const lengthsOf = (region) => {
	const plan = planOf(region);
	const ordinary = ['FIXED_LINE', 'MOBILE'].flatMap(
		(type) => plan.type(type)?.possibleLengths() ?? [],
	);
	return ordinary.length > 0 ? ordinary : plan.possibleLengths();
};

/** By country code: its largest country, with a plus if others share it, and the lengths of its numbers. */
exports.makeCountryCodes = () =>
	Object.fromEntries(
		Object.entries(exports.regionsOf).map(([code, regions]) => {
			// ITU-T E.164: with its code, a number has 7 to 15 digits.
			const lengths = [...new Set(regions.flatMap(lengthsOf))]
				.filter((length) => length >= 7 - code.length && length <= 15 - code.length)
				.sort((one, other) => one - other);
			const region = isNaN(regions[0]) ? regions[0] + (regions.length > 1 ? '+' : '') : '';
			return [code, [region, ...lengths].join(' ')];
		}),
	);

exports.readCountryCodes = () => JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));

exports.writeCountryCodes = (table) =>
	writeFileSync(file, `${JSON.stringify(table, null, '\t')}\n`);
