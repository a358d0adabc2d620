import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';
import { isOrdinary } from '../../../nodes/Messaging/words/readable';
import * as tables from '../../../nodes/Messaging/words/tables';
import { serve, success, withTemplates } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, runMessaging, sending } from '../../support/runMessaging';
import { rowsOf } from '../../support/share';
import { asking, messageOf } from '../sendAndWait/questionRun';
import { placeholderValues } from '../templates/placeholderValues';
import { FILE } from './texts';

/*
 * What a person would read of a value, in each of the three fields with such a text. The values are in texts.txt. Many are read
 * in one dry run, because each costs a start of n8n's engine: as the placeholders of one template, or the cells of one column.
 */

const harness = useHarness();
const ask = asking(harness);
const IF_MEANT = " If it is meant, add 'Options → Send Unusual Texts'.";

/** The row in which expressions are evaluated. */
const ROW: IDataObject = {
	...{ name: 'Ada', nothing: null, price: 36.49, zero: 0, soon: 'soon', astral: 'Ada🎉 Brown' },
	...{ parts: [{ type: 'text', text: 'Yes' }], object: { a: 1 }, t: 'null Uhr', long: 2 ** 63 },
	...{ at: '2026-12-01T09:30:00Z', until: 'until 2026-12-01T09:30:00Z' },
};

const linesOf = (section: string) => {
	const [body] = FILE.split(`\n= ${section}\n`)[1].split('\n\n');
	return body.trimEnd().split('\n');
};

/** The texts of a section, each with why it is refused. */
function textsOf(section: string): Array<[text: string, why: string]> {
	const rows: Array<[string, string]> = [];
	let why = '';
	for (const line of linesOf(section)) {
		if (line.startsWith('\t'))
			for (const text of line.slice(1).split('   ')) rows.push([text, why]);
		else why = line;
	}
	return rows;
}

/** The rows of a section that is a table. */
const tableOf = (section: string) => linesOf(section).map((line) => line.split(' | '));

/** Either the text that would leave, or the sentence that refuses it. */
type Result = { read: unknown } | { refused: string };
type Settings = { row?: IDataObject; options?: IDataObject; timezone?: string; urls?: string[] };

async function dryRun(field: IDataObject, items: IDataObject[], settings: Settings = {}) {
	const { options = {}, timezone } = settings;
	const operation = 'template' in field ? 'sendTemplate' : 'sendText';
	const to = { to: '={{ $json.to }}', sendMode: 'dryRun', options };
	const numbered = items.map((item, index) => ({ to: String(447700900000 + index), ...item }));
	const parameters = sending(operation, { ...to, ...field } as IDataObject);
	const { outputs, hints } = await runMessaging(harness, parameters, { items: numbered, timezone });
	return { rows: outputs[0].map(({ json }) => json), hints };
}

type Part = { message: string; template: { components: Array<{ parameters: IDataObject[] }> } };
const partOf = ({ message }: IDataObject) => JSON.parse(String(message)) as Part;
const parametersOf = ({ template }: Part) => template.components.flatMap((each) => each.parameters);

/** The chosen template, of a service that has no other. */
function templateOf(components: object[]): IDataObject {
	nock.cleanAll();
	serve(withTemplates([{ name: 'made', language: 'en', components }], () => success([])));
	return { template: chosen('name', 'made') };
}

/** A template with one placeholder, which has this value. */
const templateField = (value: string): IDataObject => ({
	...templateOf([{ type: 'BODY', text: 'Hello {{1}}' }]),
	...placeholderValues({ 1: value }, ['1']),
});

