import { misreadWord } from '../../../nodes/Messaging/utils/encoding';
import { refuseUnreadable } from '../../../nodes/Messaging/words/readable';

/*
 * Texts that were read with the wrong encoding, and true texts of many languages, both made by rule: the first from names by
 * encoding and decoding, the second from the data of languages in Node.js.
 */

/** As a stream, because Node.js 20 reads 1252 as Latin-1 otherwise: both are made. */
const readAs = (text: string, encoding: string, stream: boolean) =>
	new TextDecoder(encoding).decode(Buffer.from(text), { stream });

const NAMES =
	`ŞULE ŞAHİN IŞIK MUÑOZ JOÃO MÔNICA AVÓ ŠIMUN CŒUR ØYVIND BELÉM İstanbul Ayşe ÖZGÜR CORAÇÃO TRÊS VOCÊ MÊS
	irmã São Özil Ångström voilà Straße STRAßE Don’t „Hallo“ Nguyễn một mới București Azərbaycan Łódź ŁÓDŹ İZMİR ÇAĞRI ÎLE
	ÀNGELS ÉCOLE ÈVE ÚLTIMA ÍNDICE ÁGUA ÓTIMO ÑANDÚ ¡Hola ¿Qué 20°C N° 1º 2ª 5£ Nestlé™ ✅ ❤️ ★ 🎉 ČEŠTINA ŽELJKO ÞÓR őszi
	ĐẶNG Привет Ελλάδα שלום محمد नमस्ते 日本 你好 안녕 à Hà già più là-bas și Iași Təsvir Gecə gəlirəm qoʻshing Oʻzbek aɣa í ítems`.split(
		/\s+/,
	);

describe('UTF-8 that was read as another encoding', () => {
	test.each(NAMES)('%s, as Windows-1252 or Latin-1', (name) => {
		for (const stream of [true, false]) {
			const broken = `a ${readAs(name, 'windows-1252', stream)} b`;
			expect(misreadWord(broken)).toBe(broken.slice(2, -2));
		}
	});

	test.each([
		['windows-1250', 'Café Łódź Mařík żółty Kraków Józef Božena Martínek Żaneta Čapek Örs'],
		['windows-1251', 'При Привет Хорошо Україна'],
		['windows-1253', 'Ώρα Ελλάδα'],
		['windows-1254', '😊 Ünal Ağrı İSTANBUL'],
		['windows-1255', 'שלום'],
		['windows-1256', 'محمد القاهرة'],
		['windows-1257', 'Žalgiris Šiauliai'],
	])('as %s: %s', (encoding, names) => {
		for (const name of names.split(' '))
			expect(misreadWord(readAs(name, encoding, true))).toBeDefined();
	});

	test.each([
		'É\u00a0um',
		'È\u00a0pronto',
		'FERMÉ\u00a0!',
		'MAÇÃ\u00a05',
		'AMANHÃ\u00a0às',
		'MAMÃ\u00a0vem',
	])('a word of capitals before a no-break space is right: %j', (text) => {
		expect(misreadWord(text)).toBeUndefined();
	});

	test.each([
		...['„CASĂ“', 'LUNĂ”', 'Ăştia', 'UNIVERSITÄ\u00adTEN', 'Donau\u00addampf'],
		...['BEYONCÉ’s', 'Ç’a', 'MARCHÉ…les', 'PÂTÉ–maison', '“É”a', '«É»ou', 'CAFÉ®s', 'CAFÉ—bar'],
	])(
		'letters of Central Europe, a hyphen between syllables, and a sign behind a capital are right: %s',
		(text) => {
			expect(misreadWord(text)).toBeUndefined();
		},
	);

	test.each(['A\0d', 'Don\u0092t', '\u0096', 'JoÃƒÂ£o'])('%j has what nobody types', (text) => {
		expect(misreadWord(text)).toBe(text);
	});
});

/** Languages of all scripts and of all code pages. */
const LOCALES =
	`af ar az be bg bn bs ca cs da de el en es et fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ml ms
	nb nl pl pt pt-PT ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-Hant zu`.split(/\s+/);

const CODES = `de en es fr hu is ja mt pl pt ru sv tr vi zh`.split(' ');
const REGIONS = `AT BR CI CN CW DE EG ES FR GB GR HR IE IS JP MX NO PL RE ST TR UA US VN ZA`.split(
	' ',
);
const CURRENCIES = `BRL CZK EUR GBP INR JPY PLN SEK TRY UAH USD`.split(' ');

/** Names, dates, times, prices, lists and quotations of a language, also in capitals. */
function textsOf(locale: string): string[] {
	const at = new Date('2026-11-27T15:08:43Z');
	const names = (type: 'language' | 'region' | 'currency', codes: string[]) => {
		const name = new Intl.DisplayNames(locale, { type });
		return codes.map((code) => name.of(code)!);
	};
	const dates = (['full', 'long', 'medium', 'short'] as const).flatMap((style) => [
		new Intl.DateTimeFormat(locale, { dateStyle: style, timeStyle: 'medium' }).format(at),
		new Intl.DateTimeFormat(locale, { dateStyle: style }).format(at),
	]);
	const months = Array.from({ length: 12 }, (_, month) =>
		new Intl.DateTimeFormat(locale, { month: 'long', weekday: 'long', day: 'numeric' }).format(
			new Date(Date.UTC(2026, month, 3 + month)),
		),
	);
	const prices = CURRENCIES.map((currency) =>
		new Intl.NumberFormat(locale, { style: 'currency', currency }).format(-1234.5),
	);
	const units = ['celsius', 'percent', 'kilometer-per-hour', 'liter'].map((unit) =>
		new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(36.6),
	);
	const all = [
		...names('language', CODES),
		...names('region', REGIONS),
		...names('currency', CURRENCIES),
		...dates,
		...months,
		...prices,
		...units,
		new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-1, 'day'),
		new Intl.ListFormat(locale).format(names('region', REGIONS).slice(0, 4)),
	];
	const caps = all.map((text) => text.toLocaleUpperCase(locale));
	const quoted = caps.flatMap((text) => [
		`“${text}”`,
		`«${text}»`,
		`‘${text}’…`,
		`${text}™ – ${text}!`,
	]);
	return [...all, ...caps, ...quoted];
}

/** Returns why a text is refused; undefined if it is not. */
function refusalOf(text: string, mayBeUnusual: boolean): string | undefined {
	try {
		const raw = '={{ "" + $json.text }}';
		refuseUnreadable({ subject: 'It', text, raw, timeZone: 'UTC', mayBeUnusual });
	} catch (error) {
		return (error as Error).message;
	}
	return undefined;
}

test.each(LOCALES)('no name, date, price or quotation in %s is refused', (locale) => {
	const texts = textsOf(locale);
	expect(texts.length).toBeGreaterThan(400);
	expect(texts.map((text) => refusalOf(text, false)).filter(Boolean)).toEqual([]);
});
