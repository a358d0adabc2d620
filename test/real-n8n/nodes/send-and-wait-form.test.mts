import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { finishedExecution, itemsOf, type Json } from '../../../demo/n8n/rest/executions.mts';
import { createWorkflow, runWorkflow } from '../../../demo/n8n/rest/workflows.mts';
import { inARow, messaging, node, START, start } from './world/nodes.mts';
import { acceptedBy, isWaiting, linksIn, open, untilItWaits } from './world/questions.mts';
import { world, type World } from './world/world.mts';

/* A custom form: n8n reads the submitted fields and files, and a browser needs no script to send them. */

let stage: World;
let recipients = 0;

/** Submits the form as a browser does: with the encoding that the page names. */
async function submit(link: string, fields: Array<[string, string]>) {
	const { html } = await open(link);
	const isMultipart = html.includes('enctype="multipart/form-data"');
	const form = isMultipart ? new FormData() : new URLSearchParams();
	for (const [name, value] of fields) form.append(name, value);
	const answer = await fetch(link, { method: 'POST', body: form });
	return { status: answer.status, html: await answer.text() };
}

async function ask(parameters: Json) {
	const to = `3859912${String(++recipients).padStart(2, '0')}055`;
	const nodes = [
		start(),
		messaging('Ask', stage.credential, {
			resource: 'message',
			operation: 'sendAndWait',
			from: { __rl: true, mode: 'phone', value: '447700900100' },
			message: 'When shall we come?',
			responseType: 'customForm',
			to,
			...parameters,
		}),
		node('After', 'n8n-nodes-base.noOp', 1, {}),
	];
	const { id } = await createWorkflow(stage.session, {
		name: `form ${randomUUID()}`,
		nodes,
		connections: inARow(nodes),
	});
	const execution = await runWorkflow(stage.session, id, START);
	await untilItWaits(stage.session, execution);
	const [sent] = await acceptedBy(stage.sandbox, to);
	const [link] = linksIn(JSON.stringify(sent));
	return { execution, link, to };
}

async function outcome(execution: string) {
	const finished = await finishedExecution(stage.session, execution);
	assert.equal(finished.status, 'success', finished.error?.message);
	return itemsOf(finished, 'After')[0];
}

const days = { values: [{ option: 'Monday' }, { option: 'Tuesday & Friday' }] };
const head = async (link: string) => await fetch(link, { method: 'HEAD' });

describe('a custom form', () => {
	before(async () => {
		stage = await world();
	});

	it('opening it decides nothing, a mistake is explained, and the first complete answer counts', async () => {
		const { execution, link, to } = await ask({
			formFields: {
				values: [
					{ fieldLabel: 'Name', requiredField: true },
					{ fieldLabel: 'Days', fieldType: 'checkbox', fieldOptions: days },
					{ fieldLabel: 'Persons', fieldType: 'number' },
					{ fieldType: 'hiddenField', fieldName: 'order', fieldValue: 'N12' },
				],
			},
		});
		await head(link);
		const { html, headers } = await open(link);
		assert.match(html, /When shall we come\?/);
		assert.doesNotMatch(html, /<script|N12/);
		assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);

		const wrong = await submit(link, [
			['field-0', ' '],
			['field-2', 'two'],
		]);
		assert.match(wrong.html, /This field is required\./);
		assert.match(wrong.html, /Enter only numbers in this field\./);
		assert.match(wrong.html, /value="two"/);
		assert.ok(await isWaiting(stage.session, execution));

		const { html: thanks } = await submit(link, [
			['field-0', 'Ada'],
			['field-2', '2.5'],
			...days.values.map(({ option }): [string, string] => ['field-1', option]),
		]);
		assert.match(thanks, /Thank you[^]*Tuesday &amp; Friday/);
		const { respondedAt, ...data } = (await outcome(execution)).json.data;
		assert.deepEqual(data, {
			Name: 'Ada',
			Days: ['Monday', 'Tuesday & Friday'],
			Persons: 2.5,
			order: 'N12',
			to,
			sentAs: 'session',
		});
		assert.match(respondedAt, /^\d{4}-/);
		assert.doesNotMatch((await submit(link, [['field-0', 'Bob']])).html, /recorded/);
		assert.equal((await outcome(execution)).json.data.Name, 'Ada');
	});

	it('files are binary data of the item', async () => {
		const { execution, link } = await ask({
			defineForm: 'json',
			jsonOutput: JSON.stringify([
				{ fieldLabel: 'Photo', fieldType: 'file', multipleFiles: true, acceptFileTypes: '.txt' },
				{ fieldLabel: 'Name', requiredField: true },
			]),
		});
		const send = async (name: string, person: string) => {
			const form = new FormData();
			form.append('field-0', new File(['hello'], name, { type: 'text/plain' }));
			form.append('field-1', person);
			return await (await fetch(link, { method: 'POST', body: form })).text();
		};
		assert.match(await send('a.exe', 'Ada'), /Only these files are accepted: \.txt/);
		assert.match(await send('a.txt', ''), /Please choose the file again\./);
		// A file's path in a body that is no upload is never read.
		const forged = await fetch(link, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ files: { 'field-0': { filepath: '/etc/hostname', size: 1 } } }),
		});
		// n8n 2.41 and newer refuse such a body before the node reads it.
		assert.match(await forged.text(), /This field is required\.|Expected multipart/);
		assert.ok(await isWaiting(stage.session, execution));
		assert.match(await send('a.txt', 'Ada'), /recorded/);
		const { json, binary } = (await outcome(execution)) as Json;
		// n8n 2.0.0 makes workflows that keep files in the JSON (binaryMode "combined"); later versions keep them beside it.
		const isCombined = 'fileName' in json.data.Photo[0];
		if (!isCombined) {
			assert.deepEqual(json.data.Photo, [{ filename: 'a.txt', mimetype: 'text/plain', size: 5 }]);
		}
		const file = isCombined ? json.data.Photo[0] : binary.Photo;
		assert.equal(file.fileName, 'a.txt');
		assert.equal(file.fileSize, '5 B');
	});

	it('a field without a chosen file is empty', async () => {
		const { execution, link } = await ask({
			formFields: { values: [{ fieldLabel: 'Photo', fieldType: 'file', multipleFiles: false }] },
		});
		const form = new FormData();
		form.append('field-0', new File([], ''));
		await fetch(link, { method: 'POST', body: form });
		assert.equal((await outcome(execution)).json.data.Photo, null);
	});
});
