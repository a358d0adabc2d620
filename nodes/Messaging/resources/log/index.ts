import type { Resource } from '../operation';
import { get } from './get';
import { getAll } from './getAll';

export const log: Resource = { value: 'log', name: 'Log', operations: [get, getAll] };
