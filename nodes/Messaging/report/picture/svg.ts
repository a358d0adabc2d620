import { escapeMarkup } from '../../utils/text';

type Attributes = Record<string, string | number>;

const written = (value: string | number) =>
	escapeMarkup(typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);

/** An element; `inner` is SVG already. */
export const element = (name: string, attributes: Attributes, inner = '') => {
	const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${written(value)}"`);
	return `<${name}${all.join('')}${inner === '' ? '/>' : `>${inner}</${name}>`}`;
};

/** A line of text, which is escaped here. */
export const label = (x: number, y: number, content: string, attributes: Attributes = {}) =>
	element('text', { x, y, ...attributes }, escapeMarkup(content));

/** At most so many characters; what is left out shows as an ellipsis. */
export function shortened(text: string, most: number): string {
	const characters = [...text];
	return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
