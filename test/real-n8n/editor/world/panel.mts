import type { Locator, Page } from 'playwright-core';

/** The panel in which a person fills in a node. Its fields are found by their labels. */
export class Panel {
	readonly page: Page;
	/** The id of the workflow. */
	readonly workflow: string;
	/** Clicks that were needed only because the machine was busy. */
	repeated = 0;

	constructor(page: Page, workflow = '') {
		this.page = page;
		this.workflow = workflow;
	}

	part(testId: string): Locator {
		return this.page.locator(`[data-test-id="${testId}"]`);
	}

	/** The visible parts with this id. Lists that were open before may still be in the page, hidden. */
	shown(testId: string): Locator {
		return this.part(testId).and(this.page.locator(':visible'));
	}

	/** The preview of the template; the panel has one. */
	get preview(): Locator {
		return this.previews.first();
	}

	get previews(): Locator {
		return this.part('empty-fields-notice');
	}

	/** The fields for the template's placeholders. */
	get placeholders(): Locator {
		return this.part('mapping-fields-container');
	}

	get output(): Locator {
		return this.part('output-panel');
	}

	/** What the table of the output shows in red, as n8n shows missing and empty values. */
	async redInTable(): Promise<string[]> {
		await this.output.locator('td').first().waitFor();
		return await this.output.locator('td [class*="_empty_"]').allInnerTexts();
	}

	async bringInput(): Promise<void> {
		await this.page.getByRole('button', { name: 'Execute previous nodes' }).click();
		await this.part('ndv-input-panel').getByText('phone', { exact: true }).waitFor();
	}

	/** Opens the list of `from` or `template`. With `search` it also searches in it. */
	async openList(parameter: string, search?: string): Promise<void> {
		const input = this.part(`resource-locator-${parameter}`).locator('[data-test-id="rlc-input"]');
		const list = this.shown('rlc-item').or(this.shown('rlc-error-container')).first();
		await input.click();
		await list.waitFor({ timeout: 15_000 }).catch(() => undefined);
		await this.page.waitForTimeout(500);
		// On a busy machine, n8n's editor may close a list at once: a person clicks again.
		if (!(await list.isVisible())) {
			this.repeated++;
			await input.click();
			await list.waitFor();
		}
		if (search === undefined) return;
		const found = this.answerOf('resource-locator-results');
		await this.shown('rlc-search').fill(search);
		await found;
	}

	/** The entries of the open list. */
	async entries(): Promise<string[]> {
		await this.shown('rlc-item').first().waitFor();
		return await this.shown('rlc-item').allInnerTexts();
	}

	/** The message that the open list shows instead of entries. */
	async listError(): Promise<string> {
		return (await this.shown('rlc-error-container').innerText()).replace(/\s+/g, ' ');
	}

	/**
	 * Closes a list that shows an error. Escape does not close it, and a click into another list closes it but may
	 * not open the other one.
	 */
	async closeListError(): Promise<void> {
		await this.clickBeside();
		await this.shown('rlc-error-container').waitFor({ state: 'hidden' });
	}

	async choose(parameter: string, entry: string, search?: string): Promise<void> {
		await this.openList(parameter, search);
		await this.shown('rlc-item').filter({ hasText: entry }).first().click();
	}

	/** Lets a person choose from the list in a field that says *Name* or *Phone*, as an imported one does. */
	async chooseFromList(parameter: string): Promise<void> {
		await this.part(`resource-locator-${parameter}`)
			.locator('[data-test-id="rlc-mode-selector"]')
			.click();
		const entry = this.page.getByRole('option', { name: 'From List' });
		await entry.and(this.page.locator(':visible')).click();
	}

	async chooseOption(parameter: string, option: string): Promise<void> {
		await this.part(`parameter-input-${parameter}`).click();
		await this.option(option).click();
	}

	/** An entry of the open list of a field with fixed choices. */
	option(name: string): Locator {
		const visible = this.page.getByRole('option').and(this.page.locator(':visible'));
		return visible.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** The code that the open node's dry run shows above its output. */
	async code(): Promise<string> {
		const hint = this.output.getByText('enter the code').first();
		await hint.waitFor();
		return /enter the code (\w+)/.exec(await hint.innerText())![1];
	}

	/** Sets *Mode* to *Send*, and enters the code. */
	async chooseSend(code: string): Promise<void> {
		await this.chooseOption('sendMode', 'Send');
		await this.part('parameter-input-code').locator('input').fill(code);
	}

	/** Adds an option from the list below *Options*. */
	async addOption(option: string): Promise<void> {
		await this.part('node-parameters').getByPlaceholder('Add option').click();
		await this.option(option).click();
	}

	/** Drags a column of the input onto a field, and closes what then covers the fields below it. */
	async drag(column: string, field: Locator): Promise<void> {
		await this.dragOnly(column, field);
		await this.clickBeside();
	}

	/** Drags a column of the input onto a field. */
	async dragOnly(column: string, field: Locator): Promise<void> {
		const source = this.part('ndv-input-panel')
			.locator('[data-test-id="run-data-schema-item"]')
			.getByText(column, { exact: true })
			.first();
		await field.scrollIntoViewIfNeeded();
		// While the editor loads the preview, the fields below it are moved.
		await this.page.waitForTimeout(500);
		await this.page.getByText('Fetching').first().waitFor({ state: 'hidden' });
		const from = await middleOf(source);
		const to = await middleOf(field);
		const { mouse } = this.page;
		await mouse.move(from.x, from.y);
		await mouse.down();
		await mouse.move(from.x + 30, from.y + 20, { steps: 5 });
		await mouse.move(to.x, to.y, { steps: 10 });
		await mouse.up();
		await field.getByText(`$json.${column}`).waitFor();
	}

	/** Clicks on an empty place, which closes open lists and menus. */
	private async clickBeside(): Promise<void> {
		await this.part('ndv').getByText('Parameters').first().click();
	}

	/** Opens a node from the canvas. While it loads, the canvas may move below the double click: a person does it again. */
	async open(node: Locator): Promise<void> {
		const opened = this.part('ndv');
		await node.dblclick();
		await opened.waitFor({ timeout: 10_000 }).catch(async () => {
			this.repeated++;
			await node.dblclick();
		});
		await opened.waitFor();
	}

	/** Closes the node, and opens it or another one from the canvas. */
	async openAgain(name = 'Messaging'): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.open(this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`));
	}

	/** Closes the node, and adds a node behind another one, which opens. */
	async addBehind(name: string, added: string): Promise<void> {
		await this.part('ndv-close-button').click();
		// Shows the whole canvas.
		await this.page.keyboard.press('1');
		const node = this.page.locator('.vue-flow__node').filter({
			has: this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`),
		});
		await node.locator('[data-test-id="canvas-handle-plus"]').first().click();
		await this.part('node-creator-search-bar').fill(added);
		await this.part('node-creator-item-name').filter({ hasText: added }).first().click();
		await this.part('ndv').waitFor();
	}

	async execute(): Promise<void> {
		await this.part('node-execute-button').first().click();
	}

	/** Opens the dialog of the chosen credential; n8n tests the credential immediately. */
	async openCredential(): Promise<Locator> {
		const tested = this.answerOf('/rest/credentials/test');
		await this.part('credential-edit-button').click();
		await tested;
		return this.part('editCredential-modal');
	}

	async answerOf(path: string): Promise<void> {
		await this.page.waitForResponse((response) => response.url().includes(path));
	}
}

async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
	const box = await locator.boundingBox();
	if (!box) throw new Error(`Not on the page: ${locator}`);
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
