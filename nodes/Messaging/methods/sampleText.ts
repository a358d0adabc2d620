import type { ChannelTemplate, TemplateComponent } from '../service/types';
import { placeholdersOf } from '../templates/placeholders';
import { BRACES } from './page';

/** How parts of the text are written. */
type Style = {
	/** A placeholder's sample. */
	sample: (value: string) => string;
	/** Everything else. */
	escaped: (value: string) => string;
};

/** A template's text as its recipients see it, a line for each component; gaps show their sample. */
export function sampleText(template: ChannelTemplate, style: Style): string[] {
	const components = Array.isArray(template.components) ? template.components : [];
	return components.flatMap((component) => {
		const text =
			typeof component.text === 'string' ? [inStyle(component, component.text, style)] : [];
		const buttons = labelsOf(component).map((label) => `[ ${style.escaped(label)} ]`);
		return [...text, ...(buttons.length > 0 ? [buttons.join(' ')] : [])];
	});
}

function inStyle(component: TemplateComponent, text: string, { sample, escaped }: Style): string {
	const own = { ...component, buttons: undefined };
	const placeholders = placeholdersOf({ components: [own] } as unknown as ChannelTemplate);
	const samples = new Map(placeholders.map((each) => [each.name, each.sample]));
	// Splitting by a pattern with a group gives text, name, text, name, …, text.
	return text
		.split(BRACES)
		.map((part, index) => (index % 2 ? sample(samples.get(part) ?? `{{${part}}}`) : escaped(part)))
		.join('');
}

/** Buttons are not in the interface document; the chat-app provider lists them like this. */
function labelsOf({ buttons }: TemplateComponent): string[] {
	return (Array.isArray(buttons) ? buttons : [])
		.map((button: { text?: unknown } | null) => button?.text)
		.filter((label): label is string => typeof label === 'string');
}
