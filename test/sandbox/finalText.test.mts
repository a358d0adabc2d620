import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { from, withSandbox } from './support.mts';

const to = '447700900555';
const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));
const named = (name: string, text: string) => ({ type: 'text', parameter_name: name, text });

/** A template with this body, or with these components. */
const template = (components: unknown, differences: object = {}) => ({
	category: 'ALERT_UPDATE',
	components: typeof components === 'string' ? [{ type: 'BODY', text: components }] : components,
	language: 'en_GB',
	name: 'made',
	namespace: 'bakery',
	rejected_reason: null,
	status: 'approved',
	...differences,
});

/** The text that a recipient reads. */
async function read(templates: object[], request: object) {
	let read: { text?: string; textMissing?: string } = {};
	await withSandbox(async (sandbox) => {
		assert.equal((await sandbox.control('PUT', '/templates', templates)).status, 200);
		const messages = [{ to, template: { name: 'made', ...request } }];
		await sandbox.post('/api/public/conversation/template', { from, messages });
		[read] = (await sandbox.control('GET', '/accepted')).json;
	});
	return read.text ?? `(${read.textMissing})`;
}

describe('the final text of a message', () => {
	const body = (...parameters: object[]) => ({ components: [{ type: 'body', parameters }] });
	const cases: Array<[string, unknown, object, string]> = [
		['no placeholders', 'From 7 to 18.', {}, 'From 7 to 18.'],
		[
			'in order of the numbers',
			'Order {{2}}, {{1}}.',
			body(...texts('Ana', '12')),
			'Order 12, Ana.',
		],
		[
			'10 comes after 9',
			'{{10}} {{9}} {{8}} {{7}} {{6}} {{5}} {{4}} {{3}} {{2}} {{1}}',
			body(...texts('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j')),
			'j i h g f e d c b a',
		],
		['a number used twice', '{{1}}, {{1}}!', body(...texts('Ana')), 'Ana, Ana!'],
		['gaps in the numbers', '{{3}} {{1}}', body(...texts('a', 'c')), 'c a'],
		['names', '{{b}} {{a}}', body(named('a', 'A'), named('b', 'B')), 'B A'],
		['a value with braces', '{{1}} {{2}}', body(...texts('{{2}}', 'b')), '{{2}} b'],
		[
			'too few values',
			'{{1}} {{2}}',
			body(...texts('a')),
			'(refused: BODY has 2 placeholders and got 1 values)',
		],
		['no values', '{{1}}', {}, '(refused: BODY has 1 placeholders and got 0 values)'],
		[
			'numbered values for named placeholders',
			'{{a}}',
			body(...texts('A')),
			'(refused: BODY has no placeholder for the value "A")',
		],
		[
			'values without a placeholder',
			'Hi',
			{ components: [{ type: 'header', parameters: texts('x') }] },
			'(refused: the template has no component header with placeholders)',
		],
		[
			'values in another form',
			'{{1}}',
			{ parameters: ['a'] },
			'(there is no public rule for the form of these values)',
		],
		['values in another form, and no placeholders', 'Hi', { parameters: [] }, 'Hi'],
		[
			'header, body and the address of a button',
			[
				{ type: 'HEADER', text: 'For {{1}}' },
				{ type: 'BODY', text: 'Order {{1}}' },
				{
					type: 'BUTTONS',
					buttons: [
						{ type: 'QUICK_REPLY', text: 'Stop' },
						{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
					],
				},
			],
			{
				components: [
					{ type: 'button', sub_type: 'url', index: '1', parameters: texts('12') },
					{ type: 'body', parameters: texts('twelve') },
					{ type: 'header', parameters: texts('Ana') },
				],
			},
			'For Ana\nOrder twelve\n[ Track ] https://shop.example/12',
		],
	];
	for (const [name, components, request, expected] of cases) {
		it(name, async () => assert.equal(await read([template(components)], request), expected));
	}

	it('is in the language of the request, otherwise in the first that was not rejected', async () => {
		const translations = [
			template('Hello', { rejected_reason: 'PROMOTIONAL' }),
			template('Hallo', { language: 'de_DE' }),
			template('Bok', { language: 'hr' }),
		];
		assert.equal(await read(translations, {}), 'Hallo');
		assert.equal(await read(translations, { language: 'hr' }), 'Bok');
		assert.equal(await read(translations, { language: { code: 'hr' } }), 'Bok');
	});

	it('of a session message is the message', async () =>
		await withSandbox(async (sandbox) => {
			await sandbox.post('/api/public/conversation/text', { from, to, message: 'Hello' });
			const { json } = await sandbox.control('GET', '/accepted');
			assert.deepEqual(
				json.map(({ text }: { text: string }) => text),
				['Hello'],
			);
		}));
});
