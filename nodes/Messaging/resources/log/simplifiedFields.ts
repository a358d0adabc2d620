/** The fields of a log record that *Simplify* keeps (docs/development/interface.md, "Log record and delivery report"). */
export const SIMPLIFIED_FIELDS = [
	'id',
	'to',
	'from',
	'status',
	'reason',
	'delivered_time',
	'units',
	'campaign_id',
	'identifier',
	'createdAt',
];

export const OTHER_FIELDS = ['externalId'];
