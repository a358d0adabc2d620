import {
	noticePage,
	PAGE_HEADERS,
	questionPage,
	thanksPage,
} from '../../../nodes/Messaging/sendAndWait/page';
import { ENGLISH } from '../../../nodes/Messaging/sendAndWait/pageTexts';
import type { Question } from '../../../nodes/Messaging/sendAndWait/question';

const NASTY = `<script>alert('1')</script> & "quoted" <img src=x onerror=alert(1)> 👩‍👩‍👧 مرحبا`;
const HARMLESS =
	'&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;quoted&quot; &lt;img src=x onerror=alert(1)&gt; 👩‍👩‍👧 مرحبا';

const question = (more: Partial<Question> = {}): Question => ({
	message: 'May we?',
	isReview: false,
	responseType: 'approval',
	approveLabel: 'Approve',
	linkLabel: 'Answer here',
	pageTitle: '',
	submitLabel: 'Submit',
	...ENGLISH,
	...more,
});

const nasty: Partial<Question> = {
	message: NASTY,
	pageTitle: NASTY,
	approveLabel: NASTY,
	disapproveLabel: NASTY,
	submitLabel: NASTY,
	texts: Object.fromEntries(Object.keys(ENGLISH.texts).map((name) => [name, NASTY])) as never,
};

const PAGES: Record<string, string> = {
	approval: questionPage(question(nasty), NASTY),
	'free text': questionPage(question({ ...nasty, responseType: 'freeText' }), NASTY, NASTY),
	thanks: thanksPage(question(nasty), NASTY),
	notice: noticePage(ENGLISH, NASTY),
};

describe.each(Object.entries(PAGES))('the %s page', (_, html) => {
	test('escapes all texts', () => {
		expect(html).toContain(HARMLESS);
		expect(html).not.toContain(NASTY);
		expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
	});

	test('loads nothing from other sites and runs no script', () => {
		expect(html.replaceAll(HARMLESS, '')).not.toMatch(
			/https?:|\ssrc=|url\(|@import|<link|<script|\son\w+="/,
		);
	});

	test('fits a phone and follows its dark mode', () => {
		expect(html).toContain('name="viewport" content="width=device-width, initial-scale=1"');
		expect(html).toContain('prefers-color-scheme:dark');
	});

	test('has dir="auto" on every text of the workflow', () => {
		for (const [tag] of html.matchAll(/<(h1|p|label|button|textarea)[ >][^>]*>?/g)) {
			expect(tag).toContain('dir="auto"');
		}
	});
});

test('an approval has one or two buttons, approve first', () => {
	const buttons = (more?: Partial<Question>) =>
		[
			...questionPage(question(more)).matchAll(
				/<button class="(\w+)" name="decision" value="(\w+)"[^>]*>([^<]*)</g,
			),
		].map((match) => match.slice(1));
	expect(buttons()).toEqual([['main', 'approve', 'Approve']]);
	expect(buttons({ approveLabel: 'Ship', disapproveLabel: 'Wait' })).toEqual([
		['main', 'approve', 'Ship'],
		['other', 'disapprove', 'Wait'],
	]);
});

test('the headers forbid scripts, resources of other sites, forms to other sites, frames and caching', () => {
	expect(PAGE_HEADERS).toEqual({
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy':
			"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
		'Referrer-Policy': 'no-referrer',
		'Cache-Control': 'no-store',
		'X-Robots-Tag': 'noindex',
	});
});