/** Gives a template's placeholders these values, as they are saved: of its text, or of buttons with these addresses. */
async function placeholders(values: unknown[], settings: Settings = {}): Promise<Result[]> {
	const { row = ROW, urls } = settings;
	const ids = values.map((_, index) => (urls ? `button_${index} 1` : String(index + 1)));
	const labels = ids.map((id, index) => `Placeholder ${urls ? `1 (button ${index + 1})` : id} `);
	const buttons = urls?.map((url, index) => ({ type: 'URL', text: `Pay ${index}`, url }));
	const body = { type: 'BODY', text: urls ? 'Hello' : ids.map((id) => `{{${id}}}`).join(' ') };
	const components = buttons ? [body, { type: 'BUTTONS', buttons }] : [body];
	const readRow = async (given: unknown[]) => {
		const filled = Object.fromEntries(ids.map((id, index) => [id, given[index]])) as IDataObject;
		const field = { ...templateOf(components), ...placeholderValues(filled, ids) };
		return (await dryRun(field, [row], settings)).rows[0];
	};
	const { reason } = await readRow(values);
	const problems = String(reason).split(
		/ (?=Placeholder \d+(?: \(.*?\))? (?:is|has|contains|must) )/,
	);
	const refused = labels.map((label) => problems.find((each) => each.startsWith(label)));
	// A failed expression fails the whole field.
	if (reason !== '-' && !refused.some(Boolean))
		return values.map(() => ({ refused: String(reason).replace(/^'Placeholder 1' /, '') }));
	const sent = await readRow(values.map((value, index) => (refused[index] ? 'x' : value)));
	const parameters = parametersOf(partOf(sent));
	return refused.map((sentence, index) =>
		sentence ? { refused: sentence.slice(labels[index].length) } : { read: parameters[index].text },
	);
}

const resultOf = (row: IDataObject, textIn: (part: Part) => unknown): Result =>
	row.status === 'ready'
		? { read: textIn(partOf(row)) }
		: { refused: String(row.reason).replace(/^(?:'Message'|Placeholder 1) /, '') };

type Read = (values: unknown[], settings?: Settings) => Promise<Result[]>;

const CELL = '={{ $json.cell }}';
const rowsWith = (cells: unknown[]) => cells.map((cell) => ({ cell })) as IDataObject[];

/** How a field reads the cells of a column, and values as they are saved. */
const FIELDS: Record<string, { inCells: Read; asSaved: Read }> = {
	placeholder: {
		async inCells(cells, settings = {}) {
			const { rows } = await dryRun(templateField(CELL), rowsWith(cells), settings);
			return rows.map((row) => resultOf(row, (part) => parametersOf(part)[0].text));
		},
		asSaved: placeholders,
	},
	message: {
		async inCells(cells, settings = {}) {
			const { rows } = await dryRun({ message: CELL }, rowsWith(cells), settings);
			return rows.map((row) => resultOf(row, (part) => part.message));
		},
		async asSaved(values, settings = {}) {
			const results: Result[] = [];
			for (const message of values as string[]) {
				const { rows } = await dryRun({ message }, [ROW], settings);
				results.push(resultOf(rows[0], (part) => part.message));
			}
			return results;
		},
	},
};

async function question(value: string, row: IDataObject): Promise<Result> {
	nock.cleanAll();
	const run = await ask({ message: value }, { items: [row] }, success({ id: 'm1' }));
	if (run.outcome.error) return { refused: String(run.outcome.error) };
	return { read: messageOf(run.asked[0]).split('\n\nAnswer here: ')[0] };
}

const refusedBy = (why: string | RegExp) => ({ refused: expect.stringMatching(why) as string });
const trimmed = (result: Result) => ('read' in result ? String(result.read).trim() : result);
/** Values beside their results, so that a difference names its value. */
const beside = <Each>(values: unknown[], results: Each[]) =>
	values.map((value, index) => [value, results[index]]);

const MEANT = { options: { sendUnusual: true } };

