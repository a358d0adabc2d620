import { readOperation } from '../readOperation';
import { getChannelTemplates } from '../../service/endpoints';
import { requiredText } from '../../n8n/values';
import { channelId } from '../channel/channelId';
import { limitOf, returnAllOrLimit } from '../../fields/limit';
import type { Operation } from '../operation';

/** Outputs an item for each template of a chat-app channel (docs/development/interface.md, "Get channel templates"). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many channel templates',
	description: 'Retrieve the templates of a chat-app channel, with their texts and states',
	hint: "It outputs an item for each template: 'name', 'language', 'category', 'status', 'rejected_reason' and 'components'; their 'text' has the placeholders.",
	fields: [channelId('The chat-app channel whose templates to get'), ...returnAllOrLimit],
	execute: readOperation(async ({ ask, read }) => {
		const id = requiredText(read('channelId'), 'Channel');
		const limit = limitOf(read);
		const templates = await ask(getChannelTemplates(id));
		return templates.slice(0, limit);
	}),
};
