/** A component of a template, as the listing of templates shows it (2.4). */
export interface Component {
	type: string;
	text?: string;
}

/** A template as the provider has it. */
export interface Template {
	name: string;
	components: Component[];
}

type Json = Record<string, any>;

/**
 * What the chat-app provider makes of a template and the request's `template` object: the text that the recipient
 * reads, all components in one. Placeholders that are numbered are filled by position, in the order of the numbers;
 * named ones by `parameter_name`.
 *
 * @returns undefined where the provider's rule is not known: values under a key of the customer's own
 */
export function textRead({ components }: Template, sent: Json): string | undefined {
	const others = Object.keys(sent).filter(
		(key) => !['name', 'namespace', 'language', 'components'].includes(key),
	);
	if (others.length > 0) return undefined;
	const given = (Array.isArray(sent.components) ? sent.components : []) as Json[];
	return components
		.map(({ type, text = '' }) => {
			const mine = given.find((component) => String(component.type).toUpperCase() === type);
			const parameters = (mine?.parameters ?? []) as Json[];
			return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
				const parameter = /^\d+$/.test(name)
					? parameters[Number(name) - 1]
					: parameters.find((candidate) => candidate.parameter_name === name);
				return parameter ? String(parameter.text) : placeholder;
			});
		})
		.join('\n');
}
