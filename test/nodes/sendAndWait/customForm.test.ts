import type { IDataObject, INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { serve, success } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { EMPTY, linksIn, messageOf, question, QuestionRun, TO } from './questionRun';

const harness = useHarness();
async function ask(parameters: INodeParameters, items?: IDataObject[]) {
	nock.cleanAll();
	const asked = serve(success({ id: 'm1', content: 'x', contentType: 'TEXT' }));
	const run = await QuestionRun.start(
		harness,
		question({ responseType: 'customForm', ...parameters }),
		items ? { items } : {},
	);
	return { run, asked, link: linksIn(asked)[0] };
}

const fields = (...values: IDataObject[]): INodeParameters => ({
	formFields: { values } as INodeParameters,
});

const choice = (fieldType: string, more: IDataObject = {}): IDataObject => ({
	fieldLabel: 'Days',
	fieldType,
	fieldOptions: { values: ['Mon', 'Tue', 'Wed <3>'].map((option) => ({ option })) },
	...more,
});

const RESPONDED = {
	to: TO,
	sentAs: 'session',
	respondedAt: expect.stringMatching(/^\d{4}-.*Z$/),
};

/** Returns the fields of a page that have an error, each with its name and the sentence. */
const problems = (html: string) =>
	[...html.matchAll(/<div class="trouble" id="(field-\d+)-problem"[^>]*>([^<]*)</g)].map(
		([, name, sentence]) => `${name}: ${sentence}`,
	);

const ALL = fields(
	{ fieldLabel: 'Name <b>', requiredField: true, placeholder: 'e.g. "Ada"' },
	{ fieldLabel: 'Age', fieldType: 'number', fieldName: 'age' },
	{ fieldLabel: 'Email', fieldType: 'email' },
	{ fieldLabel: 'Notes', fieldType: 'textarea', defaultValue: 'None' },
	{ fieldLabel: 'PIN', fieldType: 'password' },
	{ fieldLabel: 'Day', fieldType: 'date' },
	choice('dropdown', { fieldLabel: 'One of' }),
	choice('radio', { fieldLabel: 'Just one', defaultValue: 'Tue' }),
	choice('checkbox', { fieldLabel: 'Any of', defaultValue: 'Mon, Wed <3>' }),
	{ fieldType: 'hiddenField', fieldName: 'order', fieldValue: '={{ $json.order }}' },
	{
		fieldType: 'html',
		elementName: 'terms',
		html: '<p>Order {{ $json.order }}<script>x</script></p>',
	},
);
const ITEM = [{ order: 'N12 <i>' }];

test('the chat has one link to the form, and opening it records nothing', async () => {
	const { run, asked, link } = await ask(
		{ ...ALL, options: { messageButtonLabel: 'Fill in' } },
		ITEM,
	);
	expect(messageOf(asked[0])).toBe(`May we ship order 12?\n\nFill in: ${link}`);
	const { answer, html, status } = await run.open(link);
	expect({ answer, status }).toEqual({ answer: undefined, status: 200 });
	expect(html).toContain('<input type="text" id="field-0" name="field-0" required');
	expect(html).toContain('placeholder="e.g. &quot;Ada&quot;"');
	expect(html).toContain('>\nNone</textarea>');
	expect(html).toMatch(/value="Tue" checked required|value="Tue" checked>/);
	expect(html.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2);
	expect(html).toMatch(/Name &lt;b&gt;/);
	// n8n 2.41 and newer accept only this encoding from a custom form.
	expect(html).toContain('<form method="post" enctype="multipart/form-data">');
	// The page does not contain fields that the person must not see or change.
	expect(html).not.toContain('field-9');
	expect(html).toContain('<p>Order N12 <i></i></p>');
	expect(html).not.toContain('<script');
	expect(problems(html)).toEqual([]);
});

test('each field of the form is in the output, in the format of n8n’s own forms', async () => {
	const { run, link } = await ask(ALL, ITEM);
	const { answer, html, paragraph } = await run.open(link, {
		'field-0': ' Ada <b> ',
		'field-1': '41.5',
		'field-2': 'ada@example.com',
		'field-3': ' two\r\nlines ',
		'field-4': ' 12 ',
		'field-5': '2026-02-28',
		'field-6': 'Tue',
		'field-7': 'Wed <3>',
		'field-8': ['Mon', 'Wed <3>'],
		'field-9': 'forged',
		'field-10': 'forged',
		respondedAt: 'forged',
	});
	expect(answer).toEqual({
		'Name <b>': 'Ada <b>',
		age: 41.5,
		Email: 'ada@example.com',
		Notes: ' two\nlines ',
		PIN: ' 12 ',
		Day: '2026-02-28',
		'One of': 'Tue',
		'Just one': 'Wed <3>',
		'Any of': ['Mon', 'Wed <3>'],
		order: 'N12 <i>',
		terms: '<p>Order N12 <i></i></p>',
		...RESPONDED,
	});
	expect(paragraph).toBe('Your answer has been recorded. You can close this page.');
	expect(html).toContain('<strong>Name &lt;b&gt;</strong>\nAda &lt;b&gt;</p>');
	expect(html).toContain('<strong>Any of</strong>\nMon\nWed &lt;3&gt;</p>');
	expect(html).not.toMatch(/PIN|>order|forged/);
});

test('fields that are left empty are null or empty in the output', async () => {
	const { run, link } = await ask(ALL, ITEM);
	const { answer } = await run.open(link, { 'field-0': 'Ada', 'field-1': '', 'field-6': '' });
	expect(answer).toMatchObject({
		age: null,
		Email: '',
		Day: '',
		'One of': '',
		'Just one': null,
		'Any of': [],
	});
});

test('the page repeats the number that is recorded', async () => {
	const { run, link } = await ask(fields({ fieldLabel: 'Room', fieldType: 'number' }));
	const { answer, html } = await run.open(link, { 'field-0': '007.50' });
	expect(answer).toMatchObject({ Room: 7.5 });
	expect(html).toContain('7.5');
	expect(html).not.toContain('007');
});

describe('an invalid entry: the page is shown again with a sentence at the field, and nothing is recorded', () => {
	const REQUIRED = 'This field is required.';
	test.each<[string, IDataObject, unknown, string | undefined]>([
		['empty', { requiredField: true }, { 'field-0': '' }, REQUIRED],
		['blank', { requiredField: true }, { 'field-0': ' \n ' }, REQUIRED],
		['missing', { requiredField: true }, EMPTY, REQUIRED],
		['an object', { requiredField: true }, { 'field-0': { a: 1 } }, REQUIRED],
		['twice', { requiredField: true }, { 'field-0': ['a', 'b'] }, REQUIRED],
		['too long', {}, { 'field-0': 'x'.repeat(10_001) }, 'This answer is too long.'],
		[
			'not a number',
			{ fieldType: 'number' },
			{ 'field-0': 'ten' },
			'Enter only numbers in this field.',
		],
		[
			'not a finite number',
			{ fieldType: 'number' },
			{ 'field-0': '1e999' },
			'Enter only numbers in this field.',
		],
		...['0x10', '1,5', '12345678901234567', 'Infinity'].map(
			(entry): [string, IDataObject, unknown, string] => [
				`${entry} as a number`,
				{ fieldType: 'number' },
				{ 'field-0': entry },
				'Enter only numbers in this field.',
			],
		),
		[
			'not an email address',
			{ fieldType: 'email' },
			{ 'field-0': 'ada@' },
			'Enter a valid email address in this field.',
		],
		[
			'not a date',
			{ fieldType: 'date' },
			{ 'field-0': '28.02.2026' },
			'Enter a date in this field.',
		],
		[
			'a day that does not exist',
			{ fieldType: 'date' },
			{ 'field-0': '2026-02-30' },
			'Enter a date in this field.',
		],
		[
			'an option that does not exist',
			choice('dropdown'),
			{ 'field-0': 'Sun' },
			'Select one of the options.',
		],
		[
			'a button that does not exist',
			choice('radio'),
			{ 'field-0': 'Sun' },
			'Select one of the options.',
		],
		[
			'a box that does not exist',
			choice('checkbox'),
			{ 'field-0': ['Mon', 'Sun'] },
			'Select one of the options.',
		],
		['no radio button', choice('radio', { requiredField: true }), {}, REQUIRED],
		['no box', choice('checkbox', { requiredField: true }), {}, REQUIRED],
		[
			'not exactly 2',
			choice('checkbox', { limitSelection: 'exact', numberOfSelections: 2 }),
			{ 'field-0': 'Mon' },
			'Select exactly 2.',
		],
		[
			'too few',
			choice('checkbox', { limitSelection: 'range', minSelections: 1, maxSelections: 2 }),
			{},
			'Select at least 1.',
		],
		[
			'too many',
			choice('checkbox', { limitSelection: 'range', minSelections: 1, maxSelections: 2 }),
			{ 'field-0': ['Mon', 'Tue', 'Wed <3>'] },
			'Select at most 2.',
		],
		['no file', { fieldType: 'file', requiredField: true }, {}, REQUIRED],
	])('%s', async (_, field, sent, sentence) => {
		const { run, link } = await ask(fields({ fieldLabel: 'Field', ...field }));
		const page = await run.open(link, sent);
		expect({ answer: page.answer, problems: problems(page.html) }).toEqual({
			answer: undefined,
			problems: [`field-0: ${sentence}`],
		});
		expect(page.html).toMatch(/role="alert"[^>]*>Please check the marked fields\./);
		expect(page.html).toMatch(/aria-invalid="true" aria-describedby="field-0-problem" autofocus/);
	});

	test('the page keeps the entered values, except a password', async () => {
		const { run, link } = await ask(ALL, ITEM);
		const { html } = await run.open(link, {
			'field-0': 'Ada "<b>"',
			'field-1': 'ten',
			'field-3': '\nfirst line is empty',
			'field-4': 'secret',
			'field-5': '2026-02-28',
			'field-6': 'Tue',
			'field-7': 'Mon',
			'field-8': 'Tue',
		});
		expect(problems(html)).toEqual(['field-1: Enter only numbers in this field.']);
		for (const kept of [
			'value="Ada &quot;&lt;b&gt;&quot;"',
			'value="ten"',
			'>\n\nfirst line is empty</textarea>',
			'value="2026-02-28"',
			'<option value="Tue" selected>',
			'name="field-7" value="Mon" checked',
			'name="field-8" value="Tue" checked',
		]) {
			expect(html).toContain(kept);
		}
		expect(html).not.toContain('secret');
		expect(html.match(/ checked/g)).toHaveLength(2);
	});
});

describe('files', () => {
	const upload = (name: string, more: IDataObject = {}) => ({
		filepath: `/tmp/${name}`,
		originalFilename: name,
		mimetype: 'image/png',
		size: 3,
		...more,
	});
	/** A submission with files, as n8n reads it, and the files that n8n stored. */
	const submit = async (
		{ run, link }: Awaited<ReturnType<typeof ask>>,
		body: IDataObject,
		contentType = 'multipart/form-data',
	) => {
		const stored: string[] = [];
		const page = await run.open(link, body, {
			getRequestObject: () => ({ method: 'POST', contentType }),
			nodeHelpers: {
				copyBinaryFile: async (path: string, fileName: string, mimeType: string) => {
					stored.push(path);
					return { data: path, fileName, mimeType };
				},
			},
		} as never);
		return { ...page, stored, binary: page.result.workflowData?.[0][0].binary };
	};
	const PHOTOS = fields(
		{
			fieldLabel: 'Your photos',
			fieldType: 'file',
			multipleFiles: true,
			acceptFileTypes: '.PNG, .jpg',
		},
		{ fieldLabel: 'Name', requiredField: true },
	);

	test('are in the binary data of the output, and named in the answer', async () => {
		const asked = await ask(PHOTOS);
		const page = await asked.run.open(asked.link);
		expect(page.html).toContain('enctype="multipart/form-data"');
		expect(page.html).toMatch(/type="file"[^>]* accept=".png,.jpg" multiple/);
		const { answer, binary, html } = await submit(asked, {
			data: { 'field-1': 'Ada' },
			files: { 'field-0': [upload('a.png'), upload('b.JPG')] },
		});
		const described = { mimetype: 'image/png', size: 3 };
		expect({ answer, binary }).toEqual({
			answer: {
				'Your photos': [
					{ filename: 'a.png', ...described },
					{ filename: 'b.JPG', ...described },
				],
				Name: 'Ada',
				...RESPONDED,
			},
			binary: {
				Your_photos_0: { data: '/tmp/a.png', fileName: 'a.png', mimeType: 'image/png' },
				Your_photos_1: { data: '/tmp/b.JPG', fileName: 'b.JPG', mimeType: 'image/png' },
			},
		});
		expect(html).toContain('a.png\nb.JPG');
	});

	test('names in other alphabets do not replace each other', async () => {
		const asked = await ask(
			fields(
				{ fieldLabel: 'صورة', fieldType: 'file', multipleFiles: false },
				{ fieldLabel: 'ملفق', fieldType: 'file', multipleFiles: false },
			),
		);
		const files = { 'field-0': upload('a.png'), 'field-1': upload('b.png') };
		const { binary } = await submit(asked, { data: {}, files });
		expect(Object.values(binary ?? {}).map(({ fileName }) => fileName)).toEqual(['a.png', 'b.png']);
	});

	test.each(['pdf', '*.pdf', '.pdf, *'])(
		'%s accepts files that end with .pdf, and no others',
		async (types) => {
			const form = fields({ fieldLabel: 'File', fieldType: 'file', acceptFileTypes: types });
			const wrong = await submit(await ask(form), {
				data: {},
				files: { 'field-0': upload('notpdf') },
			});
			expect(problems(wrong.html)).toEqual(['field-0: Only these files are accepted: .pdf']);
			const right = await submit(await ask(form), {
				data: {},
				files: { 'field-0': upload('a.pdf') },
			});
			expect(right.answer).toBeDefined();
		},
	);

	test.each<[string, IDataObject, string[]]>([
		[
			'of another type',
			{ data: { 'field-1': 'Ada' }, files: { 'field-0': upload('a.exe') } },
			['field-0: Only these files are accepted: .png, .jpg'],
		],
		[
			'beside an invalid entry, which a browser does not keep',
			{ data: {}, files: { 'field-0': upload('a.png') } },
			['field-0: Please choose the file again.', 'field-1: This field is required.'],
		],
	])('%s are not accepted, and the page says so', async (_, body, expected) => {
		const { answer, html, stored } = await submit(await ask(PHOTOS), body);
		expect({ answer, stored, problems: problems(html) }).toEqual({
			answer: undefined,
			stored: [],
			problems: expected,
		});
	});

	test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/related'])(
		'a path in a body of type %s is never read',
		async (contentType) => {
			const { stored } = await submit(
				await ask(PHOTOS),
				{
					data: { 'field-1': 'Ada' },
					'field-1': 'Ada',
					files: { 'field-0': upload('secrets.png') },
				},
				contentType,
			);
			expect(stored).toEqual([]);
		},
	);

	test('when two people send files at the same time, only the first is confirmed', async () => {
		const asked = await ask(PHOTOS);
		const body = { data: { 'field-1': 'Ada' }, files: { 'field-0': upload('a.png') } };
		const pages = await Promise.all([submit(asked, body), submit(asked, body)]);
		expect(pages.map(({ answer, paragraph }) => [answer !== undefined, paragraph])).toEqual([
			[true, 'Your answer has been recorded. You can close this page.'],
			[false, 'This question has already been answered. Only the first answer counts.'],
		]);
	});
});

