import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { root } from '../../../demo/setup/paths.mjs';
import { finishedExecution, itemsOf, type Json } from '../../../demo/n8n/rest/executions.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { inARow, messaging, node, START, start } from '../nodes/world/nodes.mts';
import { acceptedBy, linksIn, untilItWaits } from '../nodes/world/questions.mts';
import { world } from '../nodes/world/world.mts';
import { editor, picture } from './world/editor.mts';
import { Panel } from './world/panel.mts';

/* *Custom Form*, as seen by the person who builds it and by the person who fills it in. */

const PICTURES = join(root, '.cache', 'editor');

let recipients = 0;

const asking = (credential: { id: string; name: string }, parameters: Json) =>
	messaging('Ask', credential, {
		resource: 'message',
		operation: 'sendAndWait',
		from: { __rl: true, mode: 'phone', value: '447700900100' },
		message: 'When shall we bring your flour?',
		...parameters,
	});

async function ask(parameters: Json) {
	const { session, sandbox, credential } = await world();
	const to = `3859913${String(++recipients).padStart(2, '0')}055`;
	const nodes = [
		start(),
		asking(credential, { to, ...parameters }),
		node('After', 'n8n-nodes-base.noOp', 1, {}),
	];
	const { id } = await createWorkflow(session, {
		name: `Form ${to}`,
		nodes,
		connections: inARow(nodes),
	});
	const execution = await runWorkflow(session, id, START);
	await untilItWaits(session, execution);
	const [sent] = await acceptedBy(sandbox, to);
	const [link] = linksIn(JSON.stringify(sent));
	const answer = async () =>
		itemsOf(await finishedExecution(session, execution), 'After')[0].json.data;
	return { link, answer };
}

/** Opens a link in a browser without scripts. */
async function openOnPhone(link: string, options: BrowserContextOptions = {}): Promise<Page> {
	const browser = (await editor()).context().browser()!;
	const phone = await browser.newContext({
		viewport: { width: 375, height: 720 },
		deviceScaleFactor: 2,
		isMobile: true,
		hasTouch: true,
		javaScriptEnabled: false,
		...options,
	});
	const page = await phone.newPage();
	await page.goto(link);
	return page;
}

async function shoot(page: Page, name: string) {
	mkdirSync(PICTURES, { recursive: true });
	await page.screenshot({ path: join(PICTURES, `form-${name}.png`), fullPage: true });
}

const days = (...options: string[]) => ({ values: options.map((option) => ({ option })) });

const FORM = {
	responseType: 'customForm',
	formFields: {
		values: [
			{ fieldType: 'html', html: '<p>Our van comes <b>before noon</b>.</p>' },
			{ fieldLabel: 'Your name', requiredField: true, placeholder: 'e.g. Ada' },
			{ fieldLabel: 'Email', fieldType: 'email' },
			{ fieldLabel: 'Day', fieldType: 'date' },
			{ fieldLabel: 'Flour', fieldType: 'dropdown', fieldOptions: days('Wheat', 'Rye') },
			{ fieldLabel: 'Size', fieldType: 'radio', fieldOptions: days('Small bag', 'Large bag') },
			{
				fieldLabel: 'Which days suit you?',
				fieldType: 'checkbox',
				fieldOptions: days('Monday', 'Tuesday', 'Friday'),
				limitSelection: 'range',
				minSelections: 1,
				maxSelections: 2,
			},
			{ fieldLabel: 'Photo of the door', fieldType: 'file', multipleFiles: false },
			{ fieldLabel: 'Anything else?', fieldType: 'textarea' },
		],
	},
};

