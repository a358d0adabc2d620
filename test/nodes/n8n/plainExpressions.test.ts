import {
	dependsOnItem,
	plainPath,
	plainReader,
	readPath,
} from '../../../nodes/Messaging/n8n/plainExpressions';

describe('plainPath', () => {
	test.each<[unknown, string[] | undefined]>([
		['={{ $json.a }}', ['a']],
		['={{$json.a}}', ['a']],
		['={{ $json.a.b_c.$d }}', ['a', 'b_c', '$d']],
		["={{ $json['a b'].c }}", ['a b', 'c']],
		['={{ $json["a\'b"] }}', ["a'b"]],
		['={{ $json.a["b"]["c"] }}', ['a', 'b', 'c']],
		['={{ $json }}', undefined],
		['={{ $json[0] }}', undefined],
		['={{ $json.a }} ', undefined],
		['={{ $json.a }}{{ $json.b }}', undefined],
		['={{ $json.a() }}', undefined],
		['={{ $json?.a }}', undefined],
		['={{ $json.a + 1 }}', undefined],
		["={{ $json['a\\'b'] }}", undefined],
		['={{ $json.constructor }}', undefined],
		['={{ $json["__proto__"] }}', undefined],
		['={{ $json.a.prototype }}', undefined],
		['{{ $json.a }}', undefined],
		['$json.a', undefined],
		['', undefined],
		[undefined, undefined],
		[5, undefined],
	])('%j', (text, expected) => {
		expect(plainPath(text)).toEqual(expected);
	});
});

test('a value with a field named __proto__ at any depth is left to n8n', () => {
	const field = JSON.parse('{"__proto__":"x"}') as unknown;
	for (const raw of [field, [field], [{ a: '={{ $json.a }}', b: field }]]) {
		expect(plainReader(raw)).toBeUndefined();
	}
	expect(plainReader([{ a: '={{ $json.a }}', b: {} }])).toBeDefined();
});

describe('readPath', () => {
	const json = { a: { b: 'x', n: 0, f: false, e: '', d: new Date(), l: ['y'] }, z: null, nan: NaN };
	test.each<[string, unknown]>([
		['a.b', 'x'],
		['a.n', 0],
		['a.f', false],
		['a.e', ''],
		['a', undefined],
		['a.d', undefined],
		['a.l', undefined],
		['a.l.0', 'y'],
		['a.b.length', undefined],
		['a.l.length', 1],
		['a.toString', undefined],
		['z', undefined],
		['z.a', undefined],
		['nan', undefined],
		['missing.a', undefined],
	])('%s', (path, expected) => {
		expect(readPath(json, path.split('.'))).toBe(expected);
	});
});

describe('dependsOnItem', () => {
	test.each([
		'={{ $input.all().map((item) => ({ to: item.json.phone, identifier: item.json.order })) }}',
		'={{ $input.all().map(item => item.json) }}',
		"={{ $('List').all().filter((item, index) => item?.json['phone'] && index < 9) }}",
		'={{ $input.first().json.people }}',
		'[{ "to": "$json" }]',
	])('no: %s', (raw) => {
		expect(dependsOnItem(raw)).toBe(false);
	});

	test.each([
		'={{ $json.people }}',
		'={{ $thisItem.json.people }}',
		'={{ [{ to: $input.all()[$thisItemIndex].json.phone }] }}',
		'={{ $js\\u006fn.people }}',
		"={{ $('Start').item.json.people }}",
		"={{ $('Start')['item'].json.people }}",
		'={{ $input.item.json.people.map((item) => item.phone) }}',
		'={{ $input.all().map((item) => ({ to: item.json.phone, text: $json.text })) }}',
		"={{ $input.all().map((item) => $('Start') . item.json) }}",
		'={{ (({ item }) => item.json.people)($input) }}',
		'={{ (({ item }) => item.json.people.map((item) => item.phone))($input) }}',
		"={{ $('Start').itemMatching(0).json.people.map(item => item.phone) }}",
		'={{ [...$input.item.json.people.map((item) => item.to)] }}',
	])('yes: %s', (raw) => {
		expect(dependsOnItem(raw)).toBe(true);
	});
});
