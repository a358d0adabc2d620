import type { Resource } from '../operation';
import { getAll } from './getAll';

export const channelTemplate: Resource = {
	value: 'channelTemplate',
	name: 'Channel Template',
	operations: [getAll],
};