describe('a custom form', () => {
	it('is built in the panel like the form of any other node', async () => {
		const { session, credential } = await world();
		const ask = asking(credential, { to: '385991300155' });
		const nodes = [start(), ask];
		const { id } = await createWorkflow(session, {
			name: 'Build a form',
			nodes,
			connections: inARow(nodes),
		});
		const page = await editor();
		const panel = await Panel.open(page, { workflowId: id, nodeId: ask.id } as never);
		await panel.chooseOption('responseType', 'Custom Form');
		await page.getByRole('button', { name: 'Add Form Element' }).click();
		await page.locator('[data-test-id="parameter-input-fieldLabel"] input').fill('Which day?');
		await panel.chooseOption('fieldType', 'Radio Buttons');
		await page.getByText('Field Options', { exact: true }).waitFor();
		await picture('form panel');
	});

	it('is filled in on a phone, with a sentence at each field that is wrong', async () => {
		const { link, answer } = await ask(FORM);
		const page = await openOnPhone(link);
		await shoot(page, 'phone');
		// The page is not wider than the phone.
		const box = await page.locator('main').boundingBox();
		assert.ok(box && box.x >= 0 && box.x + box.width <= 375, JSON.stringify(box));

		await page.getByLabel('Your name').fill('Ada');
		await page.getByLabel('Flour').selectOption('Rye');
		await page.getByLabel('Large bag').check();
		await page.getByLabel('Photo of the door').setInputFiles({
			name: 'door.txt',
			mimeType: 'text/plain',
			buffer: Buffer.from('a door'),
		});
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByRole('alert').waitFor();
		await shoot(page, 'phone-wrong');
		await page.getByText('Select at least 1.').waitFor();
		await page.getByText('Please choose the file again.').waitFor();
		assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada');
		assert.equal(await page.getByLabel('Flour').inputValue(), 'Rye');
		assert.equal(await page.getByLabel('Large bag').isChecked(), true);

		await page.getByLabel('Tuesday').check();
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		await shoot(page, 'phone-thanks');
		await page.getByText('Large bag').waitFor();
		const { respondedAt, ...data } = await answer();
		assert.deepEqual(data, {
			'Your name': 'Ada',
			Email: '',
			Day: '',
			Flour: 'Rye',
			Size: 'Large bag',
			'Which days suit you?': ['Tuesday'],
			'Photo of the door': null,
			'Anything else?': '',
			to: data.to,
			sentAs: 'session',
		});
	});

	it('can be filled in with only the keyboard, in dark mode', async () => {
		const { link, answer } = await ask({
			responseType: 'customForm',
			formFields: {
				values: [
					{ fieldLabel: 'Your name', requiredField: true },
					{ fieldLabel: 'Size', fieldType: 'radio', fieldOptions: days('Small bag', 'Large bag') },
					{ fieldLabel: 'Days', fieldType: 'checkbox', fieldOptions: days('Monday', 'Friday') },
					{ fieldLabel: 'Bags', fieldType: 'number', requiredField: true },
				],
			},
		});
		const page = await openOnPhone(link, {
			colorScheme: 'dark',
			isMobile: false,
			viewport: { width: 900, height: 900 },
		});
		const { keyboard } = page;
		await keyboard.press('Tab');
		await keyboard.type('Ada');
		await keyboard.press('Tab');
		await keyboard.press('ArrowDown');
		await keyboard.press('Tab');
		await keyboard.press('Tab');
		await keyboard.press('Space');
		await shoot(page, 'dark');
		await keyboard.press('Tab');
		await keyboard.type('2');
		await keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		await shoot(page, 'dark-thanks');
		const data = await answer();
		assert.deepEqual(
			[data['Your name'], data.Size, data.Days, data.Bags],
			['Ada', 'Large bag', ['Friday'], 2],
		);
	});

	it('is right to left in Arabic, with texts of its own', async () => {
		const { link } = await ask({
			message: 'متى نحضر الطحين؟ طلب N12',
			responseType: 'customForm',
			formFields: {
				values: [
					{ fieldLabel: 'الاسم', requiredField: true },
					{ fieldLabel: 'البريد الإلكتروني', fieldType: 'email' },
					{ fieldLabel: 'الحجم', fieldType: 'radio', fieldOptions: days('صغير', 'كبير') },
					{
						fieldLabel: 'الأيام',
						fieldType: 'checkbox',
						requiredField: true,
						fieldOptions: days('الاثنين', 'الجمعة'),
					},
				],
			},
			options: {
				pageLanguage: 'ar',
				pageTexts: {
					values: {
						required: 'هذا الحقل مطلوب.',
						check: 'يرجى التحقق من الحقول المحددة.',
						thanksTitle: 'شكرا',
						thanks: 'تم تسجيل إجابتك.',
					},
				},
				responseFormTitle: 'سؤال لك',
				responseFormButtonLabel: 'إرسال',
			},
		});
		const page = await openOnPhone(link, { locale: 'ar' });
		await page.getByLabel('الاسم').fill('آدا');
		await page.getByRole('button', { name: 'إرسال' }).click();
		await page.getByText('هذا الحقل مطلوب.').waitFor();
		await shoot(page, 'rtl');
		const box = await page.getByLabel('الجمعة').boundingBox();
		assert.ok(box && box.x > 187, 'boxes are on the right');
		await page.getByLabel('الجمعة').check();
		await page.getByRole('button', { name: 'إرسال' }).click();
		await page.getByText('تم تسجيل إجابتك.').waitFor();
		await shoot(page, 'rtl-thanks');
	});

	it('after an approval the page thanks and names the pressed button', async () => {
		const { link } = await ask({
			approvalOptions: {
				values: { approvalType: 'double', approveLabel: 'Bring it', disapproveLabel: 'Not now' },
			},
		});
		const page = await openOnPhone(link);
		await shoot(page, 'approval');
		await page.getByRole('button', { name: 'Not now' }).click();
		await page.getByText('Not now').waitFor();
		await shoot(page, 'approval-thanks');
	});
});
