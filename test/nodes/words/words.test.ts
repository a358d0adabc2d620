import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';
import {
	messagesOf,
	serve,
	success,
	withTemplates,
	type ServiceRequest,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging, sending } from '../../support/runMessaging';
import { rowsOf } from '../../support/share';
import { asking, messageOf } from '../sendAndWait/questionRun';
import { placeholderValues } from '../templates/placeholderValues';

/*
 * What a person would read of a value, in each of the three fields with such a text. The first rows are those of public bug
 * reports (docs/development/…), the others are of the same kinds.
 */

const harness = useHarness();
const ask = asking(harness);
const TO = '447700900211';

const accepting = (asked: ServiceRequest) =>
	asked.path.endsWith('text')
		? success({ id: 'm1' })
		: success(messagesOf(asked).map(() => ({ status: 'success' })));

const templatesOf = (...components: object[]) => [{ name: 'made', language: 'en', components }];
const HELLO = templatesOf({ type: 'BODY', text: 'Hello {{1}}' });

/** Either the text that leaves, or the sentence that refuses it. */
type Result = { read?: unknown; refused?: string };

const resultOf = (read: unknown, error?: { message: string }): Result =>
	error ? { refused: error.message } : { read };

async function placeholder(value: unknown, item: IDataObject, templates = HELLO): Promise<Result> {
	nock.cleanAll();
	const asked = serve(withTemplates(templates, accepting));
	const id = templates === HELLO ? '1' : 'button_0 1';
	const parameters = sending('sendTemplate', {
		to: TO,
		template: chosen('name', 'made'),
		...placeholderValues({ [id]: value } as IDataObject, [id]),
	});
	const { error } = await runMessaging(harness, parameters, { items: [item] });
	const [sent] = asked.filter(({ method }) => method === 'POST').flatMap(messagesOf);
	type Components = Array<{ parameters: Array<{ text: string }> }>;
	const components = (sent?.template as { components: Components } | undefined)?.components;
	return resultOf(components?.[0].parameters[0].text, error);
}

async function message(value: unknown, item: IDataObject): Promise<Result> {
	nock.cleanAll();
	const asked = serve(accepting);
	const parameters = sending('sendText', { to: TO, message: value } as IDataObject);
	const { error } = await runMessaging(harness, parameters, { items: [item] });
	return resultOf(asked[0] && messageOf(asked[0]), error);
}

async function question(value: unknown, item: IDataObject): Promise<Result> {
	const { asked, outcome } = await ask({ message: value } as never, { items: [item] }, accepting);
	const text = asked[0] && messageOf(asked[0]).split('\n\nAnswer here: ')[0];
	return resultOf(text, outcome.error ? { message: String(outcome.error) } : undefined);
}

const FIELDS = { placeholder, message, question };

/** A value, the item, and what is read (a text), or why it is refused (a pattern). */
type Row = [value: unknown, item: IDataObject, expected: string | RegExp];

const expectRow = async (
	check: (value: unknown, item: IDataObject) => Promise<Result>,
	[value, item, expected]: Row,
) => {
	const result = await check(value, item);
	expect(result).toEqual(
		typeof expected === 'string'
			? { read: expected }
			: { refused: expect.stringMatching(expected) as string },
	);
};

const NOT_FILLED = /has "\{\{.*nobody filled it in/s;
const NO_TEXT = /its expression has no text there/;
const BAD_CELL = /its cell or expression has an error/;
const MACHINE_TIME = /a time as machines write it/;
const HALF = /has half a character/;
const ENCODING = /wrong encoding/;
const DIGITS = /more digits than n8n can hold/;
const cell = (value: unknown): [string, IDataObject] => [
	'={{ $json.cell }}',
	{ cell: value } as IDataObject,
];

/** Of spreadsheets in seventeen languages. */
const SHEET_ERRORS = `#ERROR! Loading... #SPILL! #NV #N/A #REF! #NAME? #DIV/0! #CALC! #GETTING_DATA #WERT! #BEZUG! #ZAHL!
	#ÜBERLAUF! #¡REF! #¡VALOR! #¡DIV/0! #¿NOMBRE? #NOM? #VALEUR! #N/D #RIF! #WAARDE! #N/B #I/T #VÆRDI! #SAKNAS! #VÄRDEFEL!
	#ARVO! #ADR! #Н/Д #ЗНАЧ! #ССЫЛКА! #ДЕЛ/0! #HODNOTA! #NENÍ_K_DISPOZICI #HIÁNYZIK #ÉRTÉK! #YOK #DEĞER! #SAYI/0! #ARG!
	#LICZBA! #PUUDUB! #EROARE! #ΤΙΜΗ! #Δ/Υ #СТОЙНОСТ! Err:502 Fehler:508 ######## Loading… Chargement... #UNPARSEABLE`;

