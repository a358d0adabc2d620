// Plain JavaScript, because libphonenumber-js has no types for its metadata's plans.
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
