import { escapeMarkup } from '../utils/text';

/** Elements for text, as n8n's forms allow them; without images and videos, because the page loads nothing from other sites. */
const ALLOWED = new Set(
	'a b br code div em h1 h2 h3 h4 h5 h6 i li ol p pre span strong sub sup table tbody td tfoot th thead tr u ul'.split(
		' ',
	),
);

const TAG = /<!--[^]*?(?:-->|$)|<(\/?)([a-z][a-z\d]*)([^<>]*)>|[^<]+|</gi;

const LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))/i;

/** Returns HTML with only elements for text, all of them closed, and no attributes but the address of a link. */
export function safeHtml(html: string): string {
	const open: string[] = [];
	let hidden: string | undefined;
	let safe = '';
	const closeUntil = (name: string) => {
		if (!open.includes(name)) return;
		for (let last; last !== name; ) safe += `</${(last = open.pop()!)}>`;
	};
	for (const [part, slash, tag, attributes] of html.matchAll(TAG)) {
		const name = tag?.toLowerCase();
		if (hidden) {
			if (slash && name === hidden) hidden = undefined;
		} else if (name === undefined) {
			// Entities such as &nbsp; stay as they are: they are text.
			if (!part.startsWith('<!--')) safe += escapeMarkup(part).replaceAll('&amp;', '&');
		} else if (name === 'script' || name === 'style') {
			if (!slash) hidden = name;
		} else if (ALLOWED.has(name)) {
			if (slash) {
				closeUntil(name);
				continue;
			}
			safe += `<${name}${name === 'a' ? linkOf(attributes) : ''}>`;
			if (name !== 'br') open.push(name);
		}
	}
	for (const name of open.reverse()) safe += `</${name}>`;
	return safe;
}

function linkOf(attributes: string): string {
	const [, double, single, bare] = LINK.exec(attributes) ?? [];
	const address = (double ?? single ?? bare ?? '').trim();
	return /^https?:\/\//i.test(address)
		? ` href="${escapeMarkup(address).replaceAll('&amp;', '&')}" target="_blank" rel="noopener noreferrer"`
		: '';
}