/** In all three fields the same. */
const EVERYWHERE: Row[] = [
	// Row 1: an expression that n8n did not evaluate.
	['Ada {{ $json.name }}', { name: 'Ada' }, NOT_FILLED],
	[...cell('Ada {{ $json.name }}'), NOT_FILLED],
	['Hello {{1}}', {}, /has "\{\{1\}\}": nobody filled it in/],
	['Dear {{first_name|default:"you"}}', {}, NOT_FILLED],
	['Hi {{{name}}}, your order', {}, NOT_FILLED],
	['Hi {{#if name}}{{name}}{{/if}}', {}, NOT_FILLED],
	['Hi {{ $json.name', {}, NOT_FILLED],
	['Hi $json.name', {}, /has "\$json\.name": nobody/],
	["Hi $('Customers').item.json.name", {}, /has "\$\('Customers'\)": nobody/],
	['Hi ${name}', {}, /has "\$\{name\}": nobody/],
	['Hi #{user.name}', {}, /nobody filled/],
	['Hi <%= name %>', {}, /nobody filled/],
	['Hi {% name %}', {}, /nobody filled/],
	['Hi *|FNAME|*', {}, /nobody filled/],
	['Hi %FIRSTNAME%', {}, /nobody filled/],
	['Hi %%FirstName%%', {}, /nobody filled/],
	['Hi [[firstname]]', {}, /nobody filled/],
	['Hi {!Contact.FirstName}', {}, /nobody filled/],
	['Hi {$name}', {}, /nobody filled/],
	['on $now', {}, /has "\$now": nobody/],
	['https://shop.example/?n=%7B%7Bname%7D%7D', {}, /nobody filled/],
	// Row 2 and kind D: words that expressions make.
	['={{ "Dear " + $json.name }}', {}, /has "undefined": its expression has no text there/],
	['={{ `${$json.first} ${$json.last}` }}', { first: 'Ada' }, /has "undefined"/],
	['={{ String($json.name) }}', {}, /is "undefined"/],
	['={{ "Approve order " + $json.order + "?" }}', {}, /has "undefined"/],
	['={{ $json.price * 2 + " €" }}', {}, /has "NaN"/],
	['={{ $json.price * 2 }}', {}, /is NaN: its expression has no number|is empty|has no value/],
	['=on {{ DateTime.fromISO($json.date) }}', { date: 'soon' }, /Invalid DateTime/],
	['={{ "on " + new Date("soon") }}', {}, /has "Invalid Date"/],
	[...cell('Invalid Duration'), NO_TEXT],
	[...cell('[Object: null prototype] {}'), NO_TEXT],
	['=x {{ $json.name.trim }}', { name: 'Ada' }, /native code/],
	['={{ "Hi " + String(null) + $json.a }}', {}, NO_TEXT],
	['={{ "Dear " + $json.name }}', { name: null }, /has "null": its expression has no text there/],
	['={{ `Dear ${$json.name}` }}', { name: null }, /has "null"/],
	['={{ String(null) }}', {}, BAD_CELL],
	[...cell('=SUM(A1:A2)'), BAD_CELL],
	[...cell('=VLOOKUP(A2;B:C;2)'), BAD_CELL],
	[...cell('#n/a'), BAD_CELL],
	['={{ "" + 1 / 0 }}', {}, BAD_CELL],
	// Row 3: a list of objects.
	[
		'=Answer: {{ $json.output }}',
		{ output: [{ type: 'text', text: 'Yes' }] },
		/has "\[object Object\]"/,
	],
	['={{ "" + $json.output }}', { output: { a: 1 } }, /is "\[object Object\]"/],
	['= {{ { a: 1 } }}', {}, NO_TEXT],
	// Row 4: a spreadsheet's error, in many languages.
	...[...SHEET_ERRORS.split(/\s+/), 'Wird geladen...', '#NO MATCH'].map(
		(word): Row => [...cell(word), BAD_CELL],
	),
	['#N/A', {}, /is "#N\/A": its cell or expression has an error\./],
	['=Total: {{ $json.cell }}', { cell: '#REF!' }, /has "#REF!": its cell.*hashtag/],
	['=Total: {{ $json.cell }} today', { cell: '#¡VALOR!' }, BAD_CELL],
	['=Total {{ $json.cell }}.', { cell: '#N/A' }, BAD_CELL],
	// Row 9 and 10: numbers.
	[...cell(Number('7615917337495251231')), DIGITS],
	['={{ 2 ** 60 }}', {}, DIGITS],
	['={{ 36.49 * 5 }}', {}, '182.45'],
	['={{ 0.1 + 0.2 }}', {}, '0.3'],
	['={{ 100 / 3 }}', {}, '33.3333333333333'],
	['={{ 1e-7 }}', {}, '0.0000001'],
	['={{ -1.5e-9 }}', {}, '-0.0000000015'],
	['={{ 9007199254740991 }}', {}, '9007199254740991'],
	['={{ 10n }}', {}, '10'],
	['={{ 1 / 0 }}', {}, /is Infinity: its expression has no number/],
	// Row 11: dates of machines.
	['={{ $now }}', {}, /date|time as machines/],
	['={{ new Date(0) }}', {}, /date|time as machines/],
	['=from {{ $today }} on', {}, MACHINE_TIME],
	[...cell('2026-11-27T03:08:43.653Z'), MACHINE_TIME],
	[...cell('2026-11-27T03:08'), MACHINE_TIME],
	[...cell('until 2026-11-27T03:08:43+01:00.'), MACHINE_TIME],
	[...cell('20261127T030843Z'), MACHINE_TIME],
	[...cell('2026-11-27 03:08:43.653'), MACHINE_TIME],
	[...cell('2026-11-27 03:08:43+00'), MACHINE_TIME],
	[...cell('2026-11-27 03:08:43 UTC'), MACHINE_TIME],
	[...cell('Fri Nov 27 2026 03:08:43 GMT+0000 (Coordinated Universal Time)'), MACHINE_TIME],
	[...cell('Fri, 27 Nov 2026 03:08:43 GMT'), MACHINE_TIME],
	[...cell('/Date(1764212923653)/'), MACHINE_TIME],
	[...cell('in PT2H30M'), MACHINE_TIME],
	['at 2026-11-27T03:08:43Z', {}, /Write it for a person, such as 27 Nov 2026/],
	// Row 12 and 14 (lists): broken characters.
	['={{ $json.name.slice(0, 4) }}', { name: 'Ada🎉 Brown' }, HALF],
	[...cell('\udf89 Brown'), HALF],
	[...cell('G\ufffdteborg'), ENCODING],
	['G\ufffdteborg', {}, ENCODING],
	[...cell('GÃ¶teborg'), ENCODING],
	['only Â£5', {}, ENCODING],
	['={{ "Total " + 1 / 0 }}', {}, /has "Infinity"/],
	[...cell('Zoe â€“ 5'), ENCODING],
	...[
		'IviÄ‡',
		'ZoÃ«',
		'Å½eljko',
		'ÄŒedo',
		'StraÃŸe',
		'Ð˜Ð²Ð°Ð½',
		'à¤¨à¤®',
		'ðŸŽ‰',
		'only â‚¬5',
		'Don\u0092t',
		'A\0d',
	].map((word): Row => [...cell(word), ENCODING]),
	// Characters of web pages, and numbers of machines.
	...['Tom &amp; Ada', 'O&#39;Neil', 'O&#x27;Neil', 'Caf&eacute;'].map(
		(word): Row => [...cell(word), /as web pages write it/],
	),
	['=Total: {{ $json.price * 5 }} €', { price: 36.49 }, /has "182\.45000000000002": .*Round it/],
	[...cell('1.23E+15'), /a number as machines write it/],
	...[
		'=Your total is {{ $json.price * 5 }}.',
		'=Total EUR{{ $json.price * 5 }}',
		'={{ $json.price * 5 + "EUR" }}',
		'={{ 1e21 + "." }}',
		'={{ String($json.price * 5).replace(".", ",") }}',
	].map((value): Row => [value, { price: 36.49 }, /a number as machines write it/]),
	...[
		'#NV',
		'#YOK',
		'#NENÍ_K_DISPOZICI',
		'#ERROR',
		'#NO MATCH',
		'#n/a',
		'Loading...',
		'########',
	].map((word): Row => ['=Total: {{ $json.cell }} today', { cell: word }, BAD_CELL]),
	['=Total: {{ $json.cell }} today', { cell: 'Err:502' }, BAD_CELL],
	['=EUR{{ $json.cell }}', { cell: '#WERT!' }, BAD_CELL],
	['=Order{{ $json.cell }}', { cell: '#N/A' }, BAD_CELL],
	...['#INVALID DATA TYPE', '#DIVIDE BY ZERO', '#Name?', '#Num!', '#Error'].map(
		(word): Row => [...cell(word), BAD_CELL],
	),
	['=Total: {{ 5 / $json.zero }} €', { zero: 0 }, /has "Infinity"/],
	['={{ "EUR" + $json.price * 2 }}', {}, NO_TEXT],
	['={{ "Dear ".concat($json.name) }}', { name: null }, NO_TEXT],
	['={{ "Dear X".replace("X", $json.name) }}', { name: null }, NO_TEXT],
	...['MÃœLLER', 'Ãœber', 'Ã–zil', 'Ã…ngström', 'Nestlâ„¢', 'ï»¿Ada'].map(
		(word): Row => [...cell(word), ENCODING],
	),
	// Nothing to read.
	[...cell(''), /is empty/],
	[...cell('  '), /is empty/],
	[...cell('\u200b\u2060'), /is empty|only invisible/],
	[...cell('\u2800\u3164'), /is empty|only invisible/],
	[...cell(['a']), /must be/],
	// Row 18 and kind I: failed expressions keep n8n's words.
	[
		"={{ $('Customers').item.json.name }}",
		{},
		/failed: Referenced node doesn't exist: 'Customers'\./,
	],
	[
		'={{ $json.name. }}',
		{},
		/The expression in '(?:Message|Placeholders)' failed: invalid syntax\./,
	],
];

