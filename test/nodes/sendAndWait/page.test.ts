import type { INodeParameters } from 'n8n-workflow';
import {
	noticePage,
	PAGE_HEADERS,
	questionPage,
	thanksPage,
} from '../../../nodes/Messaging/sendAndWait/page';
import { ENGLISH } from '../../../nodes/Messaging/sendAndWait/pageTexts';
import type { Question } from '../../../nodes/Messaging/sendAndWait/question';
import { useHarness } from '../../support/harness';
import { approveOr, asking, freeText, TO } from './questionRun';

const NASTY = `<script>alert('1')</script> & "quoted" <img src=x onerror=alert(1)> 👩‍👩‍👧 مرحبا`;
const HARMLESS =
	'&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;quoted&quot; &lt;img src=x onerror=alert(1)&gt; 👩‍👩‍👧 مرحبا';

const pageOf = (more: Partial<Question> = {}): Question => ({
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
	approval: questionPage(pageOf(nasty), NASTY),
	'free text': questionPage(pageOf({ ...nasty, responseType: 'freeText' }), NASTY, NASTY),
	thanks: thanksPage(pageOf(nasty), NASTY),
	notice: noticePage(ENGLISH, NASTY),
};

describe.each(Object.entries(PAGES))('Send and Wait: the %s page', (_, html) => {
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

	test('has dir="auto" on every text of the workflow', () => {
		for (const [tag] of html.matchAll(/<(h1|p|label|button|textarea)[ >][^>]*>?/g)) {
			expect(tag).toContain('dir="auto"');
		}
	});
});

test('Send and Wait: the headers forbid scripts, resources of other sites, forms to other sites, frames and caching', () => {
	expect(PAGE_HEADERS).toEqual({
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy':
			"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
		'Referrer-Policy': 'no-referrer',
		'Cache-Control': 'no-store',
		'X-Robots-Tag': 'noindex',
	});
});

/* The page, as n8n delivers it. */

const harness = useHarness();
const ask = asking(harness);

const GERMAN = Object.fromEntries(
	Object.keys(ENGLISH.texts).map((name) => [name, `«${name}» [time]`]),
);
const inGerman: INodeParameters = {
	pageLanguage: 'de',
	pageTexts: { values: GERMAN },
	responseFormTitle: '«title»',
	responseFormButtonLabel: '«send»',
	limitWaitTime: {
		values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2100-03-02T10:00:00Z' },
	},
};

/** Returns the words on a page that are not within the markers of a translated text. */
const english = (html: string) =>
	html
		.replace(/<style>[^]*<\/style>|<!doctype html>/g, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/«\w+»|\[time\]|2\. März 2100 um 04:59 GMT-5/g, '')
		.match(/[a-z]{2,}/gi);

test('Send and Wait: every word of every page can be translated, but that of an error', async () => {
	const approval = await ask({
		message: '?',
		...approveOr('«yes»', '«no»'),
		options: inGerman,
	});
	const written = await ask({ message: '?', ...freeText(inGerman) });
	const pages = [
		await approval.run.open(approval.link),
		await approval.run.open(approval.link.replace(/question=[^&]+/, 'question=x')),
		await approval.run.open(approval.link, { decision: 'approve' }),
		await approval.run.open(approval.link),
		await written.run.open(written.link),
	];
	for (const { html } of pages) {
		expect(english(html)).toBeNull();
		expect(html).toContain('<html lang="de" dir="ltr">');
	}
});

test('Send and Wait: with a limit the page says until when it can be answered, in its language and the workflow’s time zone', async () => {
	const { run, link } = await ask({ options: inGerman });
	expect((await run.open(link)).html).toContain('«until» 2. März 2100 um 04:59 GMT-5<');
	const endless = await ask({ options: { pageTexts: { values: GERMAN } } });
	expect((await endless.run.open(endless.link)).html).not.toContain('«until»');
});

test('Send and Wait: the page thanks with the choice or the text, and the output says whom the question was sent to', async () => {
	const approval = await ask({
		...approveOr('Ship <it>', 'Not yet'),
		to: '+385 91 100 0001',
	});
	const declined = await approval.run.open(approval.link, { decision: 'disapprove' });
	expect(declined.html).toContain('<strong>Your answer</strong>\nNot yet</p>');
	const { to } = approval.asked[0].body as { to: string };
	expect(declined.answer).toMatchObject({ approved: false, to });
	const again = await ask(approveOr('Ship <it>', 'Not yet'));
	const approved = await again.run.open(again.link, { decision: 'approve' });
	expect(approved.html).toContain('<strong>Your answer</strong>\nShip &lt;it&gt;</p>');
	const written = await ask(freeText());
	const { html, answer } = await written.run.open(written.link, { answer: 'On <Monday>' });
	expect(html).toContain('<strong>Your answer</strong>\nOn &lt;Monday&gt;</p>');
	expect(answer).toMatchObject({ text: 'On <Monday>', to: TO });
});
