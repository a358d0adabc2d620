import type { ChannelTemplate, TemplateComponent } from '../service/types';

/** A gap in a template's text, `{{1}}` or `{{name}}`. */
export type Placeholder = {
	/** Names it in `templateParameters`: the component and the name, `body_1`. */
	id: string;
	/** What stands between the braces. */
	name: string;
	/** The component that holds it, in lower case: `header`, `body`, … */
	component: string;
	/** The sample that the template was registered with. */
	sample?: string;
};

/** A gap in a text; its group is the placeholder's name. */
export const GAP = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Every placeholder of a template, once for each component, in the order of the text. */
export const placeholdersOf = ({ components }: ChannelTemplate): Placeholder[] =>
	(Array.isArray(components) ? components : []).flatMap((component) => {
		const type = String(component.type ?? 'body').toLowerCase();
		const text = typeof component.text === 'string' ? component.text : '';
		const names = [...new Set([...text.matchAll(GAP)].map(([, name]) => name))];
		return names.map((name) => ({
			id: `${type}_${name}`,
			name,
			component: type,
			sample: sampleOf(component, type, name),
		}));
	});

/** Samples of numbered placeholders lie in `example.body_text[0]` (2.4), a header's in `header_text`. */
function sampleOf({ example }: TemplateComponent, type: string, name: string): string | undefined {
	const samples: unknown = example?.[`${type}_text`];
	if (!Array.isArray(samples)) return undefined;
	const row: unknown[] = Array.isArray(samples[0]) ? (samples[0] as unknown[]) : samples;
	const sample = row[Number(name) - 1];
	return typeof sample === 'string' ? sample : undefined;
}
