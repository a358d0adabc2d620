import { plainId } from '../logs/record';

/*
 * What a word of a call says: the name of an event, or a status. The interface documents none of them
 * (docs/development/interface.md, "Events"), so each is read in every usual spelling.
 */

export type Word = {
	text: string;
	/** `nothing`: only what it is about, such as "campaign.status". `else`: anything else, known or not. */
	meaning: 'end' | 'nothing' | 'else';
	namesCampaign: boolean;
	/** The same for all spellings of the word. */
	key: string;
};

const END =
	/^(?:campaigns?)?(?:complet(?:e|es|ed|ions?)|finish(?:es|ed)?|done|end(?:s|ed)?|finali[sz]ed|concluded|closed)$/;
const CAMPAIGN = /^(?:campaign|broadcast|newsletter|mailing)s?$/;
/** Parts that change nothing. With any other one, it is the end of something else: an import, a step, one message. */
const QUIET =
	/^(?:on|is|was|has|been|now|the|of|to|all|fully|success(?:ful|fully)?|succeeded|ok|out|v|status(?:es)?|state|progress|updated?|changed?|events?|webhooks?|notifications?|callback|job|run|sms|mms|rcs|push|whatsapp|viber|voice|e?mails?|chat|chatapp|bulk|outbound|execution|marketing|templates?|messages|sends?|sent|sending|deliver(?:y|ed)|dispatch(?:ed)?|process(?:ed|ing)?)$/;

/** "acme:" in "acme:campaign.sent"; not in "contact.campaign.completed", which is the end for one person. */
const BEFORE_CAMPAIGN =
	/^(?!.*(?:contact|lead|user|customer|subscriber|recipient|person|profile|message)).*[.:/](?=[^.:/]*(?:campaign|broadcast|newsletter|mailing))/i;

/** "acme:campaign.sendingCompleted" → campaign, sending, completed. What follows "with" only describes the end. */
const partsOf = (text: string) =>
	text
		.slice(0, 200)
		.replace(BEFORE_CAMPAIGN, '')
		.replace(/(\p{Ll}|\d)(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$3 $2')
		.toLowerCase()
		.replace(/[^\p{L}]with(?:out)?[^\p{L}].*/u, '')
		.split(/[^\p{L}%]+/u)
		.filter(Boolean);

export function wordOf(text: string): Word {
	const parts = partsOf(text);
	const isKnown = parts.every((part) => [QUIET, CAMPAIGN, END].some((kind) => kind.test(part)));
	const isEnd = parts.some((part) => END.test(part)) || parts.join(' ').endsWith('sent out');
	// "campaign.end.updated" moves the end, and "sending" alone is before it.
	const isMoved = isEnd && /^(?:updat|chang)/.test(parts[parts.length - 1]);
	const isBefore = /^(?:sending|processing)$/.test(parts.join(' '));
	const isElse = !isKnown || isMoved || isBefore;
	return {
		text,
		meaning: isElse ? 'else' : isEnd ? 'end' : 'nothing',
		namesCampaign: parts.some((part) => CAMPAIGN.test(part)),
		key: parts.join('') || plainId(text),
	};
}
