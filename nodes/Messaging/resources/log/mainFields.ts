/** What most people want to know of a log record (2.6). */
export const MAIN_FIELDS = [
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
