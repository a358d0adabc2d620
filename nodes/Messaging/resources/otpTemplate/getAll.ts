import { readOperation } from '../readOperation';
import { getOtpTemplates } from '../../service/endpoints';
import { limitOf, returnAllOrLimit } from '../../fields/limit';
import type { Operation } from '../operation';
import { simplifier, simplify } from '../simplify';
import { OTHER_FIELDS, SIMPLIFIED_FIELDS } from './simplifiedFields';

/** Outputs an item for each OTP template (docs/development/interface.md, "Get OTP templates"). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many OTP templates',
	description: 'Retrieve the templates for one-time passwords, with their texts and languages',
	fields: [...returnAllOrLimit, ...simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS)],
	execute: readOperation(async ({ ask, read }) => {
		const limit = limitOf(read);
		const templates = await ask(getOtpTemplates());
		return templates.slice(0, limit).map(simplifier(read, SIMPLIFIED_FIELDS));
	}),
};
