/** The fields of a channel that *Simplify* keeps (docs/development/interface.md, "Channel"). */
export const SIMPLIFIED_FIELDS = ['id', 'name', 'phone', 'medium', 'type', 'country', 'status'];

export const OTHER_FIELDS = [
	'identifier',
	'credentials',
	'description',
	'createdAt',
	'updatedAt',
	'firm_id',
	'provider_config_id',
];
