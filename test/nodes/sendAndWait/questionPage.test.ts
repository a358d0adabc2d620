import {
	noticePage,
	PAGE_HEADERS,
	questionPage,
} from '../../../nodes/Messaging/sendAndWait/questionPage';
import type { Question } from '../../../nodes/Messaging/sendAndWait/question';

const NASTY = `<script>alert('1')</script> & "quoted" <img src=x onerror=alert(1)> 👩‍👩‍👧 مرحبا`;
const HARMLESS =
	'&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;quoted&quot; &lt;img src=x onerror=alert(1)&gt; 👩‍👩‍👧 مرحبا';

const question = (more: Partial<Question> = {}): Question => ({
	message: 'May we?',
	isReview: false,
	responseType: 'approval',
	approveLabel: 'Approve',
	messageButtonLabel: 'Respond',
	formTitle: '',
	formButtonLabel: 'Submit',
	...more,
});

const PAGES: Record<string, string> = {
	approval: questionPage(
		question({
			message: NASTY,
			formTitle: NASTY,
			approveLabel: NASTY,
			disapproveLabel: NASTY,
		}),
	),
	'free text': questionPage(
		question({
			responseType: 'freeText',
			message: NASTY,
			formTitle: NASTY,
			formButtonLabel: NASTY,
		}),
		{ problem: NASTY },
	),
	notice: noticePage(NASTY, NASTY),
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
		for (const [tag] of html.matchAll(/<(h1|p|button|textarea)[ >][^>]*>?/g)) {
			expect(tag).toContain('dir="auto"');
		}
	});
});

const buttons = (html: string) =>
	[...html.matchAll(/<button class="(\w+)" name="decision" value="(\w+)"[^>]*>([^<]*)</g)].map(
		([, look, value, label]) => ({ look, value, label }),
	);

test('has one or two buttons, with the button of the link first', () => {
	const both = question({ approveLabel: 'Ship', disapproveLabel: 'Wait' });
	const ship = { value: 'approve', label: 'Ship' };
	const wait = { value: 'disapprove', label: 'Wait' };
	expect({
		single: buttons(questionPage(question())),
		both: buttons(questionPage(both)),
		approve: buttons(questionPage(both, { first: 'approve' })),
		disapprove: buttons(questionPage(both, { first: 'disapprove' })),
		nonsense: buttons(questionPage(both, { first: '"><script>' })),
		nothingToDecline: buttons(questionPage(question(), { first: 'disapprove' })),
	}).toEqual({
		single: [{ look: 'main', value: 'approve', label: 'Approve' }],
		both: [
			{ look: 'main', ...ship },
			{ look: 'other', ...wait },
		],
		approve: [
			{ look: 'main', ...ship },
			{ look: 'other', ...wait },
		],
		disapprove: [
			{ look: 'main', ...wait },
			{ look: 'other', ...ship },
		],
		nonsense: [
			{ look: 'main', ...ship },
			{ look: 'other', ...wait },
		],
		nothingToDecline: [{ look: 'main', value: 'approve', label: 'Approve' }],
	});
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
