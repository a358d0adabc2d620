import { readOperation } from '../readOperation';
import { getChannel } from '../../service/endpoints';
import { requiredText } from '../../n8n/values';
import { channelId } from './channelId';
import type { Operation } from '../operation';
import { simplifier, simplify } from '../simplify';
import { OTHER_FIELDS, SIMPLIFIED_FIELDS } from './simplifiedFields';

/** Outputs a channel of any medium (docs/development/interface.md, "Get channel by id"). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get channel',
	description: 'Retrieve one channel of any kind',
	fields: [
		channelId(
			"The channel to get. The list shows chat-app channels. For other kinds, choose 'By ID'.",
		),
		...simplify(SIMPLIFIED_FIELDS, OTHER_FIELDS),
	],
	execute: readOperation(async ({ ask, read }) => {
		const channel = await ask(getChannel(requiredText(read('channelId'), 'Channel')));
		return [channel].map(simplifier(read, SIMPLIFIED_FIELDS));
	}),
};
