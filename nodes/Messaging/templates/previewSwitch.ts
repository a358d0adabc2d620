import { text } from '../n8n/values';

/*
 * The node has two parameters for the preview of a chosen template, because the editor may not reload one that is already
 * visible (see `previews` in templateFields.ts). Every choice of another template switches to the other one: the editor saves
 * the name of the chosen list entry, and shows the second preview if the name ends with an invisible mark.
 */

/** The name of the second preview parameter. */
export const SECOND_PREVIEW = 'otherTemplatePreview';

/** The invisible character at the end of the chosen entry's name while the second preview is shown. */
export const SECOND_PREVIEW_MARK = '\u2060';

/** A template as the editor saves it. */
type Chosen = { value?: unknown; cachedResultName?: unknown } | undefined;

/** Returns the name of a list entry with or without the mark, so that choosing another template than now switches previews. */
export function withPreviewMark(name: string, template: string, chosen: Chosen): string {
	const shown = text(chosen?.cachedResultName);
	if (shown === '') return name;
	const isSecondShown = shown.endsWith(SECOND_PREVIEW_MARK);
	const isChosen = template === text(chosen?.value);
	return isSecondShown === isChosen ? name + SECOND_PREVIEW_MARK : name;
}