test('a second submission of a form is not recorded', async () => {
	const { run, link } = await ask(fields({ fieldLabel: 'Name' }));
	const first = await run.open(link, { 'field-0': 'Ada' });
	const second = await run.open(link, { 'field-0': 'Bob' });
	expect(first.answer).toEqual({ Name: 'Ada', ...RESPONDED });
	expect(second.answer).toBeUndefined();
	expect(second.paragraph).toMatch(/already been answered/);
});

describe('using JSON', () => {
	const json = (value: unknown): INodeParameters => ({
		defineForm: 'json',
		jsonOutput: typeof value === 'string' ? value : JSON.stringify(value),
	});

	test('expressions are resolved when the question is sent, as in n8n', async () => {
		const { run, link } = await ask(
			json(
				'=[{ "fieldLabel": "Is <{{ $json.order }}> right?", "fieldType": "radio", "fieldOptions": { "values": {{ $json.days }} } }]',
			),
			[{ order: 'N12', days: [{ option: 'Mon & Tue' }] }],
		);
		expect((await run.open(link)).html).toContain('Is &lt;N12&gt; right?');
		const { answer } = await run.open(link, { 'field-0': 'Mon & Tue' });
		expect(answer).toEqual({ 'Is <N12> right?': 'Mon & Tue', ...RESPONDED });
	});

	test('the example that the editor shows works', async () => {
		const { run, link } = await ask({ defineForm: 'json' });
		const { answer } = await run.open(link, { 'field-0': 'Ada', 'field-1': 'Monday' });
		expect(answer).toEqual({ Name: 'Ada', Day: 'Monday', ...RESPONDED });
	});
});

