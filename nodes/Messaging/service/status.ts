/*
 * What a status says about a message. The interface shows only `delivered` for a log record, and no status of an answer
 * that sends (docs/development/interface.md, "Log record and delivery report"). So these words decide little: they sort a report,
 * and of a message that the service accepted they may say "nobody knows", never "not sent".
 */

/** `failed` is every end without an arrival. */
export type Meaning = 'delivered' | 'read' | 'failed';

/**
 * Returns what a status seems to say; undefined when it is not known to be the last one of a message.
 *
 * @param where in an answer, the message was only just accepted: there "unread" and "not sent" are no end
 */
export function meaningOf(status: string, where: 'log' | 'answer' = 'log'): Meaning | undefined {
	const words = statusWords(status);
	if (OPEN.test(words)) return undefined;
	if (FAILED.test(words.replace(NO_FAILURE, ' '))) return 'failed';
	if (DENIED.test(words)) return where === 'log' ? 'failed' : undefined;
	if (READ.test(words)) return 'read';
	return DELIVERED.test(words) ? 'delivered' : undefined;
}

/** Ends without an arrival, with the kind of report that has each. */
const FAILURES = [
	// All reports of SMS and of chat apps: `failed`. A failover, and what is fail-safe, has not failed.
	'fail(?:s|ed|ures?)?(?! ?(?:over|safe))',
	// SMPP 3.4, appendix B: REJECTD, UNDELIV, EXPIRED, DELETED.
	'reject(?:s|d|ed|ions?)?',
	'undeliv\\w*',
	'expir(?:ed?|y)',
	'deleted?',
	// Gateways of SMS: their own errors, refusals and lists of numbers, `INVALID_NUMBER`, `blacklisted`.
	'errors?',
	'refus(?:ed?|als?)',
	'invalid',
	'unreach\\w*',
	'(?:black|block) ?list(?:ed)?',
	'block(?:s|ed)?',
	// E-mail, whose words chat services took over: `hard_bounce`, `unsubscribed`.
	'bounced?s?',
	'suppress(?:ed|ion)',
	'unsubscribed?',
	'opt(?:ed)? ?out',
	// Campaigns that a person stops: `canceled`.
	'cancell?(?:ed|ation)?',
	'abort(?:ed)?',
	'skip(?:ped)?',
	'discard(?:ed)?',
].join('|');

/** Before a failure these say that there is none: "no error", "unblocked", "not expired", "0 errors". */
const NONE_BEFORE =
	"(?:\\b(?:no|non|not|never|without|zero|0|\\w+n[ '’]t)(?: (?:any|be|been|yet))? ?|\\bun)";
/** Behind a failure these say the same: "errors: 0", "error=none". */
const NONE_BEHIND = '[^\\p{L}\\p{N}]*(?:\\b0\\b|none\\b|null\\b|free\\b)';
const NO_FAILURE = new RegExp(
	`${NONE_BEFORE}(?:${FAILURES})\\b|\\b(?:${FAILURES})${NONE_BEHIND}`,
	'gu',
);
/** Also as the end of a word, as gateways without separators write it: "deliveryfailed", "hardbounce". */
const FAILED = new RegExp(`(?:${FAILURES})\\b`);

/** A message that is not there yet, or a part of it. Gateways of SMS: `not yet delivered`, `partially delivered`. */
const OPEN = /\b(?:yet|to be|will be|partial|partially|partly)\b/;
/** An arrival that is denied: a report of SMS writes NOT_DELIVERED, of a chat app "unread". */
const DENIED =
	/(?:\b(?:un|no|non|\w*not|never)|n[ '’]t) ?(?:be(?:en)? )?(?:delivered|deliverable|sent|read|seen)\b/;
/** Chat apps: `read`, `seen`. */
const READ = /\b(?:read|seen)\b/;
/** The interface, and SMPP, as DELIVRD. */
const DELIVERED = /\bdelivered\b/;

/** Identifies a status, however it is spelt: neither case nor separators count. */
export const statusKey = (status: string) => statusWords(status).replaceAll(' ', '');

/**
 * Writes a status as words, for comparison: `NOT_DELIVERED`, `Not-Delivered` and `notDelivered` are "not delivered". Signs that
 * are not between letters stay: the codes -1 and 1 are two statuses.
 */
export const statusWords = (status: string) =>
	status
		.replace(/\p{Ll}(?=\p{Lu})/gu, '$& ')
		.normalize('NFKD')
		// Turkish has an i with and without a dot.
		.replace(/[\u0300-\u036f]/g, '')
		.toLowerCase()
		.replaceAll('ı', 'i')
		// The abbreviation of SMPP.
		.replace('delivrd', 'delivered')
		.replace(/(?<=[\p{L}\p{M}])[^\p{L}\p{M}\p{N}]+(?=\p{L})/gu, ' ');
