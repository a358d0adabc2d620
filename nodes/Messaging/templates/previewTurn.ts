import { text } from '../n8n/values';

/** The name of the second preview parameter: see templateFields.ts. */
export const OTHER_PREVIEW = 'otherTemplatePreview';

/** An invisible character at the end of the chosen template's name, as the list gives it: the second preview is shown. */
export const TURN = '\u2060';

/** A template as the editor saves it. */
type Chosen = { value?: unknown; cachedResultName?: unknown } | undefined;

/** Returns an entry's name in the list: choosing another template than now shows the other preview. */
export function withTurn(name: string, template: string, chosen: Chosen): string {
	const shown = text(chosen?.cachedResultName);
	if (shown === '') return name;
	return shown.endsWith(TURN) === (template === text(chosen?.value)) ? name + TURN : name;
}
