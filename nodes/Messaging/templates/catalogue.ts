import { UserError } from 'n8n-workflow';
import { text } from '../n8n/values';
import { recipientDigits } from '../sending/phone';
import { getChannels, getChannelTemplates, type Ask } from '../service/endpoints';
import { isObject, type Channel, type ChannelTemplate } from '../service/types';

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

async function templatesAndChannel(ask: Ask, from: string) {
	const channel = await channelOfSender(ask, from);
	return { channel, templates: await ask(getChannelTemplates(channel.id)) };
}

/** The templates of the channel that sends from a number. */
export const templatesOfSender = async (ask: Ask, from: string): Promise<ChannelTemplate[]> =>
	(await templatesAndChannel(ask, from)).templates;

/** Why the provider rejected a template; '' when it did not. Some listings say `NONE` for that. */
export function rejectionOf({ rejected_reason: rejected }: ChannelTemplate): string {
	const reason = text(rejected);
	return reason.toUpperCase() === 'NONE' ? '' : reason;
}

/** `"en"`, or `{ "code": "en" }`, as the provider takes it; undefined when there is none. */
export function languageOf(language: unknown): string | undefined {
	const code = text(isObject(language) ? language.code : language);
	return code === '' ? undefined : code;
}

/** The other languages in which a template can be sent: rejected translations cannot. */
export const otherLanguages = (listing: ChannelTemplate[], { name, language }: ChannelTemplate) =>
	listing
		.filter((each) => each.name === name && each.language !== language && !rejectionOf(each))
		.map((each) => each.language);

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
	return translations.find((template) => !rejectionOf(template)) ?? translations[0];
}

/** Template listings of a run: asked for when first needed, and once for each sender. */
export class Catalogue {
	private readonly bySender = new Map<string, ReturnType<typeof templatesAndChannel>>();

	constructor(private readonly ask: Ask) {}

	/** The sender's channel, and all its templates. */
	async listing(from: string) {
		let found = this.bySender.get(from);
		if (!found) {
			found = templatesAndChannel(this.ask, from);
			this.bySender.set(from, found);
		}
		return await found;
	}

	/**
	 * The template in a language, or as {@link templateNamed} chooses it where the listing lacks the language:
	 * it may write it in another way.
	 *
	 * @throws UserError when the sender's channel has no template of that name
	 */
	async template(from: string, name: string, language?: string): Promise<ChannelTemplate> {
		const { templates } = await this.listing(from);
		const template = templateNamed(templates, name, language) ?? templateNamed(templates, name);
		if (!template) {
			throw new UserError(
				`The channel ${from} has no template "${name}". Choose one from the list.`,
			);
		}
		return template;
	}
}
