import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freePort } from '../../../demo/ports.mjs';
import { credentialFor, world } from '../world/installation.mts';
import { CAMPAIGN, type Json, type Reference } from '../world/nodes.mts';
import { editor, openMessaging, picture } from './world/editor.mts';

interface Trouble {
	what: string;
	baseUrl: () => Promise<string>;
	/** The sentence about the problem, the same wherever the editor shows it. */
	says: RegExp;
}

const troubles: Trouble[] = [
	{
		what: 'a wrong key',
		baseUrl: async () => (await world()).sandbox.url,
		says: /The service refused the API key .*Check the API key in the Messaging API credential\./,
	},
	{
		what: 'a service that cannot be reached',
		baseUrl: async () => `http://127.0.0.1:${await freePort()}`,
		says: /cannot be reached: nothing answers at that address\. Check the Base URL/,
	},
];

const KEY = 'not-the-right-key';

const from = { ...CAMPAIGN.from, mode: 'list' };
const template = { __rl: true, mode: 'list', value: 'order_ready' };

let credentials: Promise<Reference[]> | undefined;

/* Only when they are needed: another test relies on n8n choosing the account's only credential. */
async function createCredentials(): Promise<Reference[]> {
	const created: Reference[] = [];
	for (const { baseUrl } of troubles) {
		created.push(await credentialFor(await world(), { baseUrl: await baseUrl(), apiKey: KEY }));
	}
	// The editor knows the credentials that were there when it was loaded, so it is loaded again, once.
	await (await editor()).goto('about:blank');
	return created;
}

for (const [index, { what, says }] of troubles.entries()) {
	describe(`with ${what}`, () => {
		const open = async (more: Json = {}) => {
			const credential = (await (credentials ??= createCredentials()))[index];
			return await openMessaging({ ...CAMPAIGN, from, template, ...more }, { credential });
		};

		it('the lists show the problem, and offer nothing to choose', async () => {
			const panel = await open();
			for (const parameter of ['from', 'template']) {
				await panel.openList(parameter);
				assert.match(await panel.listError(), says);
				assert.equal(await panel.part('rlc-item').count(), 0);
				await picture(`trouble ${what} ${parameter}`);
				await panel.closeListError();
			}
		});

		it('the preview shows the problem, and does not claim that there are no placeholders', async () => {
			const panel = await open();
			await panel.preview.getByText(says).waitFor();
			assert.equal(await panel.placeholders.count(), 0);
		});

		it("the credential's dialog shows the problem", async () => {
			const panel = await open();
			const dialog = await panel.openCredential();
			await dialog.getByText('Couldn’t connect with these settings').waitFor();
			await dialog.getByText('More details').click();
			await dialog.getByText(says).waitFor();
		});
	});
}
