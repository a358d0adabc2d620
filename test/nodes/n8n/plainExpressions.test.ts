import { mayReadItem, plainPath, plainReader } from '../../../nodes/Messaging/n8n/plainExpressions';

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

describe('plainReader', () => {
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
		const steps = path.split('.').map((step) => `["${step}"]`);
		expect(plainReader(`={{ $json${steps.join('')} }}`)?.(json)).toBe(expected);
	});
});

describe('mayReadItem', () => {
	test.each<[unknown]>([
		["={{ $('List').all().filter(({ json }) => json.phone) }}"],
		['={{ $input.first().json.people }}'],
		['={{ $input.all().map((person) => person.json) }}'],
		['[{ "to": "$json" }]'],
		[{ name: '$json', list: ['={{ $input.first() }}', 5, null] }],
		[undefined],
	])('no: %j', (raw) => {
		expect(mayReadItem(raw)).toBe(false);
	});

	test.each<[unknown]>([
		['={{ $json.people }}'],
		['={{ $thisItem.json.people }}'],
		['={{ [{ to: $input.all()[$thisItemIndex].json.phone }] }}'],
		["={{ $('Start').item.json.people }}"],
		["={{ $('Start')['item'].json.people }}"],
		["={{ $('Start').itemMatching(0).json.people }}"],
		['={{ $input.all().map((item) => item.json.phone) }}'],
		[{ __rl: true, mode: 'name', value: '={{ $json.template }}' }],
		[{ templateFields: ['x', { language: '={{ $json.language }}' }] }],
	])('yes: %j', (raw) => {
		expect(mayReadItem(raw)).toBe(true);
	});
});