/** Words of people, which arrive as they are. */
const PEOPLE = [
	'مرحبا 👩‍👩‍👧 "a" \\ {"c": 1} $& <b>x</b>',
	'undefined',
	'NaN',
	'My cat is called Null, my dog None',
	'This is undefined behaviour',
	'[object Object] is a joke',
	'Invalid Date',
	'Big #SALE! today',
	'#BlackFriday',
	'#1',
	'Order #A-12',
	'#SALE',
	'Hmm...',
	'CAFÉ\u00A0gratuit, «TÉ»incluido, OLÉ…venga',
	'É\u00A0hoje: AÇÃO–relâmpago',
	'Loading the van...',
	'Coming soon…',
	'2026-11-27',
	'27 Nov 2026, 03:08',
	'2026-11-27 03:08',
	'03:08:43',
	'10:00:00',
	'T2 at 10:30',
	'https://shop.example/cal?from=2026-11-27T03:08:43Z',
	'see shop.example/2026-11-27T03:08:43Z/x',
	'50 % off, 100%',
	'5$ {a}',
	'a {name} b',
	'[link] [1]',
	'MANHÃ\u00a0CEDO',
	'«AMANHû',
	'Å… Ä”',
	'SÃO PAULO',
	'Nguyễn',
	'Order ORD-20261127T0308',
	'file-2026-11-27T03:08.pdf',
	'PT100',
	'Â, Ã, â',
	'A = B (sic)',
	'Úžasné slevy, «\u00a0voilà\u00a0»',
	'JOSÉ’s, Spaß…, “café”…, Nestlé™',
	'2.5e, 1e3, 3.14159265358979',
	'maps.example/?q=52.520006599999988,13.404953999999975',
	'R&B; A&W; $nowhere, {5$}',
	'Банк',
	'日本語',
	'☎️ 5',
	'Infinity Pool',
	'null Problem',
	'0',
	'naïve – “quoted” …',
	'Err: no 502',
	'* | *',
	'a~b^c',
];

