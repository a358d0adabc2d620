import { escapeMarkup, formatNumber } from '../../../nodes/Messaging/utils/text';

test('escapeMarkup escapes what has a meaning in HTML or SVG, and replaces what XML does not allow', () => {
	expect(escapeMarkup('<a href="x">\'&amp;\u0000\uD83D👩')).toBe(
		'&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;\uFFFD\uFFFD👩',
	);
});

test.each([
	[0, '0'],
	[1234567, '1,234,567'],
	[12345.678, '12,345.68'],
])('formatNumber writes %d as %s', (value, text) => {
	expect(formatNumber(value)).toBe(text);
});
