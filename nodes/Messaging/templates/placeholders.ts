import { text } from '../n8n/values';
import { isObject, type ChannelTemplate } from '../service/types';

/** A placeholder in a template's text, `{{1}}` or `{{name}}`. */
export type Placeholder = {
	/** Its id in `templateParameters`, see {@link placeholderId}. */
	id: string;
	/** The text between the braces. */
	name: string;
	/** The component that holds it, in lower case: `header`, `body`, …; `button_0` is the first button. */
	component: string;
	/** The sample that the template was registered with. */
	sample?: string;
	/** Of a button: its address before the placeholder, and behind it. */
	address?: Address;
};

/** An address with a gap. */
export type Address = { before: string; after: string };

/** A part of a template whose text may contain placeholders. */
export type TextPart = {
	component: string;
	text: string;
	/** The label of a button, whose address `text` is. */
	button?: string;
	samples: unknown;
};

/** Matches a placeholder in a text; its group is the name. */
export const PLACEHOLDER = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;

/** Returns every placeholder of a template, once for each component, in the order in which values are sent. */
export function placeholdersOf(template: ChannelTemplate): Placeholder[] {
	const parts = textPartsOf(template);
	return [...new Set(parts.map(({ component }) => component))].flatMap((component) => {
		const own = parts.filter((part) => part.component === component);
		return placeholderNames(own.map(({ text }) => text).join(' ')).map((name) => ({
			id: placeholderId(component, name),
			name,
			component,
			sample: sampleValue(own[0].samples, name),
			address: own[0].button === undefined ? undefined : addressOf(own[0].text, name),
		}));
	});
}

/** Returns the texts of a template: of each component and each button. */
export const textPartsOf = ({ components }: ChannelTemplate): TextPart[] =>
	listIn(components)
		.filter(isObject)
		.flatMap(({ type, text: own, example, buttons }) => {
			const component = String(type ?? 'body').toLowerCase();
			const samples = isObject(example) ? example[`${component}_text`] : undefined;
			const parts = typeof own === 'string' ? [{ component, text: own, samples }] : [];
			return [...parts, ...buttonParts(buttons)];
		});

/** Reads buttons as the chat-app provider lists them; the service does not document them. */
const buttonParts = (buttons: unknown): TextPart[] =>
	listIn(buttons).flatMap((button, index) => {
		if (!isObject(button)) return [];
		const { url, text: label, example: samples } = button;
		return [{ component: `button_${index}`, text: text(url), button: text(label), samples }];
	});

/** Returns the names of the placeholders in a text, each once, in the order in which values are sent. */
export const placeholderNames = (text: string): string[] =>
	[...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name))].sort(inSendingOrder);

/**
 * Compares names for sorting: numbered ones come first, in ascending order, because the provider fills them by position.
 * Others keep their order.
 */
const inSendingOrder = (a: string, b: string) => placeOf(a) - placeOf(b) || 0;

const placeOf = (name: string) => (isNumbered(name) ? Number(name) : Infinity);

/** Whether a placeholder is numbered: the provider fills those by position, all others by name. */
export const isNumbered = (name: string) => /^\d+$/.test(name);

/**
 * Returns a placeholder's sample from a list, or from the first list in it: `example.body_text` of the body
 * (docs/development/interface.md, "Channel template"), and, as the provider lists them, `header_text` of a header or a button's `example`.
 */
function sampleValue(samples: unknown, name: string): string | undefined {
	if (!Array.isArray(samples)) return undefined;
	const row: unknown[] = Array.isArray(samples[0]) ? (samples[0] as unknown[]) : samples;
	const sample = row[Number(name) - 1];
	return typeof sample === 'string' ? sample : undefined;
}

/** Returns a button's address around a placeholder. */
function addressOf(text: string, name: string): Address {
	const found = [...text.matchAll(PLACEHOLDER)].find((match) => match[1] === name)!;
	return { before: text.slice(0, found.index), after: text.slice(found.index + found[0].length) };
}

/** Returns a placeholder's id: its name, and outside the body `header 1`; n8n names a field without a value by its id. */
export const placeholderId = (component: string, name: string) =>
	component === 'body' ? name : `${component} ${name}`;

/** Returns a placeholder's label, the same in the editor and in errors. */
export const labelOf = ({ component, name }: Pick<Placeholder, 'component' | 'name'>) =>
	`Placeholder ${name}${component === 'body' ? '' : ` (${componentName(component)})`}`;

/** Returns a component's name for sentences and labels: `button_0` is "button 1". */
const componentName = (component: string) => {
	const [, index] = /^button_(\d+)$/.exec(component) ?? [];
	return index === undefined ? component.replaceAll('_', ' ') : `button ${Number(index) + 1}`;
};

/** A part of a template that the node does not fill in: a picture in the header, a carousel, a button with a coupon code. */
export type UnfilledPart = { component: string; type: string };

/** Parts that need no value, or only those for the placeholders in their text or address; some listings give no type. */
const NEEDS_NO_VALUE = /^(|text|footer|quick_reply|url|phone_number)$/i;

export const unfilledParts = ({ components }: ChannelTemplate): UnfilledPart[] =>
	listIn(components)
		.filter(isObject)
		.filter(({ text: own }) => typeof own !== 'string')
		.flatMap(({ type, format = type, buttons }) =>
			buttons
				? listIn(buttons).map((button, index) => ({
						component: `button_${index}`,
						type: isObject(button) ? text(button.type) : '',
					}))
				: [{ component: text(type).toLowerCase(), type: text(format) }],
		)
		.filter(({ type }) => !NEEDS_NO_VALUE.test(type));

/** Says that a part is not filled in. */
export const unfilledRemark = (template: string, { type }: UnfilledPart) =>
	`${template} has a part that the node does not fill in (${type}): the chat-app provider may refuse it. 'Template Fields' can add what is missing.`;

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
