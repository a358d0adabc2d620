import { UserError } from 'n8n-workflow';
import { RunError } from '../n8n/nodeErrors';
import { text } from '../n8n/values';
import { recipientDigits } from '../phone/phone';
import { getChannels, getChannelTemplates, type Ask } from '../service/endpoints';
import type { ChannelTemplate } from '../service/types';
import { placeholdersOf, unfilledParts, type Placeholder, type UnfilledPart } from './placeholders';

/** What the account has of a template: all that its messages need. */
export type Listed = {
	template: ChannelTemplate;
	placeholders: Placeholder[];
	unfilled: UnfilledPart[];
	/** What the user should know before sending it. */
	remarks: string[];
	/** Says that it is in another language than the wanted one. */
	replaced?: string;
};

/** The language of a row, and the one that takes its place when the template has no translation of it. */
export type Languages = { wanted?: string; instead?: string };

/** The templates of a run. They are requested when first needed, and once for each sender. */
export class Catalogue {
	private readonly bySender = new Map<string, ReturnType<typeof channelAndTemplates>>();

	private readonly listed = new Map<string, Listed>();

	private readonly ask: Ask;

	constructor(ask: Ask) {
		this.ask = async (request) => await ask(request).catch(cannotRead);
	}

	/**
	 * Returns a template, at once if it was asked for before: most recipients get the same one.
	 *
	 * @throws UserError when the channel does not have it, the provider has rejected it, or it needs a language; RunError when the
	 * templates cannot be read
	 */
	template(from: string, name: string, languages: Languages): Listed | Promise<Listed> {
		const { wanted = '', instead = '' } = languages;
		const key = `${from}\n${name}\n${wanted}\n${instead}`;
		return this.listed.get(key) ?? this.find(key, from, name, languages);
	}

	private async find(
		key: string,
		from: string,
		name: string,
		languages: Languages,
	): Promise<Listed> {
		if (!this.bySender.has(from)) this.bySender.set(from, channelAndTemplates(this.ask, from));
		const { channel, templates } = await this.bySender.get(from)!;
		const { template, replaced } = translationIn(templates, from, name, languages);
		const isChosen = languages.wanted !== undefined;
		refuseUnsendable(template, isChosen ? [] : otherLanguages(templates, template));
		const ofChannel = text(channel.status);
		const status = text(template.status);
		const found: Listed = {
			template,
			replaced,
			placeholders: placeholdersOf(template),
			unfilled: unfilledParts(template),
			remarks: [
				...(['INACTIVE', 'PENDING'].includes(ofChannel)
					? [
							`The channel ${channel.name} (${from}) is ${ofChannel}: the service may refuse to send from it.`,
						]
					: []),
				// The service does not document all statuses.
				...(['', 'approved', 'submitted'].includes(status.toLowerCase())
					? []
					: [`${name} is ${status}: the service may refuse it.`]),
			],
		};
		this.listed.set(key, found);
		return found;
	}
}

/** Without the templates, nobody's message can be composed. */
function cannotRead(error: Error): never {
	throw new RunError(`The templates cannot be read. ${error.message}`);
}

/**
 * Returns the template in the wanted language, or in the one that takes its place, and what a dry run says of that. A translation
 * that cannot be sent is not replaced: whoever reads the other one may not understand it, and tomorrow this one can perhaps be sent.
 *
 * @throws UserError when the channel has neither
 */
function translationIn(
	listing: ChannelTemplate[],
	from: string,
	name: string,
	{ wanted, instead }: Languages,
): Pick<Listed, 'template' | 'replaced'> {
	if (wanted === undefined || instead === undefined)
		return { template: translationOf(listing, from, name, wanted) };
	const own = templateNamed(listing, name, wanted);
	if (own && /^pending$/i.test(text(own.status)))
		throw new UserError(
			`The template "${name}" is ${text(own.status)} in ${own.language}, so it cannot be sent yet, and 'Language If Missing' does not replace it.`,
		);
	if (own) return { template: own };
	const template = templateNamed(listing, name, instead);
	if (!template) throw hasNot(listing, from, name, `"${wanted}" or "${instead}"`);
	const replaced = `The template has no language "${wanted}": it is sent in ${template.language}.`;
	return { template, replaced };
}

/** Returns the template as {@link templateNamed} does. @throws UserError when the channel does not have it */
export function translationOf(
	listing: ChannelTemplate[],
	from: string,
	name: string,
	language?: string,
): ChannelTemplate {
	const template = templateNamed(listing, name, language);
	if (template) return template;
	throw hasNot(listing, from, name, `"${language}"`);
}

/**
 * Returns the template with that name. Of several translations it is the one in `language`, or else the first one that
 * was not rejected.
 */
function templateNamed(
	listing: ChannelTemplate[],
	name: string,
	language?: string,
): ChannelTemplate | undefined {
	const translations = listing.filter(
		(template) =>
			template.name === name &&
			(language === undefined || plainLanguage(template.language) === plainLanguage(language)),
	);
	return translations.find((template) => !rejectionOf(template)) ?? translations[0];
}

/** Returns the error of a template that the channel does not have, or not in these languages. */
function hasNot(listing: ChannelTemplate[], from: string, name: string, wanted: string) {
	const languages = listing.filter((each) => each.name === name).map((each) => each.language);
	return new UserError(
		languages.length > 0
			? `The template "${name}" has no language ${wanted}. Choose one of these: ${languages.join(', ')}.`
			: `The channel ${from} has no template "${name}". Choose one from the list.`,
	);
}

/** Writes a language for comparison: contacts have `pt-br` for `pt_BR`. */
const plainLanguage = (language: unknown) => text(language).toLowerCase().replaceAll('-', '_');

/** @throws UserError when a template was rejected, or nobody chose one of its languages */
function refuseUnsendable(template: ChannelTemplate, others: string[]) {
	const { name, language } = template;
	const rejection = rejectionOf(template);
	if (rejection) {
		throw new UserError(
			`The template "${name}" was rejected (${rejection}) and cannot be sent. Choose another one.`,
		);
	}
	if (others.length === 0) return;
	throw new UserError(
		`The template "${name}" exists in ${[language, ...others].join(', ')}. Choose one in 'Options → Language'.`,
	);
}

/** Returns the other languages in which a template can be sent, without its rejected translations. */
export const otherLanguages = (listing: ChannelTemplate[], { name, language }: ChannelTemplate) =>
	listing
		.filter((each) => each.name === name && each.language !== language && !rejectionOf(each))
		.map((each) => each.language);

/** Returns the reason why the provider rejected a template; '' if it did not (some listings then have `NONE`). */
export function rejectionOf({ rejected_reason: rejected, status }: ChannelTemplate): string {
	const reason = text(rejected);
	if (reason !== '' && reason.toUpperCase() !== 'NONE') return reason;
	return /^rejected$/i.test(text(status)) ? 'no reason given' : '';
}

/**
 * Returns the channel that sends from a number, however the number is written, and its templates
 * (docs/development/interface.md, "Get channels" and "Get channel templates").
 *
 * @throws UserError when the account has no such channel
 */
export async function channelAndTemplates(ask: Ask, from: string) {
	const digits = recipientDigits(from);
	const channels = await ask(getChannels());
	const channel = channels.find(({ phone }) => recipientDigits(text(phone)) === digits);
	if (!channel) {
		throw new UserError(
			`The account has no chat-app channel with the number ${from}. Choose a sender in 'From'.`,
		);
	}
	return { channel, templates: await ask(getChannelTemplates(channel.id)) };
}
