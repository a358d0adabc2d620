import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const otpTemplate: Resource = {
	value: 'otpTemplate',
	name: 'OTP Template',
	operations: [get, getAll],
};
