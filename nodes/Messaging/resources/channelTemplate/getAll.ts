import { reading } from '../../n8n/reading';
import { requiredText } from '../../n8n/values';
import { getChannelTemplates } from '../../service/endpoints';
import { channelId, returnAllOrLimit } from '../../fields/fields';
import { limitOf } from '../../fields/limit';
import type { Operation } from '../operation';

/** Templates of a chat-app channel → an item each (4.5). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many channel templates',
	description: 'Get the templates of a chat-app channel, with their texts and states',
	fields: [channelId('The chat-app channel whose templates to get'), ...returnAllOrLimit],
	execute: reading(async ({ ask, read }) => {
		const id = requiredText(read('channelId'), 'Channel');
		const limit = limitOf(read);
		const templates = await ask(getChannelTemplates(id));
		return templates.slice(0, limit);
	}),
};