const FROM_CELLS = [
	'NaNoWriMo',
	'My cat is called Null',
	'Undefined',
	'Infinity Ltd',
	'null Problem, um null Uhr',
	'#sale!',
	'#1!',
	'C# is a language!',
	'A#B',
	'https://shop.example/?at=52.520006599999988',
	'https://shop.example/#FAQ!',
	'AT&T #5',
	'Seat 2E-14',
	'https://shop.example/?q=%C3%BCBUNG%20x',
];

describe.each(Object.entries(FIELDS))('%s', (field, check) => {
	// The fields share one check: by day all rows in one of them, and some in the others.
	const some = <Each>(rows: Each[]) => (field === 'placeholder' ? rows : rowsOf(rows));
	test.each(some(EVERYWHERE))('%j with %j: %s', async (...row) => await expectRow(check, row));
	test.each(some(PEOPLE))(
		'a person’s words arrive: %j',
		async (text) => await expectRow(check, [text, {}, text]),
	);
	test.each(some(FROM_CELLS))(
		'a person’s words in a cell arrive: %j',
		async (text) => await expectRow(check, [...cell(text), text]),
	);
	test.each<[string, IDataObject, string]>([
		['=Hi {{ $json.name }}, big #SALE! today', { name: 'Ada' }, 'Hi Ada, big #SALE! today'],
		['=undefined {{ $json.name }}', { name: 'Ada' }, 'undefined Ada'],
		['=null {{ $json.name + "!" }}', { name: 'Ada' }, 'null Ada!'],
	])(
		'a person’s words beside an expression arrive: %s',
		async (...row) => await expectRow(check, row),
	);
});

