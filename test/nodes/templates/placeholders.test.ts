import type { ChannelTemplate } from '../../../nodes/Messaging/service/types';
import { placeholdersOf } from '../../../nodes/Messaging/templates/placeholders';

const templateOf = (...components: unknown[]) => ({ components }) as unknown as ChannelTemplate;

describe('placeholdersOf', () => {
	const ids = (text: string) =>
		placeholdersOf(templateOf({ type: 'BODY', text })).map(({ id }) => id);

	test.each([
		['none', []],
		['{{1}}', ['1']],
		['{{1}} and {{2}}', ['1', '2']],
		['{{2}} and {{1}}', ['1', '2']],
		['{{10}} {{9}} {{10}} {{1}}', ['1', '9', '10']],
		['{{3}} and {{1}}', ['1', '3']],
		['{{b}} {{a}} {{b}}', ['b', 'a']],
		['{{2}} {{name}} {{1}}', ['1', 'name', '2']],
		['{{1}} and {{1}} again', ['1']],
		['{{ 1 }}', ['1']],
		['{{first_name}} {{order.id}} {{a-b}}', ['first_name', 'order.id', 'a-b']],
		['{1} {{}} {{ }} {{1', []],
		['{{{1}}}', ['1']],
	])('%j', (text, expected) => {
		expect(ids(text)).toEqual(expected);
	});

	test('the same number in two components is two placeholders', () => {
		const template = templateOf({ type: 'HEADER', text: '{{1}}' }, { type: 'BODY', text: '{{1}}' });
		expect(placeholdersOf(template)).toEqual([
			{ id: 'header 1', name: '1', component: 'header', sample: undefined },
			{ id: '1', name: '1', component: 'body', sample: undefined },
		]);
	});

	test.each([
		['body_text, rows', 'BODY', { body_text: [['Ana', '12'], ['Ben']] }, ['Ana', '12']],
		['header_text, a list', 'HEADER', { header_text: ['Ana'] }, ['Ana', undefined]],
		['too few samples', 'BODY', { body_text: [['Ana']] }, ['Ana', undefined]],
		['empty rows', 'BODY', { body_text: [[]] }, [undefined, undefined]],
		['no rows', 'BODY', { body_text: [] }, [undefined, undefined]],
		['a sample that is not a text', 'BODY', { body_text: [[1, null]] }, [undefined, undefined]],
		['null', 'BODY', { body_text: null }, [undefined, undefined]],
		['no example', 'BODY', undefined, [undefined, undefined]],
		['example null', 'BODY', null, [undefined, undefined]],
	])('samples: %s', (_, type, example, expected) => {
		const template = templateOf({ type, text: '{{1}} {{2}}', example });
		expect(placeholdersOf(template).map(({ sample }) => sample)).toEqual(expected);
	});

	test.each([
		['no components', {}],
		['components null', { components: null }],
		['components an object', { components: {} }],
		['components text', { components: 'x' }],
		['a component without text', { components: [{ type: 'IMAGE' }] }],
		['a text that is not a string', { components: [{ type: 'BODY', text: 5 }] }],
	])('%s: no placeholders', (_, template) => {
		expect(placeholdersOf(template as never)).toEqual([]);
	});

	test('a component without a type is the body', () => {
		expect(placeholdersOf(templateOf({ text: '{{1}}' }))[0].component).toBe('body');
	});
});