describe.each(Object.entries(FIELDS))('%s', (_, { inCells, asSaved }) => {
	const alone: Read = async (values, settings) => {
		const results: Result[] = [];
		for (const value of values) results.push(...(await asSaved([value], settings)));
		return results;
	};

	test.each<[string, Read]>([
		['never right, in a cell', inCells],
		['never right, as it is saved', asSaved],
		['never right, alone', alone],
	])('%s, also when it is meant', async (section, read) => {
		const rows = textsOf(section);
		const texts = rows.map(([text]) => text);
		const times = section.endsWith('alone') ? [{}] : [{}, MEANT];
		for (const settings of times)
			expect(beside(texts, await read(texts, settings))).toEqual(
				rows.map(([text, why]) => [text, refusedBy(why)]),
			);
	});

	test.each<[string, Read]>([
		['unusual, in a cell', inCells],
		['unusual, as it is saved', asSaved],
	])('%s, and sent when it is meant', async (section, read) => {
		const rows = textsOf(section);
		const texts = rows.map(([text]) => text);
		const refused = rows.map(([text, why]) => [text, refusedBy(`${why}.*${IF_MEANT}$`)]);
		expect(beside(texts, await read(texts))).toEqual(refused);
		const sent = await read(texts, MEANT);
		if (read === inCells) expect(sent.map(trimmed)).toEqual(texts.map((text) => text.trim()));
		else expect(sent.filter((each) => 'refused' in each)).toEqual([]);
	});

	test.each<[string, Read]>([
		['people, in a cell', inCells],
		['people, as it is saved', asSaved],
	])('%s: the words arrive', async (section, read) => {
		const texts = textsOf(section).map(([text]) => text);
		expect(await read(texts)).toEqual(texts.map((text) => ({ read: text })));
	});

	test.each<[string, unknown[]]>([
		['must be', [['a']]],
		['has half a character', ['\udf89 Brown']],
		['more digits than n8n can hold', [ROW.long]],
		['is empty|only invisible', ['', '  ', '\u200b\u2060', '\u2800\u3164']],
		['read with the wrong encoding', ['Don\u0092t', 'A\0d']],
	])('a cell %s', async (why, cells) => {
		expect(await inCells(cells)).toEqual(cells.map(() => refusedBy(why)));
	});

	test('numbers are written for people', async () => {
		const rows = tableOf('values as they are saved, and how they are written');
		const texts = rows.map(([, text]) => ({ read: text }));
		expect(await asSaved(rows.map(([value]) => value))).toEqual(texts);
	});
});

test.each([
	...rowsOf(textsOf('unusual, in a cell').map(([text]) => text)),
	'Use {{ $json.email }} in the To field',
	'Approve the template: Hello {{1}}, until 2026-11-27T03:08:43Z?',
])('a question may quote anything: %s', async (text) => {
	expect(trimmed(await question(CELL, { cell: text }))).toBe(text.trim());
});

test.each(rowsOf(textsOf('never right, as it is saved')))(
	'a question has nothing that is never right: %s',
	async (value, why) => {
		expect(await question(value, ROW)).toEqual(refusedBy(why));
	},
);

test('the dry run shows unusual rows with their reason, and counts them', async () => {
	const items = ['Ada', '[NAME]', '', 'Zoë'].map((name) => ({ name }));
	const { rows, hints } = await dryRun(templateField('={{ $json.name }}'), items);
	expect(rows.map(({ reason }) => reason)).toEqual([
		'-',
		`Placeholder 1 is "[NAME]": nobody filled it in. Write the value, or an n8n expression, in its place.${IF_MEANT}`,
		'Placeholder 1 is empty.',
		'-',
	]);
	expect(hints.join(' ')).toContain('2 of 4 rows cannot be sent, 1 of them for unusual texts');
});

test('no row finds anything in a text that is taken for plain at the first look', () => {
	const kinds = ['never right', 'unusual', 'people'];
	const sections = kinds.flatMap((kind) => [`${kind}, in a cell`, `${kind}, as it is saved`]);
	const texts = sections.flatMap(textsOf).map(([text]) => text);
	for (const [, pattern, place] of [...tables.NEVER_RIGHT, ...tables.UNUSUAL]) {
		if (place === 'misread') continue;
		const finds = new RegExp(pattern.replace(/[‹›]/g, ''), 'u');
		const found = texts.filter((text) => finds.test(text));
		// Each row is tried, so that one that is never looked at is noticed.
		expect([pattern, found.length]).not.toEqual([pattern, 0]);
		expect([pattern, ...found.filter(isOrdinary)]).toEqual([pattern]);
	}
});

