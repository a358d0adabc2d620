import type { Resource } from '../operation';
import { get } from './get';

export const smsReport: Resource = {
	value: 'smsReport',
	name: 'SMS Report',
	operations: [get],
};
