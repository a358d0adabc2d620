import { hash } from 'crypto';
import { text } from '../n8n/values';
import type { ChannelTemplate } from '../service/types';
import { textPartsOf } from './placeholders';

/*
 * What a node was set up with: hidden fields of *Placeholders*, which the editor saves. Their ids say for which template the
 * fields are, and which text it had.
 */

/**
 * Returns the id that says for which template the editor loaded the fields. The editor does not reload them while an
 * expression of the node has no value.
 */
export const templateMark = (template: string) => `template:${template}`;

const idsIn = (schema: unknown): string[] =>
	(Array.isArray(schema) ? (schema as Array<{ id: string }>) : []).map(({ id }) => id);

/** Returns the template for which the editor has loaded the fields of *Placeholders*, if it has. */
export const templateOfFields = (schema: unknown): string | undefined =>
	idsIn(schema)
		.find((id) => id.startsWith(templateMark('')))
		?.slice(templateMark('').length);

/** A text of the template in a language, and the day on which the node got it, in days since 1970. */
type TextMark = { language: string; text: string; day: number };

const idOf = ({ language, text: written, day }: TextMark) => `text:${written}:${day}:${language}`;

const textMarksIn = (schema: unknown): TextMark[] =>
	idsIn(schema).flatMap((id) => {
		const [, written, day, language] = /^text:(\w+):(\d+):(.*)$/.exec(id) ?? [];
		return written === undefined ? [] : [{ language, text: written, day: Number(day) }];
	});

const languageOf = ({ language }: ChannelTemplate) => text(language);

/** A short hash of what people read. */
function hashOf(template: ChannelTemplate): string {
	const parts = textPartsOf(template).map((part) => [part.component, part.text, part.button]);
	return hash('sha256', JSON.stringify(parts)).slice(0, 8);
}

/**
 * Returns the ids that say which texts the template has. After a change the former text stays known for the rest of the day, so
 * that whoever opens the node to look still reads the hint when they try it. On another day it is forgotten.
 *
 * @param schema what the node has so far
 * @param translations the template in all its languages
 */
export function textMarks(schema: unknown, translations: ChannelTemplate[], today: number) {
	const [{ name }] = translations;
	const known = templateOfFields(schema) === name ? textMarksIn(schema) : [];
	return translations.flatMap((template) => {
		const mark = { language: languageOf(template), text: hashOf(template), day: today };
		const own = known.filter(({ language }) => language === mark.language);
		const last = own.at(-1);
		if (last === undefined) return [idOf(mark)];
		if (last.text !== mark.text) return [last, mark].map(idOf);
		return (last.day === today ? own : [last]).map(idOf);
	});
}

/** Whether the template has another text than the one that the node was set up with. */
export function hasNewText(schema: unknown, template: ChannelTemplate): boolean {
	if (templateOfFields(schema) !== template.name) return false;
	const first = textMarksIn(schema).find(({ language }) => language === languageOf(template));
	return first !== undefined && first.text !== hashOf(template);
}
