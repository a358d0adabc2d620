/** The fields of an OTP template that *Simplify* keeps (docs/development/interface.md, "OTP template"). */
export const SIMPLIFIED_FIELDS = ['id', 'name', 'locale', 'body', 'status'];

export const OTHER_FIELDS = [
	'namespace',
	'data',
	'policy',
	'type',
	'scope',
	'createdAt',
	'updatedAt',
	'firm_id',
];