test('a placeholder is one line, and the error gives the expression that mends it', async () => {
	const LINE = 'contains a line break or a tab. Write';
	const BLANKS = 'contains more than four spaces in a row. Write';
	const breaks = ['\n', '\t', '\r\n', '\v', '\f', '\u2028', '\u2029', '     ', '\u00a0'.repeat(5)];
	const row = { breaks: breaks.map((each) => `a${each}b`), text: 'a\nb', a: 'a\n', b: 'b' };
	const rows: Array<[value: string, what: string, cure: string]> = [
		...breaks.map((found, index): [string, string, string] => [
			`={{ $json.breaks[${index}] }}`,
			found.length > 2 ? BLANKS : LINE,
			`{{ $json.breaks[${index}].replace(/\\s+/g, ' ') }}`,
		]),
		['={{ $json["text"] }}', LINE, `{{ $json["text"].replace(/\\s+/g, ' ') }}`],
		['={{ $json.a + $json.b }}', LINE, "{{ ($json.a + $json.b).replace(/\\s+/g, ' ') }}"],
		['=Re: {{ $json.text }}!', LINE, "Re: {{ $json.text.replace(/\\s+/g, ' ') }}!"],
		['={{ $json.text }} {{ $json.b }}', LINE, "{{ $json.text.replace(/\\s+/g, ' ') }}"],
		['a\nb', LINE, 'it on one line'],
		['=a\n{{ $json.b }}', LINE, 'it on one line'],
	];
	const values = rows.map(([value]) => value);
	const sentences = rows.map(([, what, cure]) => ({ refused: `${what} ${cure}.` }));
	expect(beside(values, await placeholders(values, { row }))).toEqual(beside(values, sentences));
	// What the error says works.
	const cures = rows.map(([, , cure]) => `=${cure}`).filter((cure) => cure.includes('{{'));
	for (const result of await placeholders(cures, { row }))
		expect(result).toEqual({ read: expect.stringMatching(/^(Re: )?a b!?$/) as string });
});

describe('a column that is not there', () => {
	const items = [
		{ name: 'Ada', city: 'Oslo', '\ufeffcode': 7 },
		{ name: '', city: null },
		{ name: 'Cem' },
	];

	/** What the dry run shows, row by row: the same in both fields. */
	async function rowsFor(value: string, options: IDataObject = {}) {
		const shown: unknown[] = [];
		for (const field of [{ message: value }, templateField(value)]) {
			const { rows } = await dryRun(field as IDataObject, items, { options });
			const rest = /^(?:'Message'|Placeholder 1) /;
			shown.push(rows.map(({ status, reason }) => [status, String(reason).replace(rest, '')]));
		}
		expect(shown[0]).toEqual(shown[1]);
		return shown[0];
	}

	const all = (status: string, reason: string) => items.map(() => [status, reason]);

	test.each([
		['{{ $json.nope }}', 'nope'],
		['{{$json["first name"]}}', 'first name'],
		["{{ $json['code'] }}", 'code'],
	])(
		'no item has the field of %s: refused, with the columns that there are',
		async (code, name) => {
			const nowhere = `has "${code}": no item has a field "${name}". There are: "to", "name", "city", "U+FEFFcode".${IF_MEANT}`;
			expect(await rowsFor(`=Hello ${code}, welcome`)).toEqual(all('invalid', nowhere));
			expect(await rowsFor(`=Hello ${code}, welcome`, { sendUnusual: true })).toEqual(
				all('ready', `has nothing in place of ${code}.`),
			);
		},
	);

	test('a field that is nothing but this expression is empty, and says why', async () => {
		for (const field of [{ message: '={{ $json.nope }}' }, templateField('={{ $json.nope }}')]) {
			const { rows } = await dryRun(field as IDataObject, items);
			expect(rows[0].reason).toMatch(
				/^(?:'Message' is empty|Placeholder 1 has no value): no item has a field "nope"\. There are: "to", "name", /,
			);
		}
	});

	test('other items have it, or it is empty: the reason names it, and it is sent', async () => {
		expect(await rowsFor('=Hello {{ $json.name }} of {{ $json.city }}.')).toEqual([
			['ready', '-'],
			['ready', 'has nothing in place of {{ $json.name }}, {{ $json.city }}.'],
			['ready', 'has nothing in place of {{ $json.city }}.'],
		]);
	});

	test('with a method or another value behind it, it is meant', async () => {
		for (const code of ['$json.nope?.trim()', '$json.nope || "you"'])
			expect(await rowsFor(`=Hello {{ ${code} }}, welcome`)).toEqual(all('ready', '-'));
	});

	test('a recipient in a column that is not there, also with one row', async () => {
		for (const field of [{ message: 'Hello' }, templateField('Ada')]) {
			const to = { to: '={{ $json.phone }}' };
			const { rows } = await dryRun({ ...field, ...to }, [{ '\ufeffphone': '1' }]);
			expect(rows[0].reason).toBe(
				'The recipient is empty: no item has a field "phone". There are: "to", "U+FEFFphone".',
			);
		}
	});
});

