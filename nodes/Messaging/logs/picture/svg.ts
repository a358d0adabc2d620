/** Characters that XML does not allow at all, and halves of what should be one. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** A text as it may stand in an element or an attribute. */
export const escape = (text: string) =>
	text.replace(NOT_XML, '\uFFFD').replace(/[&<>"']/g, (character) => ENTITIES[character]);

type Attributes = Record<string, string | number>;

const written = (value: string | number) =>
	escape(typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);

/** An element; `inner` is SVG already. */
export const element = (name: string, attributes: Attributes, inner = '') => {
	const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${written(value)}"`);
	return `<${name}${all.join('')}${inner === '' ? '/>' : `>${inner}</${name}>`}`;
};

/** A line of text, which is escaped here. */
export const label = (x: number, y: number, content: string, attributes: Attributes = {}) =>
	element('text', { x, y, ...attributes }, escape(content));

/** At most so many characters; what is left out shows as an ellipsis. */
export function shortened(text: string, most: number): string {
	const characters = [...text];
	return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