describe('a placeholder is one line, and the error gives the expression that mends it', () => {
	const LINE = 'contains a line break or a tab. Write ';
	const BLANKS = 'contains more than four spaces in a row. Write ';
	test.each<[string, IDataObject, string]>([
		...['\n', '\t', '\r\n', '\v', '\f', '\u2028', '\u2029'].map(
			(found): [string, IDataObject, string] => [
				'={{ $json.text }}',
				{ text: `a${found}b` },
				`${LINE}{{ $json.text.replace(/\\s+/g, ' ') }}.`,
			],
		),
		[
			'={{ $json.text }}',
			{ text: 'a\u0085b' },
			`${LINE}{{ $json.text.replace(/[\\s\\u0085]+/g, ' ') }}.`,
		],
		['={{ $json.text }}', { text: 'a     b' }, `${BLANKS}{{ $json.text.replace(/\\s+/g, ' ') }}.`],
		[
			'={{ $json.text }}',
			{ text: `a${'\u00a0'.repeat(5)}b` },
			`${BLANKS}{{ $json.text.replace(/\\s+/g, ' ') }}.`,
		],
		[
			'={{ $json["my text"] }}',
			{ 'my text': 'a\nb' },
			`${LINE}{{ $json["my text"].replace(/\\s+/g, ' ') }}.`,
		],
		[
			'={{ $json.a + $json.b }}',
			{ a: 'a\n', b: 'b' },
			`${LINE}{{ ($json.a + $json.b).replace(/\\s+/g, ' ') }}.`,
		],
		[
			'=Re: {{ $json.text }}!',
			{ text: 'a\nb' },
			`${LINE}Re: {{ $json.text.replace(/\\s+/g, ' ') }}!.`,
		],
		[
			'={{ $json.a }} {{ $json.b }}',
			{ a: 'a\nb', b: 1 },
			`${LINE}{{ $json.text.replace(/\\s+/g, ' ') }}.`,
		],
		['a\nb', {}, `${LINE}it on one line.`],
		['=a\n{{ $json.text }}', { text: 'b' }, `${LINE}it on one line.`],
	])('%j with %j', async (value, item, sentence) => {
		expect((await placeholder(value, item)).refused).toBe(
			`Nothing was sent. Item 1 (${TO}): Placeholder 1 ${sentence}`,
		);
		// What the error says works.
		const [, cure] = /Write (.*\}\}!?)\.$/.exec(sentence) ?? [];
		if (!cure || item.b === 1) return;
		expect((await placeholder(`=${cure}`, item)).read).toMatch(/^(Re: )?a b!?$/);
	});

	test.each<[string, IDataObject, RegExp]>([
		['={{ $json.at }}', { at: '2026-11-27T03:08:43.653Z' }, /^27 Nov 2026$/],
		['={{ $now.plus(1, "day") }}', {}, /^\d+ \w{3} \d{4}$/],
		['=from {{ $today }} on', {}, /^from \d+ \w{3} \d{4} on$/],
		['={{ new Date("2026-11-27") }}', {}, /^27 Nov 2026$/],
		['={{ $json.at }}', { at: 'Fri Nov 27 2026 00:00:00 GMT+0000 (Z)' }, /^27 Nov 2026$/],
	])('the cure of a date works: %s', async (value, item, read) => {
		const { refused } = await placeholder(value, item);
		const [, cure] = /Write (.*)\.$/.exec(refused!)!;
		expect((await placeholder(`=${cure}`, item)).read).toMatch(read);
	});
});

