import { UserError } from 'n8n-workflow';
import { recipientDigits } from '../sending/phone';
import { getChannels, getChannelTemplates, type Ask } from '../service/endpoints';
import type { Channel, ChannelTemplate } from '../service/types';

/**
 * The channel that sends from a number.
 *
 * @throws UserError when the account has none
 */
export async function channelOfSender(ask: Ask, from: string): Promise<Channel> {
	const channels = await ask(getChannels());
	const digits = recipientDigits(from);
	const channel = channels.find(({ phone }) => phone && recipientDigits(phone) === digits);
	if (!channel) {
		throw new UserError(
			`The account has no chat-app channel with the number ${from}. Choose a sender in 'From'.`,
		);
	}
	return channel;
}

/** The templates of the channel that sends from a number. */
export async function templatesOfSender(ask: Ask, from: string): Promise<ChannelTemplate[]> {
	const channel = await channelOfSender(ask, from);
	return await ask(getChannelTemplates(channel.id));
}

/**
 * The template of that name. Of several translations it is the one in `language`, or else the first that
 * was not rejected.
 */
export function templateNamed(
	listing: ChannelTemplate[],
	name: string,
	language?: string,
): ChannelTemplate | undefined {
	const translations = listing.filter(
		(template) =>
			template.name === name && (language === undefined || template.language === language),
	);
	return translations.find((template) => !template.rejected_reason) ?? translations[0];
}

/** Template listings of a run: asked for when first needed, and once for each sender. */
export class Catalogue {
	private readonly bySender = new Map<string, Promise<ChannelTemplate[]>>();

	constructor(private readonly ask: Ask) {}

	/** All templates of the sender's channel. */
	async listing(from: string): Promise<ChannelTemplate[]> {
		let templates = this.bySender.get(from);
		if (!templates) {
			templates = templatesOfSender(this.ask, from);
			this.bySender.set(from, templates);
		}
		return await templates;
	}

	/** @throws UserError when the sender's channel has no template of that name */
	async template(from: string, name: string): Promise<ChannelTemplate> {
		const template = templateNamed(await this.listing(from), name);
		if (!template) {
			throw new UserError(
				`The channel ${from} has no template "${name}". Choose one from the list.`,
			);
		}
		return template;
	}
}
