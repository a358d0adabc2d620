import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { world } from '../world/installation.mts';
import type { Json } from '../world/nodes.mts';
import { ask as askSomebody, limitWaitTime } from '../world/questions.mts';
import { picture, theBrowser } from './world/editor.mts';

/* The pages of Send and Wait, as the person sees them who answers. The pictures are in .cache/editor. */

const PHONE = { viewport: { width: 390, height: 740 }, deviceScaleFactor: 2, isMobile: true };

const message =
	'May we bring order A-1042 tomorrow morning?\n\nIt is heavy: somebody must be at home.';

const ask = async (parameters: Json) =>
	await askSomebody(await world(), { message, ...parameters });

/** Opens a link in a browser without scripts. */
async function open(link: string, options: BrowserContextOptions = PHONE): Promise<Page> {
	const context = await (await theBrowser()).newContext({ javaScriptEnabled: false, ...options });
	const page = await context.newPage();
	await page.goto(link);
	return page;
}

const heading = async (page: Page) => await page.getByRole('heading', { level: 1 }).innerText();

const double = {
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Bring it', disapproveLabel: 'Not tomorrow' },
	},
};
describe('the page of a question', () => {
	it('fits a phone, says until when one can answer, and thanks with the pressed button', async () => {
		const { link, outcome } = await ask({ ...double, options: limitWaitTime(45) });
		const page = await open(link);
		await picture('question phone', page);
		const main = await page.locator('main').boundingBox();
		assert.ok(main && main.x >= 0 && main.x + main.width <= 390, JSON.stringify(main));
		for (const name of ['Bring it', 'Not tomorrow']) {
			const button = await page.getByRole('button', { name }).boundingBox();
			assert.ok(button && button.height >= 48, `${name}: ${button?.height}`);
		}
		await page.getByText(/^You can answer until .*\d{4} at \d+:\d\d [AP]M /).waitFor();

		await page.getByRole('button', { name: 'Not tomorrow' }).click();
		await page.getByText('Your answer has been recorded').waitFor();
		await page.getByText('Not tomorrow').waitFor();
		await picture('question phone-thanks', page);
		assert.equal((await outcome()).approved, false);

		// The workflow has gone on: this page is n8n's.
		await page.goto(link);
		await picture('question phone-late', page);
		assert.equal(await heading(page), 'No action required');
	});

	it('can be answered with only the keyboard, in dark mode; an empty text is explained', async () => {
		const { link, outcome } = await ask({
			responseType: 'freeText',
			options: limitWaitTime(2, 'days'),
		});
		const page = await open(link, {
			colorScheme: 'dark',
			viewport: { width: 900, height: 800 },
		});
		const { keyboard } = page;
		await keyboard.press('Tab');
		await keyboard.type('   ');
		await keyboard.press('Tab');
		await picture('question dark', page);
		await keyboard.press('Enter');
		await page.getByRole('alert').waitFor();
		await picture('question dark-wrong', page);
		// The field has the focus, and a screen reader reads what is wrong with it.
		const field = page.getByLabel('Your answer');
		assert.equal(await field.getAttribute('aria-describedby'), 'problem');
		await keyboard.type('After noon, please.');
		await keyboard.press('Tab');
		await keyboard.press('Enter');
		await page.getByText('After noon, please.').waitFor();
		await picture('question dark-thanks', page);
		assert.equal((await outcome()).text, 'After noon, please.');
	});

	it('is right to left in Arabic, with sentences of its own', async () => {
		const { link } = await ask({
			message: 'هل نحضر الطلب A-1042 غدا صباحا؟',
			responseType: 'freeText',
			options: {
				...limitWaitTime(3, 'hours'),
				pageLanguage: 'ar',
				pageTexts: {
					values: {
						until: 'يمكنك الرد حتى [time].',
						answer: 'إجابتك',
						thanks: 'شكرا. تم تسجيل إجابتك.',
					},
				},
				responseFormTitle: 'سؤال لك',
				responseFormButtonLabel: 'إرسال',
			},
		});
		const page = await open(link, { ...PHONE, locale: 'ar' });
		await page.getByLabel('إجابتك').fill(' ');
		await page.getByRole('button', { name: 'إرسال' }).click();
		await page.getByText('Please write an answer').waitFor();
		await picture('question rtl', page);
		const label = await page.getByText('إجابتك').boundingBox();
		assert.ok(label && label.x + label.width > 300, 'the label begins on the right');
		await page.getByLabel('إجابتك').fill('نعم');
		await page.getByRole('button', { name: 'إرسال' }).click();
		await page.getByText('شكرا. تم تسجيل إجابتك.').waitFor();
		await picture('question rtl-thanks', page);
	});

	it('keeps its width with a message of one long word, and one button is enough', async () => {
		const { link } = await ask({
			message: `https://example.com/${'a'.repeat(120)}\n\nIs this the right address?`,
			approvalOptions: { values: { approvalType: 'single', approveLabel: 'Yes, it is' } },
		});
		const page = await open(link);
		await picture('question phone-long-word', page);
		const main = await page.locator('main').boundingBox();
		assert.ok(main && main.x + main.width <= 390, JSON.stringify(main));
		assert.equal(await page.getByRole('button').count(), 1);
	});
});