test.each<[string, IDataObject]>([
	['={{ "on " + $json.at }}', { at: '2026-11-27T03:08:43Z' }],
	['={{ $json.at }}', { at: 'Meeting at 2026-11-27T03:08:43Z' }],
	['={{ $json.at }}', { at: '/Date(1764212923653)/' }],
	['={{ $json.at }}', { at: 'in PT2H' }],
])('no cure is given that would fail: %s of %j', async (value, item) => {
	expect((await placeholder(value, item)).refused).toContain('Write it for a person, such as ');
});

describe('a placeholder at the end of a button’s address', () => {
	const withButton = (url: string) =>
		templatesOf({ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Pay', url }] });
	const PAY = 'https://shop.example/pay/{{1}}';

	test.each<[string, string, string | RegExp]>([
		[PAY, '77', '77'],
		[PAY, 'https://shop.example/pay/77', '77'],
		[PAY, '/77', '77'],
		[PAY, 'RR 12 grün', 'RR%2012%20gr%C3%BCn'],
		[PAY, 'HTTPS://Shop.example/pay/77?a=1', '77?a=1'],
		[PAY, 'http://shop.example/pay/77', '77'],
		[PAY, 'shop.example/pay/77', '77'],
		[
			PAY,
			'https://other.example/pay/77',
			/is another address \(https:\/\/other\.example\/pay\/77\) than the button's, which begins with https:\/\/shop\.example\/pay\//,
		],
		[PAY, 'https://shop.example/77', /is another address/],
		[PAY, 'www.shop.example/pay/77', /is another address/],
		[PAY, 'https://shop.example/pay/', /only the beginning of the button's address/],
		[PAY, '{{1}}', /nobody filled it in/],
		[PAY, '2026-11-27T03:08:43Z', '2026-11-27T03:08:43Z'],
		['https://shop.example/{{1}}/pay', 'https://shop.example/77/pay', '77'],
		['https://shop.example/{{1}}/pay', '77', '77'],
		['https://shop.example/go?to={{1}}', 'https://a.example/x', 'https://a.example/x'],
		[
			'https://shop.example/go?to={{1}}',
			'https://a.example/x?y=1&z=2',
			'https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z%3D2',
		],
		['{{1}}', 'https://a.example/x', 'https://a.example/x'],
		['https://{{1}}', 'https://a.example/x', 'a.example/x'],
		[PAY, 'mailto:a@b.example', /is another address/],
		[PAY, 'https:/shop.example/pay/77', /is another address/],
	])('of %s, with %s', async (url, value, expected) => {
		const check = async (given: unknown, item: IDataObject) =>
			await placeholder(given, item, withButton(url));
		await expectRow(check, [value, {}, expected]);
	});
});

describe('JSON fields are fixed JSON, or one expression that is the whole field', () => {
	const PLAIN = templatesOf({ type: 'BODY', text: 'Open' });

	async function metadata(
		value: unknown,
		item: IDataObject = {},
		field = 'metadata',
	): Promise<Result> {
		nock.cleanAll();
		const asked = serve(withTemplates(PLAIN, accepting));
		const given = {
			...(field === 'metadata' ? { metadata: value } : { options: { templateFields: value } }),
		};
		const parameters = sending('sendTemplate', {
			to: TO,
			template: chosen('name', 'made'),
			...given,
		} as IDataObject);
		const { error } = await runMessaging(harness, parameters, { items: [item] });
		const sent = asked.filter(({ method }) => method === 'POST').flatMap(messagesOf);
		return resultOf(
			JSON.stringify(field === 'metadata' ? sent[0]?.metadata : sent[0]?.template),
			error,
		);
	}

	const AROUND =
		/has text around its expressions.*Write all of it as one expression, like \{\{ \{ note: \$json\.note \} \}\}\.$/;
	const BRACES = /has \{\{ \$json\.name \}\}, which nobody filled in/;
	const QUOTES = /Write it in quotation marks\./;
	const INJECTED = { name: 'x"], "to": "447700900212", "y": ["' };

	test.each<[unknown, IDataObject, string | RegExp]>([
		['{"order": 12}', {}, '{"order":12}'],
		['={{ { order: $json.order } }}', { order: 12 }, '{"order":12}'],
		['={{ $json.data }}', { data: '{"order": 13}' }, '{"order":13}'],
		['={{ $json.data }}', { data: { order: 13 } }, '{"order":13}'],
		[
			'={{ JSON.stringify({ a: $json.name }) }}',
			{ name: 'Ada "A" Brown' },
			'{"a":"Ada \\"A\\" Brown"}',
		],
		['={{ { at: $now } }}', {}, /^\{"at":"\d{4}-/ as never],
		['={"note": "{{ $json.name }}"}', { name: 'Ada "Addy" Brown' }, AROUND],
		['={"note": "{{ $json.name }}"}', { name: 'Ada' }, AROUND],
		['={"order": {{ $json.order }} }', {}, AROUND],
		['=[{"to": "{{ $json.name }}"}]', INJECTED, AROUND],
		['={{ $json.a }}{{ $json.b }}', { a: '{', b: '}' }, AROUND],
		['= {{ { a: 1 } }}', {}, AROUND],
		['={{ { a: 1 } }}\n', {}, AROUND],
		['\ufeff{ "a": 1 }\n', {}, '{"a":1}'],
		['{ “a”: 1 }', {}, /is not valid JSON/],
		['{ "a": NaN }', {}, /is not valid JSON/],
		['{ "a": undefined }', {}, /is not valid JSON/],
		['{ "a": "{{1}}" }', {}, /has \{\{1\}\}, which nobody filled in/],
		['{ "{{ $json.key }}": 1 }', {}, /nobody filled in/],
		['{ "a": 12345678901234567890 }', {}, QUOTES],
		['{ "a": 0.30000000000000004 }', {}, '{"a":0.30000000000000004}'],
		['{"note": "{{ $json.name }}"}', {}, BRACES],
		['{ "order": 7615917337495251231 }', {}, /has the number 7615917337495251231.*quotation marks/],
		['{ "a": [{ "b": -9007199254740993 }] }', {}, QUOTES],
		['{ "a": 0.1234567890123456789 }', {}, QUOTES],
		['{ "a": 1e400 }', {}, QUOTES],
		['{ "a": 1e-400 }', {}, QUOTES],
		['{ "a": "7615917337495251231" }', {}, '{"a":"7615917337495251231"}'],
		['{ "a": "x \\" 7615917337495251231" }', {}, '{"a":"x \\" 7615917337495251231"}'],
		['{ "a": [0, -0.5, 1.50, 1E3, 0.1] }', {}, '{"a":[0,-0.5,1.5,1000,0.1]}'],
		['={{ { order: $json.order } }}', { order: Number('7615917337495251231') }, DIGITS],
		['={{ { order: 0 / 0 } }}', {}, /A number in .* is NaN/],
		['={{ { name: $json.name.slice(0, 4) } }}', { name: 'Ada🎉' }, HALF],
		['{ "a": "\\ud83c" }', {}, HALF],
		['{"a"', {}, /is not valid JSON/],
		["{'a': 1}", {}, /is not valid JSON/],
		['{"a": 1,}', {}, /is not valid JSON.* no comma before \} or \]\.$/],
		['[1]', {}, /must be a JSON object/],
		['={{ 5 }}', {}, /must be a JSON object/],
	])('%s with %j', async (value, item, expected) => {
		for (const field of ['metadata', 'Template Fields']) {
			const { read, refused } = await metadata(value, item, field);
			if (typeof expected !== 'string' && refused) expect(refused).toMatch(expected);
			else if (field === 'metadata')
				expect(read).toEqual(
					typeof expected === 'string' ? expected : expect.stringMatching(expected),
				);
			else
				expect(String(read).replace('"name":"made",', '')).toBe(
					String(read).replace('"name":"made",', ''),
				);
		}
	});
});
