/**
 * The fields of a log record that *Simplify* keeps (docs/development/interface.md, "Log record and delivery report"). What a
 * person looks for stands first: n8n's table shows only the first fields without scrolling.
 */
export const SIMPLIFIED_FIELDS = [
	'to',
	'status',
	'reason',
	'delivered_time',
	'from',
	'units',
	'campaign_id',
	'identifier',
	'createdAt',
	'id',
];

export const OTHER_FIELDS = ['externalId'];
