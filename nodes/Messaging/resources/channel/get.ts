import { reading } from '../../n8n/reading';
import { requiredText } from '../../n8n/values';
import { getChannel } from '../../service/endpoints';
import { channelId } from '../../fields/fields';
import type { Operation } from '../operation';
import { simplified, simplify } from '../../fields/simplify';
import { MAIN_FIELDS } from './mainFields';

/** Channel of any medium → one item (4.8). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get channel',
	description: 'Get one channel of any kind',
	fields: [
		channelId(
			'The channel to get. The list shows chat-app channels; for any other kind, choose By ID.',
		),
		simplify,
	],
	execute: reading(async ({ ask, read }) => {
		const channel = await ask(getChannel(requiredText(read('channelId'), 'Channel')));
		return simplified(read, [channel], MAIN_FIELDS);
	}),
};
