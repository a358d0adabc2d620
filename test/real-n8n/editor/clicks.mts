import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startN8n } from '../../../demo/n8n/instance.mts';
import { logIn } from '../../../demo/n8n/rest/session.mts';
import { createWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { seed, type SeedCredential } from '../../../demo/n8n/seed.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { packageTarball, root } from '../../../demo/setup/paths.mjs';
import { fail } from '../../../demo/setup/trouble.mjs';
import { startSandbox } from '../../../sandbox/server.mts';
import { inARow, items, start } from '../nodes/world/nodes.mts';
import { openWindow, startBrowser } from './world/browser.mts';
import { Panel } from './world/panel.mts';

/*
 * Counts the clicks and fields that it takes to send with this node and with n8n's own nodes, by doing it in the real
 * editor: `npm run clicks` writes docs/clicks.md. The lists of the other nodes are stand-ins, and nothing is sent with them.
 */

const stops: Array<() => Promise<unknown>> = [];

/** A person at the editor, whose clicks and typed fields are counted. */
class Person {
	clicks = 0;
	fields = 0;
	readonly page: Page;
	readonly panel: Panel;

	constructor(page: Page) {
		this.page = page;
		this.panel = new Panel(page);
	}

	async click(place: Locator): Promise<void> {
		await place.and(this.page.locator(':visible')).first().click();
		this.clicks++;
	}

	/** Types into a field that the click before has opened. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
		this.fields++;
	}

	async fill(parameter: string, text: string): Promise<void> {
		const field = this.panel.part(`parameter-input-${parameter}`);
		await this.click(field.locator('input, textarea, [contenteditable="true"]'));
		await this.type(text);
	}

	async choose(parameter: string, option: string): Promise<void> {
		await this.click(this.panel.part(`parameter-input-${parameter}`));
		await this.click(this.page.getByRole('option').filter({ hasText: option }));
	}

	async chooseFromList(parameter: string, entry: string): Promise<void> {
		const locator = this.panel.part(`resource-locator-${parameter}`);
		await this.click(locator.locator('[data-test-id="rlc-input"]'));
		await this.click(this.panel.part('rlc-item').filter({ hasText: entry }));
	}

	async drag(column: string, field: Locator): Promise<void> {
		await this.panel.drag(column, field);
		this.clicks++;
	}

	/** Adds the node behind the list of people, by its action. */
	async add(name: string, action: string): Promise<void> {
		await this.click(this.page.locator('[data-test-id="canvas-handle-plus"]'));
		const list = this.page.locator('[data-test-id="node-creator"]');
		await list.getByRole('textbox').waitFor();
		await this.type(name);
		await this.click(list.getByText(name, { exact: true }));
		await this.click(list.getByText(action, { exact: true }));
		await this.panel.part('ndv').waitFor();
		const credential = this.panel.part('node-credentials-select').locator('input').first();
		// n8n chooses the only credential itself.
		if ((await credential.inputValue()) !== '') return;
		await this.click(this.panel.part('node-credentials-select'));
		await this.click(this.page.getByRole('option').filter({ hasText: 'For the count' }));
	}

	async bringInput(): Promise<void> {
		await this.panel.bringInput();
		this.clicks++;
	}
}

const people = [
	{ name: 'Ada', phone: '447700900211', discount: '20%' },
	{ name: 'Ben', phone: '447700900212', discount: '25%' },
];

const TEXT = 'Your order is ready.';
const WITH_VALUES = '=Hi {{ $json.name }}, take {{ $json.discount }} off.';

interface Way {
	node: string;
	note: string;
	text: (person: Person) => Promise<void>;
	campaign: (person: Person) => Promise<void>;
}

const to = (person: Person, parameter: string) => person.panel.part(`parameter-input-${parameter}`);

const ways: Way[] = [
	{
		node: 'Messaging',
		note: 'one request for all; template with its text, and a field for each placeholder',
		async text(person) {
			await person.add('Messaging', 'Send text message');
			await person.chooseFromList('from', 'Bakery main line');
			await person.fill('to', people[0].phone);
			await person.fill('message', TEXT);
		},
		async campaign(person) {
			const { panel } = person;
			await person.add('Messaging', 'Send campaign');
			await person.bringInput();
			await person.chooseFromList('from', 'Bakery main line');
			await person.drag('phone', to(person, 'to'));
			await person.chooseFromList('template', 'spring_offer');
			await person.choose('parameterFormat', 'Chat-App Standard (Usual)');
			const fields = panel.placeholders.locator('[data-test-id="parameter-input"]');
			await panel.placeholders.getByText('Placeholder 2').waitFor();
			await person.drag('name', fields.nth(0));
			await person.drag('discount', fields.nth(1));
		},
	},
	{
		node: 'WhatsApp Business Cloud',
		note: 'a request for each person; template without its text, and how many values it needs',
		async text(person) {
			await person.add('WhatsApp Business Cloud', 'Send message');
			await person.choose('phoneNumberId', 'Stand-in');
			await person.fill('recipientPhoneNumber', people[0].phone);
			await person.fill('textBody', TEXT);
		},
		async campaign(person) {
			const { page } = person;
			await person.add('WhatsApp Business Cloud', 'Send template');
			await person.bringInput();
			await person.choose('phoneNumberId', 'Stand-in');
			await person.drag('phone', to(person, 'recipientPhoneNumber'));
			await person.choose('template', 'Stand-in');
			await person.click(page.getByRole('button', { name: 'Add Component' }));
			for (const [index, column] of ['name', 'discount'].entries()) {
				await person.click(page.getByRole('button', { name: 'Add Parameter' }));
				await person.drag(column, to(person, 'text').nth(index));
			}
		},
	},
	{
		node: 'Twilio',
		note: 'a request for each person; the text is typed with expressions',
		async text(person) {
			await person.add('Twilio', 'Send an SMS/MMS/WhatsApp message');
			await person.fill('from', '447700900100');
			await person.fill('to', people[0].phone);
			await person.fill('message', TEXT);
		},
		async campaign(person) {
			await person.add('Twilio', 'Send an SMS/MMS/WhatsApp message');
			await person.bringInput();
			await person.fill('from', '447700900100');
			await person.drag('phone', to(person, 'to'));
			await person.fill('message', WITH_VALUES);
		},
	},
	{
		node: 'Slack',
		note: 'a request for each person; the text is typed with expressions',
		async text(person) {
			await person.add('Slack', 'Send a message');
			await person.choose('select', 'Channel');
			await person.chooseFromList('channelId', 'Stand-in');
			await person.fill('text', TEXT);
		},
		async campaign(person) {
			await person.add('Slack', 'Send a message');
			await person.bringInput();
			await person.choose('select', 'User');
			await person.drag('phone', person.panel.part('resource-locator-user'));
			await person.fill('text', WITH_VALUES);
		},
	},
	{
		node: 'Gmail',
		note: 'a request for each person; the text is typed with expressions',
		async text(person) {
			await person.add('Gmail', 'Send a message');
			await person.fill('sendTo', 'ada@example.com');
			await person.fill('subject', 'Your order');
			await person.fill('message', TEXT);
		},
		async campaign(person) {
			await person.add('Gmail', 'Send a message');
			await person.bringInput();
			await person.drag('phone', to(person, 'sendTo'));
			await person.fill('subject', 'Spring offer');
			await person.fill('message', WITH_VALUES);
		},
	},
];

const others: Array<[type: string, data: Record<string, unknown>]> = [
	['whatsAppApi', { accessToken: 'none', businessAccountId: '1' }],
	['twilioApi', { authType: 'authToken', accountSid: 'AC1', authToken: 'none' }],
	['slackApi', { accessToken: 'none' }],
	[
		'gmailOAuth2',
		{ clientId: '1', clientSecret: 'none', oauthTokenData: { access_token: 'none' } },
	],
];

async function run() {
	const folder = await mkdtemp(join(tmpdir(), 'messaging-clicks-'));
	stops.push(async () => await rm(folder, { recursive: true, force: true }));
	const sandbox = await startSandbox();
	stops.push(async () => await sandbox.close());
	await unpackPackage(packageTarball, folder);
	const own = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const credentials = [['messagingApi', own] as const, ...others].map(
		([type, data]): SeedCredential => ({ id: type, name: 'For the count', type, data }),
	);
	await seed(folder, { credentials });
	const n8n = await startN8n({ folder });
	stops.push(async () => await n8n.stop());
	const session = await logIn(n8n.url);
	const browser = await startBrowser();
	stops.push(async () => await browser.close());
	const window = await openWindow(browser, n8n.url, { width: 1400, height: 1400 });

	const count = async ({ node }: Way, fillIn: Way['text']): Promise<string> => {
		const nodes = [start(), ...items('People', people)];
		const { id } = await createWorkflow(session, {
			name: `Clicks ${node}`,
			nodes: nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
			connections: inARow(nodes),
		});
		const page = await window.newPage();
		try {
			const isOwn = node === 'Messaging';
			if (!isOwn) await page.route('**/rest/dynamic-node-parameters/**', standIn);
			await page.goto(`/workflow/${id}`);
			const person = new Person(page);
			await fillIn(person);
			const missing = await person.panel.part('parameter-issues').count();
			if (missing > 0) throw new Error(`${node}: ${missing} parameters are still missing`);
			person.clicks++;
			if (isOwn) {
				await person.panel.execute();
				await person.panel.output
					.locator('td')
					.filter({ hasText: people[0].phone })
					.first()
					.waitFor();
			}
			return `${person.clicks} + ${person.fields}`;
		} catch (error) {
			await page.screenshot({ path: join(root, '.cache', 'clicks.png') });
			throw error;
		} finally {
			await page.close();
		}
	};

	const rows: string[] = [];
	for (const way of ways) {
		const row = `| ${way.node} | ${await count(way, way.text)} | ${await count(way, way.campaign)} | ${way.note} |`;
		console.log(row);
		rows.push(row);
	}
	const file = join(root, 'docs', 'clicks.md');
	await writeFile(file, documentOf(rows));
}

const standIn = async (route: {
	request(): { url(): string };
	fulfill(answer: object): unknown;
}) => {
	const entries = [{ name: 'Stand-in', value: 'stand-in' }];
	const isList = route.request().url().includes('resource-locator-results');
	await route.fulfill({ json: { data: isList ? { results: entries } : entries } });
};

const documentOf = (rows: string[]) => `# Clicks and fields

How many clicks and fields it takes a person to send, with this node and with n8n's own nodes. \`npm run clicks\` does it in the
real editor, and writes this page.

A click is each click of the mouse, also into a field, and each column that is dragged into a field. A field is each place into
which something is typed, also n8n's search. The count begins on the canvas, with a list of people and one saved credential
for each node, and ends with *Execute step*. The lists of n8n's own nodes are stand-ins, and nothing is sent with them.

| clicks + fields | first text | campaign with two values | what the campaign is |
|---|---|---|---|
${rows.join('\n')}
`;

run()
	.finally(async () => {
		for (const stop of stops.reverse()) await stop();
	})
	.catch(fail);
