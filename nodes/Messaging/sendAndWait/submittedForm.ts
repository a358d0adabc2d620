import {
	BINARY_MODE_COMBINED,
	type GenericValue,
	type IBinaryKeyData,
	type IDataObject,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { text } from '../n8n/values';
import { isObject } from '../service/types';
import type { FormElement } from './form';
import type { PageTexts } from './pageTexts';

/** In characters, after CRLF has become LF. */
export const LONGEST_ANSWER = 10_000;

/** What a browser submitted: each field's values, and files that n8n keeps until the request is over. */
type Submitted = { data: IDataObject; files: IDataObject };

type UploadedFile = {
	filepath: string;
	originalFilename?: string;
	newFilename?: string;
	mimetype?: string;
	size: number;
};

/** What a person entered in one element of the form. */
export type Entered = {
	/** As it was written, for the page that asks to correct it. */
	written: string[];
	/** As the output has it. */
	value: GenericValue | IDataObject | GenericValue[];
	files: UploadedFile[];
	/** What is wrong with it, as a sentence. */
	problem?: string;
};

export const fieldName = (index: number) => `field-${index}`;

/** Reads the submitted form; also a JSON body with the same fields. */
export function submittedForm(context: IWebhookFunctions): Submitted {
	// n8n returns undefined for an empty body.
	const body = (context.getBodyData() as IDataObject | undefined) ?? {};
	// Only for this type has n8n stored the files itself. In any other body, the caller could name any path on this machine.
	const { contentType } = context.getRequestObject() as { contentType?: string };
	if (contentType !== 'multipart/form-data') return { data: body, files: {} };
	return { data: objectOf(body.data), files: objectOf(body.files) };
}

const objectOf = (value: unknown) => (isObject(value) ? (value as IDataObject) : {});

const listOf = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Checks what was entered in each element, as n8n's own page does. */
export function readForm(form: FormElement[], submitted: Submitted, texts: PageTexts): Entered[] {
	const entered = form.map((element, index) => {
		const key = fieldName(index);
		return readEntry(element, listOf(submitted.data[key]), listOf(submitted.files[key]), texts);
	});
	const isWrong = entered.some(({ problem }) => problem);
	return entered.map((each) =>
		// A browser does not keep chosen files on the page that asks to correct another field.
		isWrong && each.files.length > 0 ? { problem: texts.fileAgain, ...each } : each,
	);
}

function readEntry(
	element: FormElement,
	values: unknown[],
	files: unknown[],
	texts: PageTexts,
): Entered {
	const { type, isRequired, options } = element;
	const none = { written: [], files: [] };
	if (type === 'html' || type === 'hiddenField') return { ...none, value: element.content };
	if (type === 'file') {
		const chosen = files.filter(isFile);
		const described = chosen.map(({ originalFilename, mimetype, size }) => ({
			filename: originalFilename,
			mimetype,
			size,
		}));
		return {
			...none,
			files: chosen,
			value: element.takesManyFiles ? described : (described[0] ?? null),
			...problemOf([
				[isRequired && chosen.length === 0, texts.required],
				[!element.takesManyFiles && chosen.length > 1, texts.oneFile],
				[
					!chosen.every((file) => isAccepted(file, element.accepted)),
					texts.fileType.replace('[types]', () => element.accepted.join(', ')),
				],
			]),
		};
	}
	// Forms send CRLF line breaks; text in workflows usually has LF.
	const written = values.filter(isText).map((value) => String(value).replace(/\r\n?/g, '\n'));
	if (type === 'checkbox') {
		const chosen = options.filter((option) => written.includes(option));
		const { least, most } = element;
		const count = (sentence: string, limit: number) =>
			sentence.replace('[count]', () => String(limit));
		return {
			files: [],
			written: chosen,
			value: chosen,
			...problemOf([
				[isRequired && written.length === 0, texts.required],
				[!written.every((each) => options.includes(each)), texts.option],
				[least === most && chosen.length !== least, count(texts.exactly, least)],
				[chosen.length < least, count(texts.atLeast, least)],
				[chosen.length > most, count(texts.atMost, most)],
			]),
		};
	}
	const [first = ''] = written.length === 1 ? written : [];
	// Spaces at the start and the end may be part of a password or of a longer text.
	const entry = type === 'password' || type === 'textarea' ? first : first.trim();
	const isEmpty = entry.trim() === '';
	return {
		files: [],
		written: [entry],
		value:
			type === 'number'
				? isEmpty
					? null
					: Number(entry)
				: type === 'radio'
					? entry || null
					: entry,
		...problemOf([
			[isRequired && isEmpty, texts.required],
			[entry.length > LONGEST_ANSWER, texts.tooLong],
			...(isEmpty ? [] : [INVALID[type]?.(entry, element, texts) ?? [false, '']]),
		]),
	};
}

type Check = readonly [isWrong: boolean, sentence: string];

/** The same pattern as in n8n's own forms. */
const EMAIL = /^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/;

const isOption = (entry: string, { options }: FormElement, { option }: PageTexts): Check => [
	!options.includes(entry),
	option,
];

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether JavaScript keeps all digits before the point: of a longer number, another one would be recorded. */
const isNumber = (entry: string) =>
	DECIMAL.test(entry) && Math.abs(Number(entry)) <= Number.MAX_SAFE_INTEGER;

const INVALID: Partial<
	Record<FormElement['type'], (entry: string, element: FormElement, texts: PageTexts) => Check>
> = {
	number: (entry, _, { number }) => [!isNumber(entry), number],
	email: (entry, _, { email }) => [!EMAIL.test(entry), email],
	date: (entry, _, { date }) => [!isDate(entry), date],
	dropdown: isOption,
	radio: isOption,
};

function isDate(entry: string) {
	const time = Date.parse(`${entry}T00:00:00Z`);
	return /^\d{4}-\d\d-\d\d$/.test(entry) && new Date(time || 0).toISOString().startsWith(entry);
}

function problemOf(checks: Check[]): { problem?: string } {
	const problem = checks.find(([isWrong]) => isWrong)?.[1];
	return problem ? { problem } : {};
}

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';

const isFile = (file: unknown): file is UploadedFile =>
	isObject(file) &&
	typeof file.filepath === 'string' &&
	// A browser sends an empty file when none is chosen, and older versions of n8n keep it.
	(Number(file.size) > 0 || text(file.originalFilename) !== '');

const isAccepted = ({ originalFilename, mimetype = '' }: UploadedFile, accepted: string[]) =>
	accepted.length === 0 ||
	accepted.some((each) =>
		each.includes('/')
			? mimetype.startsWith(each.replace(/\*$/, ''))
			: text(originalFilename).toLowerCase().endsWith(each),
	);

/** Returns the output's fields, and stores the files under the names of their fields, as n8n's forms do. */
export async function formOutput(
	context: IWebhookFunctions,
	form: FormElement[],
	entered: Entered[],
): Promise<{ answer: IDataObject; binary?: IBinaryKeyData }> {
	const answer: Array<[string, unknown]> = [];
	const binary: IBinaryKeyData = {};
	const isCombined =
		(context.getWorkflowSettings?.() as IDataObject | undefined)?.binaryMode ===
		BINARY_MODE_COMBINED;
	for (const [index, { name, takesManyFiles }] of form.entries()) {
		const { files, value } = entered[index];
		const stored = await Promise.all(
			files.map(
				async ({ filepath, originalFilename, newFilename, mimetype }) =>
					await context.nodeHelpers.copyBinaryFile(
						filepath,
						text(originalFilename) || newFilename || 'file',
						mimetype,
					),
			),
		);
		if (isCombined && stored.length > 0) {
			answer.push([name, takesManyFiles ? stored : stored[0]]);
			continue;
		}
		for (const [place, file] of stored.entries()) {
			let key = name.replace(/\W/g, '_') + (stored.length > 1 ? `_${place}` : '');
			// In other alphabets, different names may give the same key.
			while (key in binary) key += '_';
			binary[key] = file;
		}
		if (name) answer.push([name, value]);
	}
	return {
		answer: Object.fromEntries(answer) as IDataObject,
		...(Object.keys(binary).length > 0 && { binary }),
	};
}
