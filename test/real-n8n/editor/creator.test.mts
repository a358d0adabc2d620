import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byHand } from '../world/nodes.mts';
import { editor, picture, saved, visit } from './world/editor.mts';

describe("n8n's list of nodes", () => {
	const open = async () => {
		const page = await editor();
		await visit(page, `/workflow/${await saved([byHand()])}`);
		await page.locator('[data-test-id="node-creator-plus-button"]').click();
		return page.locator('[data-test-id="node-creator"]');
	};

	it('has one entry for the node and its trigger, which describes both', async () => {
		const list = await open();
		await list.getByRole('textbox').fill('Messaging');
		await list.getByText('Send campaigns and chat-app messages, and start a workflow').click();
		await list.getByText('Send campaign', { exact: true }).waitFor();
	});

	it('has an entry for each event that starts a workflow', async () => {
		const page = await editor();
		const list = page.locator('[data-test-id="node-creator"]');
		const shows = async (entry: string, events: string[]) => {
			// In a workflow that has a trigger, n8n lists no others.
			await visit(page, `/workflow/${await saved([])}`);
			await page.locator('[data-test-id="canvas-add-button"]').click();
			await list.getByRole('textbox').fill('Messaging');
			await list.getByText(entry).click();
			for (const event of events) await list.getByText(event, { exact: true }).waitFor();
			await picture(`nodes events ${entry}`);
		};

		await shows('Send campaigns and chat-app messages, and start a workflow', [
			'On campaign completed',
			'On SMS delivery report',
			'On another event',
		]);
		await shows('Starts the workflow when messages are logged', [
			'On new log record',
			'On status changed',
		]);
	});

	it('shows the node that sends above the trigger of the logs, for "message"', async () => {
		const list = await open();
		await list.getByRole('textbox').fill('message');
		await list.getByText('Messaging Log Changes', { exact: true }).waitFor();
		const names = await list.locator('[data-test-id="node-creator-item-name"]').allInnerTexts();
		const ours = names.filter((name) => name.startsWith('Messaging'));
		assert.equal(ours[0], 'Messaging', ours.join(', '));
		assert.ok(ours.includes('Messaging Log Changes'), ours.join(', '));
	});

	it('lists the node under Human review', async () => {
		const list = await open();
		await list.getByText('Human review').click();
		await list.getByText('Messaging', { exact: true }).waitFor();
	});
});
