import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const channel: Resource = { value: 'channel', name: 'Channel', operations: [get, getAll] };
