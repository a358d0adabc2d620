import type { Field } from './call';
import type { CallReading } from './event';
import { isId, isWord, lastNameOf, wordIn } from './rule';
import { writtenPath } from './told';

/* What a person may enter for a call that is *Other*, if it is a completed campaign. Nothing is decided here. */

const OF_CAMPAIGN = /campaign|broadcast|newsletter|mailing|blast|batch|bulk|job/i;
const NAME_OF_ID = /(?:id|key|ref|number|code|^campaign|^broadcast)$/;
const SAYS_END = /complet|finish|done|ended|[^a-z]end$|finali[sz]|terminad|conclu|tamamla/i;
const IS_TIME = /^\d{4}-\d\d|^1\d{9}/;

/** How well a field may be the one that says the end; 0 when it does not. */
function rankAsEnd(field: Field): number {
	if (wordIn(field).says === 'end') return 4;
	if (SAYS_END.test(field.value)) return 3;
	if (SAYS_END.test(lastNameOf(field.path))) return 2;
	return isWord(field) && wordIn(field).says === 'else' ? 1 : 0;
}

/** How well a field may be the ID of the campaign that has ended; 0 when it is not. */
const rankAsId = (end: Field) => (field: Field) => {
	const { path } = field;
	const name = lastNameOf(path);
	if (path[0] === 'headers' || isWord(field) || !isId(field) || !NAME_OF_ID.test(name)) return 0;
	// Beside an event's name, an ID is the event's own.
	const isBeside = path.length > 2 && path.slice(0, -1).join() === end.path.slice(0, -1).join();
	const isOfCampaign = OF_CAMPAIGN.test(path.slice(-2).join());
	return (isOfCampaign ? 4 : 1) + (/^u?u?id$/.test(name) ? 2 : 0) + (isBeside ? 1 : 0);
};

/** Of several fields that are as good, the innermost one. */
function best(fields: Field[], rank: (field: Field) => number): Field | undefined {
	const ranks = fields.map(rank);
	const highest = ranks.reduce((one, another) => Math.max(one, another), 1);
	return fields[ranks.lastIndexOf(highest)];
}

/** Says why a call is no completed campaign, and what to enter if it is one. */
export function adviceOf({ why, fields, hasId }: CallReading): string {
	const end = best(fields, rankAsEnd);
	const id = end && best(fields, rankAsId(end));
	const isOther = `This is no completed campaign: ${why}. If it is one,`;
	if (!end || (!id && !hasId)) return `${isOther} ${COPY}`;
	const value = IS_TIME.test(end.value) ? '*' : end.value;
	const enterId = id && !hasId ? `'Campaign ID Field' ${writtenPath(id.path)}, and ` : '';
	return `${isOther} set under 'Options': ${enterId}'Completed When' with the field ${writtenPath(end.path)} and the value ${value}.`;
}

const COPY =
	"copy the paths of its ID and of the word that says so from the output (right side, JSON, 'Copy Item Path') to 'Campaign ID Field' and 'Completed When' under 'Options'.";