describe('the cure that a sentence proposes gives what the person meant, in n8n itself', () => {
	/** Reads values, replaces each by what its sentence proposes, and reads them again. */
	async function cured(values: string[], row: IDataObject, timezone: string) {
		const refused = (await placeholders(values, { row, timezone })).map((each) =>
			String(Reflect.get(each, 'refused')),
		);
		const cures = refused.map((sentence, index) => {
			const [, whole] = /.*[Ww]rite (\S.*\}\}\S*)\. /.exec(`${sentence} `) ?? [];
			const [, method] = /(?:with|put) (\..*) behind the expression/.exec(sentence) ?? [];
			return whole === undefined ? values[index].replace(' }}', `${method} }}`) : `=${whole}`;
		});
		return { refused, read: await placeholders(cures, { row, timezone }) };
	}

	test.each([
		['Europe/Berlin', 1],
		['America/New_York', 2],
	])('a time, as the whole value and in a text: %s', async (zone, column) => {
		const table = tableOf('times, and how they are written in Berlin and in New York');
		const [times, texts] = [0, column].map((index) => table.map((line) => line[index]));
		const code = times.map((_, index) => `={{ $json.times[${index}].replace(",", "") }}`);
		const { refused, read } = await cured(code, { times }, zone);
		const expected = texts.map((text) => ({ read: text }));
		expect(beside(times, read)).toEqual(beside(times, expected));
		const ofZone = refused.filter((_, index) => texts[index].includes(':'));
		for (const sentence of ofZone) expect(sentence).toContain(`.setZone('${zone}')`);
		const around = code.map((each) => `=At ${each.slice(1)}, {{ $json.times.length }}`);
		const inTexts = texts.map((text) => ({ read: `At ${text}, ${times.length}` }));
		expect((await cured(around, { times }, zone)).read).toEqual(inTexts);
	});

	test('a date, and HTML', async () => {
		const row = { html: '<b>Order 7:</b> <br>ready', tag: '<b>Ada</b>' };
		const texts = new Map<string, unknown>([
			['={{ $today }}', expect.stringMatching(/^\d+ \w{3} \d{4}$/)],
			['={{ DateTime.fromISO("2026-11-27T10:30") }}', '27 Nov 2026, 10:30'],
			['={{ new Date("2026-11-27") }}', '27 Nov 2026'],
			['={{ new Date("2026-12-01T09:30:00Z") }}', '1 Dec 2026, 10:30'],
			['={{ $json.html }}', 'Order 7: ready'],
			['=Hi {{ $json.tag }}!', 'Hi Ada!'],
		]);
		const { read } = await cured([...texts.keys()], row, 'Europe/Berlin');
		expect(read).toEqual([...texts.values()].map((text) => ({ read: text })));
	});
});

test('a placeholder at the end of a button’s address', async () => {
	const rows = tableOf('addresses of buttons, values, and what leaves or why nothing does');
	const values = rows.map(([, value]) => value);
	const results = await placeholders(values, { urls: rows.map(([url]) => url) });
	const expected = rows.map(([, , text]) =>
		text.startsWith('is ') ? { refused: expect.stringContaining(text) as string } : { read: text },
	);
	expect(beside(values, results)).toEqual(beside(values, expected));
});