describe('a form that nobody can fill in is not sent', () => {
	const json = (written: string): INodeParameters => ({
		defineForm: 'json',
		// n8n checks the JSON only when it is not an expression.
		jsonOutput: `=${written}`,
	});
	test.each<[string, INodeParameters, RegExp]>([
		['no field', {}, /^The form has no field that a person can fill in\. Add one/],
		[
			'only a text',
			fields({ fieldType: 'html', html: 'Hi' }),
			/no field that a person can fill in/,
		],
		[
			'no label',
			fields({ fieldLabel: '={{ " " }}' }),
			/^Field 1 of the form \(text\) has no 'Label'/,
		],
		[
			'one name twice',
			fields({ fieldLabel: 'Name' }, { fieldLabel: 'Other', fieldName: 'Name' }),
			/two fields named "Name".*another 'Field Name'/,
		],
		[
			'a name that the output already has',
			fields({ fieldLabel: 'to' }),
			/is named "to".*Choose another/,
		],
		['no options', fields({ fieldLabel: 'Day', fieldType: 'radio' }), /\(Day\) has no options/],
		[
			'more selections than options',
			fields(choice('checkbox', { limitSelection: 'exact', numberOfSelections: 4 })),
			/asks for 4 selections, but only 3 are possible/,
		],
		['malformed JSON', json('[{'), /^'Form Fields' cannot be read\. .*JSON/],
		['JSON that is not a list', json('{}'), /must be an array/],
		['an unknown type', json('[{"fieldType":"colour"}]'), /'colour'/],
	])('%s', async (_, parameters, expected) => {
		const { run, asked } = await ask(parameters);
		expect(asked).toEqual([]);
		expect(run.error).toMatch(expected);
	});
});

test('the description replaces the message on the page', async () => {
	const { run, link } = await ask({
		...fields({ fieldLabel: 'Name' }),
		options: { responseFormDescription: 'As in your passport' },
	});
	const { html, paragraph } = await run.open(link);
	expect(paragraph).toBe('As in your passport');
	expect(html).not.toContain('May we ship');
});

test('the output when nobody fills in the form', async () => {
	const { run } = await ask({
		...fields({ fieldLabel: 'Name' }),
		options: { limitWaitTime: { values: { resumeAmount: 1, resumeUnit: 'hours' } } },
	});
	expect(run.unanswered[0].json.data).toEqual({ timedOut: true, to: TO, sentAs: 'session' });
});
