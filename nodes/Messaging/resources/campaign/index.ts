import type { Resource } from '../operation';
import { getReport } from './getReport';
import { send } from './send';

export const campaign: Resource = {
	value: 'campaign',
	name: 'Campaign',
	operations: [send, getReport],
};
