import { escapeMarkup } from '../../utils/text';

/** Width and margins of the picture in px: as wide as an e-mail. */
export const WIDTH = 640;
const MARGIN = 36;
export const LEFT = MARGIN;
export const RIGHT = WIDTH - MARGIN;
export const INNER = RIGHT - LEFT;

/** A part of the picture, drawn from a given y downwards, and its height in px. */
export type Part = { svg: string; height: number };

type Attributes = Record<string, string | number>;

const written = (value: string | number) =>
	escapeMarkup(typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);

/**
 * Returns an SVG element.
 *
 * @param inner SVG, which is not escaped again
 */
export const element = (name: string, attributes: Attributes, inner = '') => {
	const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${written(value)}"`);
	return `<${name}${all.join('')}${inner === '' ? '/>' : `>${inner}</${name}>`}`;
};

/** Returns a line of text, escaped. */
export const label = (x: number, y: number, content: string, attributes: Attributes = {}) =>
	element('text', { x, y, ...attributes }, escapeMarkup(content));

/** Cuts a text to at most `most` characters, the last of them an ellipsis. */
export function shortened(text: string, most: number): string {
	const characters = [...text];
	return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
