/*
 * What a word of a call says: the name of an event, or a status. The interface documents no such word
 * (docs/development/interface.md, "Events"), so each is read in every usual spelling.
 */

/** How much of a word is read. */
const LONGEST = 200;

/** "campaign.sendingCompleted" → campaign, sending, completed. What follows "with" only describes the end. */
export function partsOf(word: string): string[] {
	const parts = word
		.slice(0, LONGEST)
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}%]+/u)
		.filter(Boolean);
	const description = parts.findIndex((part) => part === 'with' || part === 'without');
	return description < 0 ? parts : parts.slice(0, description);
}

const END =
	/^(?:campaigns?)?(?:complet(?:e|es|ed|ions?)|finish(?:es|ed)?|done|end(?:s|ed)?|finali[sz]ed|concluded|closed)$/;
const CAMPAIGN = /^(?:campaign|broadcast|newsletter|mailing)s?$/;
/** Parts that change nothing. With any other one, it is the end of something else: of an import, a step, a survey. */
const QUIET =
	/^(?:on|is|was|has|been|now|the|of|to|all|fully|success(?:ful|fully)?|succeeded|ok|out|v|status(?:es)?|state|progress|updated?|changed?|events?|webhooks?|notifications?|callback|job|run|sms|mms|rcs|e?mails?|chat|chatapp|whatsapp|bulk|marketing|templates?|messages|sends?|sent|sending|deliver(?:y|ed)|dispatch(?:ed)?|process(?:ed|ing)?)$/;
/** No end yet, or that of one message or person. Other parts before "campaign" may be anything, such as a provider. */
const NO_END =
	/^(?:not|never|no|non|un|partial.*|partly|almost|nearly|expect.*|estimat.*|plan.*|schedul.*|message|msg|recipient|contact|lead|subscriber|customer|users?|person)$/;

/** Whether a word names a campaign, a message or an end. */
export const namesEvent = (word: string) =>
	partsOf(word).some((part) => [CAMPAIGN, NO_END, END].some((kind) => kind.test(part)));

export const namesCampaign = (word: string) => partsOf(word).some((part) => CAMPAIGN.test(part));

/** `nothing`: only what it is about, such as "campaign.status". `else`: anything else, known or not. */
export function meaningOf(word: string): 'end' | 'nothing' | 'else' {
	const parts = partsOf(word);
	const isKnown = (part: string) => [CAMPAIGN, QUIET, END].some((kind) => kind.test(part));
	const first = parts.findIndex((part) => CAMPAIGN.test(part));
	const rest = parts.every(isKnown) ? parts : parts.slice(first);
	if (!rest.every(isKnown) || parts.some((part) => NO_END.test(part))) return 'else';
	const isEnd = rest.some((part) => END.test(part)) || / sent out$/.test(` ${rest.join(' ')}`);
	// "campaign.end.updated": the end was moved.
	const isChanged = /^(?:updat|chang)/.test(rest[rest.length - 1]);
	if (isEnd) return isChanged ? 'else' : 'end';
	return rest.includes('sending') || rest.includes('processing') ? 'else' : 'nothing';
}
