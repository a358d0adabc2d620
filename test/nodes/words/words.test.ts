import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';
import { isOrdinary } from '../../../nodes/Messaging/words/readable';
import * as tables from '../../../nodes/Messaging/words/tables';
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

async function placeholder(
	value: unknown,
	item: IDataObject,
	options: IDataObject = {},
	templates = HELLO,
	timezone?: string,
): Promise<Result> {
	nock.cleanAll();
	const asked = serve(withTemplates(templates, accepting));
	const id = templates === HELLO ? '1' : 'button_0 1';
	const parameters = sending('sendTemplate', {
		to: TO,
		template: chosen('name', 'made'),
		...placeholderValues({ [id]: value } as IDataObject, [id]),
		options,
	});
	const { error } = await runMessaging(harness, parameters, { items: [item], timezone });
	const [sent] = asked.filter(({ method }) => method === 'POST').flatMap(messagesOf);
	type Components = Array<{ parameters: Array<{ text: string }> }>;
	const components = (sent?.template as { components: Components } | undefined)?.components;
	return resultOf(components?.[0].parameters[0].text, error);
}

async function message(
	value: unknown,
	item: IDataObject,
	options: IDataObject = {},
): Promise<Result> {
	nock.cleanAll();
	const asked = serve(accepting);
	const parameters = sending('sendText', { to: TO, message: value, options } as IDataObject);
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

const UNFILLED = /"\{\{.*nobody filled it in. Choose 'Expression' in place of 'Fixed'\.$/s;
const BAD_CELL = /: its cell or expression has an error\. Correct it, or the data of this item\.$/;
const HALF = /has half a character/;
const BROKEN = /has "\ufffd": it was read with the wrong encoding\..* as UTF-8\.$/;
const DIGITS = /more digits than n8n can hold/;
const cell = (value: unknown): [string, IDataObject] => [
	'={{ $json.cell }}',
	{ cell: value } as IDataObject,
];

/** Of spreadsheets in many languages, by their shape. */
const SHEET_ERRORS = `#ERROR! #SPILL! #N/A #REF! #NAME? #DIV/0! #CALC! #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #¡REF! #¡VALOR!
	#¡DIV/0! #¿NOMBRE? #NOM? #VALEUR! #N/D #RIF! #WAARDE! #N/B #I/T #VÆRDI! #SAKNAS! #VÄRDEFEL! #ARVO! #ADR! #Н/Д #ЗНАЧ!
	#ССЫЛКА! #ДЕЛ/0! #HODNOTA! #ÉRTÉK! #DEĞER! #SAYI/0! #ARG! #LICZBA! #PUUDUB! #EROARE! #ΤΙΜΗ! #Δ/Υ #СТОЙНОСТ! #n/a`;

/** In all three fields, whatever the options say. */
const NEVER_RIGHT: Row[] = [
	// An expression that n8n did not evaluate.
	['Ada {{ $json.name }}', { name: 'Ada' }, UNFILLED],
	['Ada {{ { a: $json.name }.a }}', {}, UNFILLED],
	['Hi {{ $json.name', {}, UNFILLED],
	['Hi {{name}}, on {{1}}', {}, /has "\{\{name\}\}": nobody/],
	['Hi {{1}}, on {{ $now }}', {}, /has "\{\{ \$now \}\}": nobody/],
	['Hi {{#if name}}{{{name}}}{{/if}}', {}, UNFILLED],
	// Words that expressions make.
	['={{ "Dear " + $json.name }}', {}, /has "undefined": its cell or expression has an error/],
	['={{ `${$json.first} ${$json.last}` }}', { first: 'Ada' }, /has "undefined"/],
	['={{ String($json.name) }}', {}, /is "undefined"/],
	['={{ "Approve order " + $json.order + "?" }}', {}, /has "undefined"/],
	['={{ $json.first.concat(" ", $json.last) }}', { first: 'Ada' }, /has "undefined"/],
	['={{ $json.price * 2 + " €" }}', {}, /has "NaN"/],
	['={{ "EUR" + $json.price * 2 }}', {}, /has "NaN"/],
	[
		'={{ $json.price * 2 }}',
		{},
		/is NaN: its expression does not result in a number|is empty|has no value/,
	],
	['=on {{ DateTime.fromISO($json.date) }}', { date: 'soon' }, /has "Invalid DateTime"/],
	['={{ "on " + new Date("soon") }}', {}, /has "Invalid Date"/],
	[...cell('Invalid Duration'), BAD_CELL],
	[...cell('[Object: null prototype] {}'), BAD_CELL],
	['=x {{ $json.name.trim }}', { name: 'Ada' }, /native code/],
	['={{ String(null) }}', {}, /is "null"/],
	[...cell('NaN'), BAD_CELL],
	['={{ "" + 1 / 0 }}', {}, /is "Infinity"/],
	[
		'=Answer: {{ $json.output }}',
		{ output: [{ type: 'text', text: 'Yes' }] },
		/has "\[object Object\]"/,
	],
	['={{ "" + $json.output }}', { output: { a: 1 } }, /is "\[object Object\]"/],
	['= {{ { a: 1 } }}', {}, BAD_CELL],
	...SHEET_ERRORS.split(/\s+/).map((word): Row => [...cell(word), BAD_CELL]),
	// Numbers and dates that no text can have.
	[...cell(Number('7615917337495251231')), DIGITS],
	['={{ 2 ** 60 }}', {}, DIGITS],
	['={{ 1 / 0 }}', {}, /is Infinity: its expression does not result in a number/],
	[...cell(['a']), /must be/],
	// Broken characters.
	['={{ $json.name.slice(0, 4) }}', { name: 'Ada🎉 Brown' }, HALF],
	[...cell('\udf89 Brown'), HALF],
	[...cell('G\ufffdteborg'), BROKEN],
	['G\ufffdteborg', {}, BROKEN],
	// Nothing to read.
	[...cell(''), /is empty/],
	[...cell('  '), /is empty/],
	[...cell('\u200b\u2060'), /is empty|only invisible/],
	[...cell('\u2800\u3164'), /is empty|only invisible/],
	// Failed expressions keep n8n's words.
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

/** Other tools' placeholders, by their brackets. */
const PLACEHOLDERS =
	`{{1}}   {{{name}}}   {{first_name|default:"you"}}   {{#if name}}   {name}   {isim}   {имя}   {名前}   {first name}
	{contactfield=firstname}   {$name}   {!Contact.FirstName}   \${name}   #{user.name}   %{name}   <%= name %>
	{% name %}   ((fullname))   [[firstname]]   <<sender>>   <<first name>>   «First_Name»   ##name##   #NAME#
	__name__   @@name@@   %firstname%   %FIRSTNAME%   %%FirstName%%   $FirstName   $json.name   $now   [FIRST_NAME]
	[NAME]   [İSİM]   [Your Name]   [your name]   [Recipient's Name]   [Insert link here]   [First Name]   {name|friend}
	#firstname#   \${user.name ?? "you"}   [/INST]   *|FNAME|*   _|FNAME|_   $('Customers').item.json.name
	$['Customers'].item`.split(/\s{3}|\s*\n\s*/);

/** A word, and the item of a cell with it: refused for a person outside, but not in a question. */
const UNUSUAL: Array<[value: string, item: IDataObject, why: RegExp]> = [
	...PLACEHOLDERS.map((word): [string, IDataObject, RegExp] => [
		...cell(`Hi ${word}, hello`),
		/ has ".*": nobody filled it in\. /,
	]),
	['Hi %7B%7Bname%7D%7D', {}, /nobody/],
	['https://shop.example/?n=%7B%7Bname%7D%7D', {}, /nobody/],
	['https://shop.example/{id}', {}, /nobody/],
	...[
		...[
			'<think>Let me see</think>Hi',
			'a<br>b',
			'<|im_end|>',
			'Hi <name>',
			'Hi <Your Name>',
			'```json\n{"message":"Hi"}\n```',
		],
		...['/Date(1764212923653)/', '{"message":"Hi"}', '[{"text":"Hi"}]', "{'a': 1}", '{}'],
	].map((word): [string, IDataObject, RegExp] => [...cell(word), /meant for a program/]),
	...[
		'Tom &amp; Ada',
		'O&#39;Neil',
		'O&#x27;Neil',
		'Caf&eacute;',
		'&Uuml;ber',
		'a\\nb',
		'\\u00fcber',
		'Waschmaschine%20gestartet',
		'Jos%C3%A9',
	].map((word): [string, IDataObject, RegExp] => [...cell(word), /as web pages write it/]),
	...[
		...['2026-11-27T03:08:43.653Z', '2026-11-27T03:08', 'until 2026-11-27T03:08:43+01:00.'],
		...['20261127T030843Z', '2026-11-27 03:08:43.653', '2026-11-27 03:08:43+00'],
		...['2026-11-27 03:08:43 UTC', 'Fri, 27 Nov 2026 03:08:43 GMT'],
		...['Fri Nov 27 2026 03:08:43 GMT+0000 (Coordinated Universal Time)'],
	].map((word): [string, IDataObject, RegExp] => [...cell(word), /a time as machines write it/]),
	['=from {{ $today }} on', {}, /a time as machines write it/],
	['at 2026-11-27T03:08:43Z', {}, /Write it for a person, such as 27 Nov 2026\. If/],
	...[
		'=Your total is {{ $json.price * 5 }}.',
		'=Total EUR{{ $json.price * 5 }}',
		'={{ $json.price * 5 + "EUR" }}',
		'={{ 1e21 + "." }}',
		'={{ String($json.price * 5).replace(".", ",") }}',
	].map((value): [string, IDataObject, RegExp] => [
		value,
		{ price: 36.49 },
		/a number as machines write it.*Round it/,
	]),
	[...cell('1.23E+15'), /a number as machines/],
	...[
		'=?UTF-8?Q?Jos=C3=A9?=',
		'=?utf-8?B?Sm9zw6k=?=',
		'Jos=C3=A9',
		'GÃ¶teborg',
		'Don\u0092t',
		'A\0d',
	].map((word): [string, IDataObject, RegExp] => [...cell(word), /read with the wrong encoding/]),
	// A spreadsheet's error, or a word of code, inside a text.
	['=Total: {{ $json.cell }} today', { cell: '#REF!' }, /has "#REF!": its cell/],
	['=Total: {{ $json.cell }} today', { cell: '#¡VALOR!' }, /has "#¡VALOR!"/],
	['=Order{{ $json.cell }}.', { cell: '#N/A' }, /has "#N\/A"/],
	...[
		...['#NV', '#YOK', '#NENÍ_K_DISPOZICI', '#GETTING_DATA', '#INVALID DATA TYPE', '########'],
		...['Err:502', 'Fehler:508', '=SUM(A1:A2)', '=VLOOKUP(A2;B:C;2)', 'Loading...', 'Loading…'],
		...['Dear undefined', 'Total: NaN €'],
	].map((word): [string, IDataObject, RegExp] => [...cell(word), /its cell or expression has an/]),
	['={{ "Dear " + $json.name }}', { name: null }, /has "null"/],
	['={{ `Dear ${$json.name}` }}', { name: null }, /has "null"/],
	['={{ "Dear X".replace("X", $json.name) }}', { name: null }, /has "null"/],
	['=Total: {{ 5 / $json.zero + "" }} €', { zero: 0 }, /has "Infinity"/],
	// A person's words of the same looks.
	['Ask for [[promo]] at the till', {}, /nobody/],
	['=Hi {{ $json.name }}, big #SALE! today', { name: 'Ada' }, /has "#SALE!"/],
	['={{ "Your Infinity Spa booking, " + $json.t }}', { t: 'Ada' }, /has "Infinity"/],
	// A machine's word for nothing, and what somebody writes into a cell to mark that.
	...[
		'NULL',
		'\\N',
		'nan',
		'(blank)',
		'--',
		'-',
		'–',
		'.',
		'?',
		'_',
		'*',
		'/',
		'- -',
		'...',
		'???',
	].map((word): [string, IDataObject, RegExp] => [
		...cell(word),
		/ is ".*": it stands for nothing in a table/,
	]),
	['={{ $json.cell }}', { cell: 45987.604166666664 }, /a time as spreadsheets count it/],
	[...cell('45987.604166666664'), /a number as machines write it/],
	...[
		'[NAME], your table is ready',
		'[First Name], hello',
		'[FIRST_NAME] hello',
		'[YourName] hi',
	].map((word): [string, IDataObject, RegExp] => [...cell(word), /nobody/]),
	['=<b>Order {{ $json.id }}</b>', { id: 1 }, /put \.removeTags\(\) behind the expression/],
	...['Use #BLACK! now', '### Opening hours ###'].map((word): [string, IDataObject, RegExp] => [
		...cell(word),
		/ has "/,
	]),
];

/** Words of people, which arrive as they are. */
const PEOPLE = [
	'مرحبا 👩‍👩‍👧 "a" \\ {"c": 1} $& <3',
	'undefined',
	'NaN',
	'#N/A',
	'My cat is called Null, my dog None',
	'This is undefined behaviour',
	'Invalid Date',
	'Big #SALE! today',
	'#BlackFriday #SALE',
	'#1, 5 #1 hits, C++, #',
	'Order #A-12',
	'Hmm...',
	'Loading the van...',
	'Coming soon…',
	'2026-11-27, 27 Nov 2026, 03:08, 2026-11-27 03:08, 03:08:43, 10:00:00',
	'T2 at 10:30, 27 listopada 2026 15:08:43 UTC',
	'https://shop.example/cal?from=2026-11-27T03:08:43Z',
	'see shop.example/2026-11-27T03:08:43Z/x',
	'50 % off, 100%! Código 20%OFF, 5$, US$5, 5 $US, $USD 5, R$ 1.234,56 à vista',
	'We answer within {24} hours [Mon-Fri], {5$}',
	'[link] [1] (see (1)) [Book](https://shop.example)',
	'[Bakery] Your order is ready',
	'[Reminder] Tomorrow at 10:30',
	'€',
	'%',
	'✓',
	'▲',
	'★★★★★',
	'É um',
	'N/A',
	'None',
	'nil',
	'-',
	'Name: ________ Date: ____',
	'«AMANHû, AMANHÃ” ou “AVÔ”, CAFÉ”, “HAÇ”, „MENÜ“, »PÅ«, «Hotel Roma», «Booking.com»',
	'Order ORD-20261127T0308, file-2026-11-27T03:08.pdf',
	'PT100, Sensor PT100S and cable, Seat 2E-14, 2.5e, 1e3, 3.14159265358979',
	'A = B (sic), * | *, a~b^c, R&B; A&W; AT&T; 5 < 6 > 3',
	'maps.example/?q=52.520006599999988,13.404953999999975',
	'Err: no 502, 0',
	'ada@shop.example, Ada <ada@shop.example>, @ada',
];

const FROM_CELLS = [
	...[
		'€',
		'£',
		'%',
		'✓',
		'★★★★★',
		'None',
		'N/A',
		'nil',
		'Null',
		'5',
		'x',
		'+',
		'Hmm...',
		'Nan',
		'É\u00a0um',
	],
	...['3.14159265358979', '45987.5', '12345.67', '1.234.567,89'],
	'NaNoWriMo',
	'My cat is called Null, null Problem, um null Uhr, Infinity Ltd, Undefined',
	'#sale!',
	'#1!',
	'C# is a language! A#B, AT&T #5',
	'https://shop.example/?at=52.520006599999988',
	'https://shop.example/#FAQ!',
	'https://shop.example/?q=%C3%BCBUNG%20x&utm_source=a__b__c',
];

describe.each(Object.entries(FIELDS))('%s', (field, check) => {
	// The fields share one check: by day all rows in one of them, and some in the others.
	const some = <Each>(rows: Each[]) => (field === 'placeholder' ? rows : rowsOf(rows));
	test.each(some(NEVER_RIGHT))(
		'never right: %j with %j: %s',
		async (...row) => await expectRow(check, row),
	);
	test.each(some(PEOPLE))(
		'a person’s words arrive: %j',
		async (text) => await expectRow(check, [text, {}, text]),
	);
	test.each(some(FROM_CELLS))(
		'a person’s words in a cell arrive: %j',
		async (text) => await expectRow(check, [...cell(text), text]),
	);
	test.each<Row>([
		['={{ 36.49 * 5 }}', {}, '182.45'],
		['={{ 0.1 + 0.2 }}', {}, '0.3'],
		['={{ 100 / 3 }}', {}, '33.3333333333333'],
		['={{ 1e-7 }}', {}, '0.0000001'],
		['={{ -1.5e-9 }}', {}, '-0.0000000015'],
		['={{ 9007199254740991 }}', {}, '9007199254740991'],
		['={{ 10n }}', {}, '10'],
		[
			"={{ $json.t.replace(/\\s+/g, ' ') }}",
			{ t: 'Wir haben null Toleranz' },
			'Wir haben null Toleranz',
		],
	])('%j with %j is written as %s', async (...row) => await expectRow(check, row));
	test.each(['={{ $now }}', '={{ new Date(0) }}'])('%s is a date', async (value) => {
		await expectRow(check, [value, {}, /date|time as machines/]);
	});
});

const IF_MEANT = " If it is meant, add 'Options → Send Unusual Texts'.";

describe.each(Object.entries({ placeholder, message }))('unusual in a %s', (field, check) => {
	test.each(field === 'placeholder' ? UNUSUAL : rowsOf(UNUSUAL))(
		'%s with %j is refused with a way through, and sent when it is meant',
		async (value, item, why) => {
			const { refused } = await check(value, item);
			expect(refused).toMatch(why);
			expect(refused!.endsWith(IF_MEANT)).toBe(true);
			// A placeholder is one line, whatever is meant.
			if (field === 'placeholder' && JSON.stringify(item).includes('\\n')) return;
			const { read } = await check(value, item, { sendUnusual: true });
			expect(read).toBeDefined();
			if (value === '={{ $json.cell }}' && typeof item.cell === 'string')
				expect(read).toBe(item.cell);
		},
	);
	test.each(rowsOf(NEVER_RIGHT))(
		'never right: %j with %j, even when it is meant',
		async (...row) => {
			await expectRow(async (value, item) => await check(value, item, { sendUnusual: true }), row);
		},
	);
});

test.each([
	...rowsOf(UNUSUAL).map(([value, item]): [string, IDataObject] => [value, item]),
	[...cell('Hi, I&#39;d like to know &amp; more')],
	[...cell('Use {{ $json.email }} in the To field')],
	['Approve the template: Hello {{1}}, until 2026-11-27T03:08:43Z?', {}],
] as Array<[string, IDataObject]>)(
	'a question may quote anything: %s with %j',
	async (value, item) => {
		const { read } = await question(value, item);
		expect(read).toBeDefined();
		if (value === '={{ $json.cell }}') expect(read).toBe(item.cell);
	},
);

test('the dry run shows unusual rows with their reason, and counts them', async () => {
	serve(withTemplates(HELLO, accepting));
	const parameters = sending('sendTemplate', {
		to: '={{ $json.to }}',
		template: chosen('name', 'made'),
		...placeholderValues({ 1: '={{ $json.name }}' }, ['1']),
		sendMode: 'dryRun',
	});
	const items = ['Ada', '[NAME]', '', 'Zoë'].map((name, index) => ({
		to: `44770090021${index}`,
		name,
	}));
	const { outputs, hints } = await runMessaging(harness, parameters, { items });
	expect(outputs[0].map(({ json }) => json.reason)).toEqual([
		'-',
		`Placeholder 1 is "[NAME]": nobody filled it in. Write the value, or an n8n expression, in its place.${IF_MEANT}`,
		'Placeholder 1 is empty.',
		'-',
	]);
	expect(hints.join(' ')).toContain(
		'2 of 4 rows cannot be sent, 1 of them for unusual texts: item 2',
	);
});

test('no row finds anything in a text that is taken for plain at the first look', () => {
	const cells = [...NEVER_RIGHT, ...UNUSUAL].map(([value, item]) => String(item.cell ?? value));
	const rows = [...tables.NEVER_RIGHT, ...tables.UNUSUAL].filter(
		([, , place]) => place !== 'misread',
	);
	for (const [, pattern] of rows) {
		const finds = new RegExp(pattern.replace(/[‹›]/g, ''), 'u');
		const found = [...cells, ...PEOPLE, ...FROM_CELLS].filter((text) => finds.test(text));
		// Each row is tried, so that one that is never looked at is noticed.
		expect([pattern, found.length]).not.toEqual([pattern, 0]);
		expect([pattern, ...found.filter(isOrdinary)]).toEqual([pattern]);
	}
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
});

describe('a column that is not there', () => {
	const items = [
		{ to: '447700900211', name: 'Ada', city: 'Oslo', '\ufeffcode': 7 },
		{ to: '447700900212', name: '', city: null },
		{ to: '447700900213', name: 'Cem' },
	];

	/** What the dry run shows, row by row. */
	async function dryRun(value: string, options: IDataObject = {}) {
		const rows: unknown[] = [];
		for (const operation of ['sendTemplate', 'sendText']) {
			nock.cleanAll();
			serve(withTemplates(HELLO, accepting));
			const field =
				operation === 'sendText'
					? { message: value }
					: {
							template: chosen('name', 'made'),
							...placeholderValues({ 1: value } as IDataObject, ['1']),
						};
			const parameters = sending(operation, {
				...field,
				sendMode: 'dryRun',
				options,
			} as IDataObject);
			const { outputs } = await runMessaging(harness, parameters, { items });
			rows.push(
				outputs[0].map(({ json }) => [
					json.status,
					String(json.reason).replace(/'Message'|Placeholder 1/g, 'It'),
				]),
			);
		}
		// Both fields say the same.
		expect(rows[0]).toEqual(rows[1]);
		return rows[0];
	}

	const NOWHERE = (expression: string, name: string) =>
		`It has "${expression}": no item has a field "${name}". There are: "to", "name", "city", "U+FEFFcode".${IF_MEANT}`;
	const all = (status: string, reason: string) => items.map(() => [status, reason]);

	test.each([
		['{{ $json.nope }}', 'nope'],
		['{{$json["first name"]}}', 'first name'],
		["{{ $json['code'] }}", 'code'],
	])(
		'no item has the field of %s: refused, with the columns that there are',
		async (expression, name) => {
			const value = `=Hello ${expression}, welcome`;
			expect(await dryRun(value)).toEqual(all('invalid', NOWHERE(expression, name)));
			expect(await dryRun(value, { sendUnusual: true })).toEqual(
				all('ready', `It has nothing in place of ${expression}.`),
			);
		},
	);

	test('other items have it, or it is empty: the reason names it, and it is sent', async () => {
		expect(await dryRun('=Hello {{ $json.name }} of {{ $json.city }}.')).toEqual([
			['ready', '-'],
			['ready', 'It has nothing in place of {{ $json.name }}, {{ $json.city }}.'],
			['ready', 'It has nothing in place of {{ $json.city }}.'],
		]);
	});

	test.each([
		'=Hello {{ $json.nope?.trim() }}, welcome',
		'=Hello {{ $json.nope || "you" }}, welcome',
	])('with a method or another value behind it, it is meant: %s', async (value) => {
		expect(await dryRun(value)).toEqual(all('ready', '-'));
	});

	test('null in the data leaves a gap inside a text, and undefined by an expression is refused even when it is meant', async () => {
		const options = { sendUnusual: true };
		expect((await message('=Hi {{ $json.x }}!', { x: null }, options)).read).toBe('Hi !');
		expect((await message('={{ "Hi " + $json.x }}', {}, options)).refused).toMatch(/"undefined"/);
	});

	test.each(['sendTemplate', 'sendText'])(
		'%s: a recipient in a column that is not there, also with one row',
		async (operation) => {
			serve(withTemplates(HELLO, accepting));
			const parameters = sending(operation, {
				to: '={{ $json.phone }}',
				message: 'Hello',
				template: chosen('name', 'made'),
				...placeholderValues({ 1: 'Ada' }, ['1']),
			});
			const { error } = await runMessaging(harness, parameters, { items: [{ '\ufeffphone': TO }] });
			expect(error?.message).toBe(
				'Nothing was sent. Item 1: The recipient is empty: no item has a field "phone". There are: "U+FEFFphone".',
			);
		},
	);
});

describe('the cure that a sentence proposes gives what the person meant, in n8n itself', () => {
	/** A placeholder with the proposed cure, in a workflow with this time zone. */
	async function cured(value: string, item: IDataObject, timezone: string) {
		const check = async (given: string) => await placeholder(given, item, {}, HELLO, timezone);
		const { refused } = await check(value);
		const [, whole] = /.*[Ww]rite (\S.*\}\}\S*)\. /.exec(refused! + ' ') ?? [];
		const [, method] = /(?:with|put) (\..*) behind the expression/.exec(refused!) ?? [];
		const cure = whole === undefined ? value.replace(' }}', `${method} }}`) : `=${whole}`;
		return { refused, ...(await check(cure)) };
	}

	const DAY = '27 Nov 2026';
	test.each<[value: unknown, berlin: string, newYork: string]>([
		['2026-12-01T09:30:00Z', '1 Dec 2026, 10:30', '1 Dec 2026, 04:30'],
		['2026-12-01T09:30:00.000Z,', '1 Dec 2026, 10:30', '1 Dec 2026, 04:30'],
		['2026-12-01T10:30:00+01:00', '1 Dec 2026, 10:30', '1 Dec 2026, 04:30'],
		['2026-12-01T10:30:00', '1 Dec 2026, 10:30', '1 Dec 2026, 10:30'],
		['2026-12-01T10:30', '1 Dec 2026, 10:30', '1 Dec 2026, 10:30'],
		// Midnight is a day: there, and in the time of Greenwich.
		['2026-11-26T23:00:00.000Z', DAY, '26 Nov 2026, 18:00'],
		['2026-11-27T00:00:00-05:00', '27 Nov 2026, 06:00', DAY],
		['2026-11-27T00:00:00', DAY, DAY],
		['2026-11-27T00:00:00.000Z', DAY, DAY],
		['2026-11-27T00:00:00+00:00', DAY, DAY],
		['Fri Nov 27 2026 00:00:00 GMT+0000 (Z)', DAY, DAY],
		[
			'Fri Nov 27 2026 03:08:43 GMT+0000 (Coordinated Universal Time)',
			'27 Nov 2026, 04:08',
			'26 Nov 2026, 22:08',
		],
		['Fri, 27 Nov 2026 03:08:43 GMT', '27 Nov 2026, 04:08', '26 Nov 2026, 22:08'],
		['2026-11-27 03:08:43.653', '27 Nov 2026, 03:08', '27 Nov 2026, 03:08'],
		['2026-11-27 03:08:43+00', '27 Nov 2026, 04:08', '26 Nov 2026, 22:08'],
		['20261127T030843Z', '27 Nov 2026, 04:08', '26 Nov 2026, 22:08'],
	])('a time: %s', async (at, berlin, newYork) => {
		for (const [zone, text] of [
			['Europe/Berlin', berlin],
			['America/New_York', newYork],
		]) {
			const item = { at } as IDataObject;
			const { refused, read } = await cured('={{ $json.at.replace(",", "") }}', item, zone);
			expect([zone, read]).toEqual([zone, text]);
			expect(refused).toContain(text.includes(':') ? `setZone('${zone}')` : '.setZone(');
			const inText = await cured(
				'=At {{ $json.at.replace(",", "") }}, {{ $json.at.length }}',
				item,
				zone,
			);
			expect([zone, inText.read]).toEqual([zone, `At ${text}, ${String(at).length}`]);
		}
	});

	test.each<[string, string]>([
		['={{ $today }}', 'today'],
		['={{ DateTime.fromISO("2026-11-27T10:30") }}', '27 Nov 2026, 10:30'],
		['={{ new Date("2026-11-27") }}', DAY],
		['={{ new Date("2026-12-01T09:30:00Z") }}', '1 Dec 2026, 10:30'],
	])('a date: %s', async (value, text) => {
		const { read } = await cured(value, {}, 'Europe/Berlin');
		if (text === 'today') expect(read).toMatch(/^\d+ \w{3} \d{4}$/);
		else expect(read).toBe(text);
	});

	test.each<[string, IDataObject, string]>([
		['={{ $json.html }}', { html: '<b>Order 7:</b> <br>ready' }, 'Order 7: ready'],
		['=Hi {{ $json.html }}!', { html: '<b>Ada</b>' }, 'Hi Ada!'],
	])('HTML: %s', async (value, item, text) => {
		expect((await cured(value, item, 'Europe/Berlin')).read).toBe(text);
	});
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
		['https://shop.example/go?to={{1}}', 'https://a.example/x', 'https://a.example/x'],
		[
			'https://shop.example/go?to={{1}}',
			'https://a.example/x?y=1&z=2',
			'https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z%3D2',
		],
		['{{1}}', 'https://a.example/x', 'https://a.example/x'],
		['https://{{1}}', 'https://a.example/x', 'a.example/x'],
		[PAY, 'mailto:a@b.example', /is another address/],
		[PAY, 'id:42', 'id:42'],
	])('of %s, with %s', async (url, value, expected) => {
		const check = async (given: unknown, item: IDataObject) =>
			await placeholder(given, item, {}, withButton(url));
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
			options: { [field === 'metadata' ? field : 'templateFields']: value },
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
	const BRACES = /has "\{\{ \$json\.\w+ \}\}": nobody filled it in/;
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
		['= {{ { a: 1 } }}', {}, AROUND],
		['={{ { a: 1 } }}\n', {}, AROUND],
		['\ufeff{ "a": 1 }\n', {}, '{"a":1}'],
		['{ “a”: 1 }', {}, /is not valid JSON/],
		['{ "a": NaN }', {}, /is not valid JSON/],
		['{ "a": "{{1}}" }', {}, '{"a":"{{1}}"}'],
		[
			'{ "url": "https://a.example/{{message.id}}" }',
			{},
			'{"url":"https://a.example/{{message.id}}"}',
		],
		['{ "{{ $json.key }}": 1 }', {}, BRACES],
		['{ "a": 12345678901234567890 }', {}, QUOTES],
		['{ "a": 0.30000000000000004 }', {}, '{"a":0.30000000000000004}'],
		['{"note": "{{ $json.name }}"}', {}, BRACES],
		['{ "order": 7615917337495251231 }', {}, /has the number 7615917337495251231.*quotation marks/],
		['{ "a": [{ "b": -9007199254740993 }] }', {}, QUOTES],
		['{ "a": 1e400 }', {}, QUOTES],
		['{ "a": "7615917337495251231" }', {}, '{"a":"7615917337495251231"}'],
		['{ "a": "x \\" 7615917337495251231" }', {}, '{"a":"x \\" 7615917337495251231"}'],
		['{ "a": [0, -0.5, 1.50, 1E3, 0.1] }', {}, '{"a":[0,-0.5,1.5,1000,0.1]}'],
		['={{ { order: $json.order } }}', { order: Number('7615917337495251231') }, DIGITS],
		['={{ { order: 0 / 0 } }}', {}, /A number in .* is NaN/],
		['={{ { name: $json.name.slice(0, 4) } }}', { name: 'Ada🎉' }, HALF],
		['{ "a": "\\ud83c" }', {}, HALF],
		["{'a': 1}", {}, /is not valid JSON/],
		['{"a": 1,}', {}, /is not valid JSON.* no comma before \} or \]\.$/],
		['[1]', {}, /must be a JSON object/],
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
