/* For which template a node was set up: the id of a hidden field of *Placeholders*, which the editor saves. */

/** Returns the template for which the editor has loaded the fields of *Placeholders*, if it has. */
export const templateOfFields = (schema: unknown): string | undefined =>
	(Array.isArray(schema) ? (schema as Array<{ id: string }>) : [])
		.find(({ id }) => id.startsWith(templateMark('')))
		?.id.slice(templateMark('').length);

/**
 * Returns the id that says for which template the editor loaded the fields. The editor does not reload them while an
 * expression of the node has no value.
 */
export const templateMark = (template: string) => `template:${template}`;
