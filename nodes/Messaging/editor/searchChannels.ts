import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { text } from '../n8n/values';
import { getChannels } from '../service/endpoints';
import type { Channel } from '../service/types';
import { askService } from './editorRequests';
import { inWords, joined, editorList } from './listEntries';

/**
 * Returns all channels (docs/development/interface.md, "Get channels"). The service itself does not document how it compares
 * names, and it cannot search for part of a phone number.
 */
const channelsOf = async (context: ILoadOptionsFunctions): Promise<Channel[]> =>
	await askService(context, async (ask) => await ask(getChannels()));

/** Lists the channels with phone and status; the value is the id. */
export const searchChannels = editorList(async (context) =>
	(await channelsOf(context)).map(({ id, name, phone, medium, status }) => ({
		shown: [text(name) || id, text(phone) || medium, inWords(status)],
		value: id,
	})),
);

/** Lists the channels that have a phone, active ones first; the value is the phone. */
export const searchSenders = editorList(async (context) =>
	(await channelsOf(context))
		.filter(({ phone }) => phone)
		.sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
		.map((channel) => {
			const { id, name, phone, status } = channel;
			const state = joined([inWords(status), !isActive(channel) && 'cannot send'], ', ');
			return { shown: [name, phone, state], value: phone!, searched: [id] };
		}),
);

const isActive = ({ status }: Channel) => status === 'ACTIVE';
