import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { directionOf, ENGLISH, pageTexts } from '../../../nodes/Messaging/sendAndWait/pageTexts';
import { serve, success } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { approveOr, freeText, linksIn, question, QuestionRun, TO } from './questionRun';

const harness = useHarness();
async function ask(parameters: INodeParameters = {}) {
	nock.cleanAll();
	const asked = serve(success({ id: 'm1', content: 'x', contentType: 'TEXT' }));
	const run = await QuestionRun.start(harness, question(parameters));
	return { run, asked, links: linksIn(asked) };
}

const GERMAN = Object.fromEntries(Object.keys(ENGLISH.texts).map((name) => [name, `«${name}»`]));
const inGerman: INodeParameters = {
	pageLanguage: 'de',
	pageTexts: { values: GERMAN },
	responseFormTitle: '«title»',
	responseFormButtonLabel: '«send»',
};

/** Returns the words on a page that are not within the markers of a translated text. */
const english = (html: string) =>
	html
		.replace(/<style>[^]*<\/style>|<!doctype html>/g, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/«\w+»/g, '')
		.match(/[a-z]{2,}/gi);

const MESSAGE = { message: '?' };

test('every word of every page can be translated', async () => {
	const approval = await ask({ ...MESSAGE, ...approveOr('«yes»', '«no»'), options: inGerman });
	const written = await ask({ ...MESSAGE, ...freeText(inGerman) });
	const form = await ask({
		...MESSAGE,
		responseType: 'customForm',
		options: inGerman,
		formFields: {
			values: [
				{ fieldLabel: '1', fieldType: 'number' },
				{ fieldLabel: '2', fieldType: 'email' },
				{ fieldLabel: '3', fieldType: 'date' },
				{ fieldLabel: '4', requiredField: true },
				{ fieldLabel: '5', fieldType: 'dropdown', fieldOptions: { values: [{ option: '0' }] } },
			],
		},
	});
	const [yes] = approval.links;
	const pages = [
		await approval.run.open(yes),
		await approval.run.open(yes.replace(/question=[^&]+/, 'question=x')),
		await approval.run.open(yes, { decision: 'approve' }),
		await approval.run.open(yes),
		await approval.run.open(yes, undefined, {
			getQueryData: () => {
				throw new Error('gone');
			},
		} as never),
		await written.run.open(written.links[0]),
		await written.run.open(written.links[0], { answer: '' }),
		await written.run.open(written.links[0], { answer: '7'.repeat(10_001) }),
		await form.run.open(form.links[0], {
			'field-0': 'x',
			'field-1': '1',
			'field-2': '1',
			'field-4': '1',
		}),
	];
	for (const { html } of pages) {
		// A value that was entered is not a text of the page.
		expect(english(html.replaceAll('value="x"', ''))).toBeNull();
		expect(html).toContain('<html lang="de" dir="ltr">');
	}
	expect(pages[8].html.match(/«(number|email|date|required|option|check)»/g)).toHaveLength(6);
});

test('the page has the texts of the sent question, even if the parameters of the node have changed since', async () => {
	const { run, links } = await ask({
		options: { pageTexts: { values: { hint: '={{ "Number " + Math.random() }}' } } },
	});
	const hints = [await run.open(links[0]), await run.open(links[0])].map(
		({ html }) => /Number [\d.]+/.exec(html)?.[0],
	);
	expect(hints[0]).toMatch(/Number/);
	expect(hints[0]).toBe(hints[1]);
});

test('the page thanks with the choice, the text, and whom the question was sent to in the output', async () => {
	const approval = await ask({ ...approveOr('Ship <it>', 'Not yet'), to: '+385 91 100 0001' });
	const declined = await approval.run.open(approval.links[0], { decision: 'disapprove' });
	expect(declined.html).toContain('<strong>Your answer</strong>\nNot yet</p>');
	const { to } = approval.asked[0].body as { to: string };
	expect(declined.answer).toMatchObject({ approved: false, to });
	const again = await ask({ ...approveOr('Ship <it>', 'Not yet') });
	const approved = await again.run.open(again.links[1], { decision: 'approve' });
	expect(approved.html).toContain('<strong>Your answer</strong>\nShip &lt;it&gt;</p>');
	const written = await ask(freeText());
	const { html, answer } = await written.run.open(written.links[0], { answer: 'On <Monday>' });
	expect(html).toContain('<strong>Your answer</strong>\nOn &lt;Monday&gt;</p>');
	expect(answer).toMatchObject({ text: 'On <Monday>', to: TO });
});

test('an answer that is too long is on the page again, to shorten it', async () => {
	const { run, links } = await ask(freeText());
	const { html } = await run.open(links[0], { answer: `<${'x'.repeat(10_000)}` });
	expect(html).toContain(`>\n&lt;${'x'.repeat(10_000)}</textarea>`);
});

test.each([
	['en', 'ltr'],
	['de-AT', 'ltr'],
	['ar', 'rtl'],
	['ar-EG', 'rtl'],
	['he', 'rtl'],
	['fa-IR', 'rtl'],
	['az-Arab', 'rtl'],
	['arn', 'ltr'],
	['fat', 'ltr'],
	['ku-Latn', 'ltr'],
])('the direction of a page in %s is %s', (language, direction) => {
	expect(directionOf(language)).toBe(direction);
});

test('an Arabic page is right to left', async () => {
	const { run, links } = await ask({ options: { pageLanguage: 'ar_EG' } });
	expect((await run.open(links[0])).html).toContain('<html lang="ar-EG" dir="rtl">');
});

test('a language that is not a language code is refused before anything is sent', async () => {
	const { run, asked } = await ask({ options: { pageLanguage: 'German (Austria)' } });
	expect(asked).toEqual([]);
	expect(run.error).toBe(
		`'Page Language' must be a language code such as en, de or pt-BR, but is "German (Austria)".`,
	);
});

test('each text has another name in the editor', () => {
	const [{ values }] = pageTexts.options as Array<{ values: Array<{ displayName: string }> }>;
	const names = values.map(({ displayName }) => displayName);
	expect(new Set(names).size).toBe(Object.keys(ENGLISH.texts).length);
});
