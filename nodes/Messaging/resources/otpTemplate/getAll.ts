import { reading } from '../../n8n/reading';
import { getOtpTemplates } from '../../service/endpoints';
import { returnAllOrLimit } from '../../fields/fields';
import { limitOf } from '../../fields/limit';
import type { Operation } from '../operation';
import { simplified, simplify } from '../../fields/simplify';
import { MAIN_FIELDS } from './mainFields';

/** OTP templates → an item each (4.1). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many OTP templates',
	description: 'Get the templates for one-time passwords, with their texts and languages',
	fields: [...returnAllOrLimit, simplify],
	execute: reading(async ({ ask, read }) => {
		const limit = limitOf(read);
		const templates = await ask(getOtpTemplates());
		return simplified(read, templates.slice(0, limit), MAIN_FIELDS);
	}),
};
