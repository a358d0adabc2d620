import { reading } from '../../host/reading';
import { getOtpTemplates } from '../../service/endpoints';
import { returnAllOrLimit } from '../fields';
import { limitOf } from '../limit';
import type { Operation } from '../operation';

/** OTP templates → an item each (4.1). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many OTP templates',
	description: 'Get the one-time-password templates, with their texts and languages',
	fields: returnAllOrLimit,
	execute: reading(async ({ ask, read }) => (await ask(getOtpTemplates())).slice(0, limitOf(read))),
};
