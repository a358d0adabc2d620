import { escapeMarkup } from '../utils/text';
import type { FormElement } from './form';
import { directionOf, type PageLanguage, type PageTexts } from './pageTexts';
import type { Question } from './question';
import { type Entered, fieldName, LONGEST_ANSWER } from './submittedForm';

/** The headers forbid scripts, resources from other sites, and frames: another site must not show the buttons in its own page. */
export const PAGE_HEADERS: Record<string, string> = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy':
		"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
	'Referrer-Policy': 'no-referrer',
	'Cache-Control': 'no-store',
	'X-Robots-Tag': 'noindex',
};

const STYLE = `
:root{color-scheme:light dark;--ground:#f4f6f6;--card:#fff;--text:#12211f;--soft:#5b6b69;--line:#d5dddc;--main:#0f766e;--on:#fff;--bad:#b42318}
@media (prefers-color-scheme:dark){:root{--ground:#0d1514;--card:#16211f;--text:#e8f0ee;--soft:#9db0ad;--line:#3a4c49;--main:#2dd4bf;--on:#04211d;--bad:#ffb4a8}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:16px;background:var(--ground);color:var(--text);font:17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:30rem;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:16px}
h1{margin:0 0 12px;font-size:1.15rem;line-height:1.35}
p{margin:0 0 20px;white-space:pre-wrap}
p:last-child{margin:0}
.asked{padding-inline-start:12px;border-inline-start:3px solid var(--line)}
.soft{margin:16px 0 0;color:var(--soft);font-size:.85rem}
.trouble{margin:0 0 12px;color:var(--bad);font-weight:600}
button{width:100%;min-height:52px;margin-top:12px;padding:10px 16px;border-radius:12px;border:1px solid var(--main);font:600 1rem/1.3 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere;cursor:pointer}
.main{background:var(--main);color:var(--on)}
.other{background:transparent;color:var(--text);border-color:var(--soft)}
.field{min-width:0;margin:0 0 20px;padding:0;border:0}
label,legend{display:block;margin-bottom:6px;padding:0;font-weight:600}
.field label.choice{display:flex;align-items:center;gap:12px;min-height:44px;margin:0;font-weight:400}
.field .trouble{margin:6px 0 0;font-size:.9rem}
input,select,textarea{display:block;width:100%;min-height:48px;padding:10px 12px;border:1px solid var(--soft);border-radius:12px;background:var(--card);color:inherit;font:inherit}
textarea{min-height:8rem;resize:vertical}
.choice input{flex:none;width:22px;min-height:22px;margin:0;accent-color:var(--main)}
[aria-invalid]{border-color:var(--bad);border-width:2px}
a{color:var(--main)}
.html{margin-bottom:20px}
.html :first-child{margin-top:0}
button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible{outline:3px solid var(--main);outline-offset:2px}
`;

const page = (language: string, title: string, content: string) => `<!doctype html>
<html lang="${escapeMarkup(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

/** Names of the form's fields; answerWebhook.ts reads their values. */
export const DECISION = 'decision';
export const ANSWER = 'answer';

/** An earlier submission of the page, which has to be corrected. */
type Earlier = {
	/** What was wrong with it. */
	problem?: string;
	/** What was entered. */
	entered?: Entered[];
};

/**
 * Returns the page that a link opens: the question and a form for the answer. Texts of the workflow have
 * `dir="auto"`, because they may be in another language than the page.
 *
 * @param first the choice whose button comes first
 */
export function questionPage(
	question: Question,
	{ first, ...earlier }: { first?: string } & Earlier = {},
): string {
	const { message, formTitle, formDescription, responseType, language } = question;
	const title = formTitle || (responseType === 'approval' ? 'Your decision' : 'A question for you');
	const form =
		responseType === 'approval'
			? approvalForm(question, first)
			: responseType === 'freeText'
				? textForm(question, earlier)
				: customForm(question, earlier);
	return page(
		language,
		title,
		`${heading(title)}\n<p class="asked" dir="auto">${escapeMarkup(formDescription || message)}</p>\n${form}`,
	);
}

const heading = (title: string) => `<h1 dir="auto">${escapeMarkup(title)}</h1>`;

function approvalForm(question: Question, first?: string): string {
	const { approveLabel, disapproveLabel, texts } = question;
	const choices = [
		['approve', approveLabel],
		...(disapproveLabel ? [['disapprove', disapproveLabel]] : []),
	];
	if (first === 'disapprove') choices.reverse();
	const buttons = choices.map(
		([value, label], index) =>
			`<button class="${index === 0 ? 'main' : 'other'}" name="${DECISION}" value="${value}" dir="auto">${escapeMarkup(label)}</button>`,
	);
	return `<form method="post">\n${buttons.join('\n')}\n</form>\n<div class="soft" dir="auto">${escapeMarkup(texts.hint)}</div>`;
}

const trouble = (problem: string | undefined, attributes: string) =>
	problem ? `<div class="trouble" ${attributes} dir="auto">${escapeMarkup(problem)}</div>\n` : '';

const textForm = ({ formButtonLabel, texts }: Question, { problem, entered }: Earlier) =>
	`<form method="post">
${trouble(problem, 'role="alert"')}<label for="answer" dir="auto">${escapeMarkup(texts.answer)}</label>
<textarea id="answer" name="${ANSWER}" required maxlength="${LONGEST_ANSWER}" dir="auto">${textIn(entered?.[0].written[0])}</textarea>
<button class="main" dir="auto">${escapeMarkup(formButtonLabel)}</button>
</form>`;

/** Returns the content of a textarea. It begins with a line break, because browsers drop the first one. */
const textIn = (written = '') => (written ? `\n${escapeMarkup(written)}` : '');

function customForm(question: Question, { problem, entered }: Earlier): string {
	const { form, formButtonLabel, texts } = question;
	const fields = form.map((element, index) => fieldOf(element, index, texts, entered));
	// n8n 2.41 and newer refuse any other encoding for this response type, also without files.
	return `<form method="post" enctype="multipart/form-data">
${trouble(problem, 'role="alert"')}${fields.join('')}<button class="main" dir="auto">${escapeMarkup(formButtonLabel)}</button>
</form>`;
}

function fieldOf(
	element: FormElement,
	index: number,
	texts: PageTexts,
	allEntered?: Entered[],
): string {
	const { type, content, isRequired, options } = element;
	// A hidden field is not on the page, so that nobody can change it.
	if (type === 'hiddenField') return '';
	if (type === 'html') return `<div class="html" dir="auto">${content}</div>\n`;
	const id = fieldName(index);
	const entered = allEntered?.[index];
	const written = entered?.written ?? element.preset;
	const label = `${escapeMarkup(element.label)}${isRequired ? ' <span aria-hidden="true">*</span>' : ''}`;
	const isFirstWrong =
		entered?.problem && allEntered?.findIndex(({ problem }) => problem) === index;
	const invalid = entered?.problem
		? ` aria-invalid="true" aria-describedby="${id}-problem"${isFirstWrong ? ' autofocus' : ''}`
		: '';
	const problem = trouble(entered?.problem, `id="${id}-problem"`);
	if (type === 'radio' || type === 'checkbox') {
		const choices = options.map((option, place) => {
			const state = `${written.includes(option) ? ' checked' : ''}${type === 'radio' && isRequired ? ' required' : ''}`;
			return `<label class="choice"><input type="${type}" name="${id}" value="${escapeMarkup(option)}"${state}${place === 0 ? invalid : ''}><span dir="auto">${escapeMarkup(option)}</span></label>\n`;
		});
		return `<fieldset class="field">\n<legend dir="auto">${label}</legend>\n${choices.join('')}${problem}</fieldset>\n`;
	}
	const common = `id="${id}" name="${id}"${isRequired ? ' required' : ''}${invalid}`;
	const control =
		type === 'dropdown'
			? selectOf(element, common, written, texts)
			: inputOf(element, common, written[0] ?? '');
	return `<div class="field">\n<label for="${id}" dir="auto">${label}</label>\n${control}\n${problem}</div>\n`;
}

function selectOf(
	{ options }: FormElement,
	common: string,
	written: string[],
	{ select }: PageTexts,
): string {
	const choices = options.map(
		(option) =>
			`<option value="${escapeMarkup(option)}"${written.includes(option) ? ' selected' : ''}>${escapeMarkup(option)}</option>`,
	);
	return `<select ${common} dir="auto"><option value="">${escapeMarkup(select)}</option>${choices.join('')}</select>`;
}

function inputOf(
	{ type, placeholder, accepted, takesManyFiles }: FormElement,
	common: string,
	written: string,
): string {
	const hint = placeholder ? ` placeholder="${escapeMarkup(placeholder)}"` : '';
	if (type === 'file') {
		const accept = accepted.length > 0 ? ` accept="${escapeMarkup(accepted.join(','))}"` : '';
		return `<input type="file" ${common}${accept}${takesManyFiles ? ' multiple' : ''}>`;
	}
	if (type === 'textarea') {
		return `<textarea ${common}${hint} maxlength="${LONGEST_ANSWER}" dir="auto">${textIn(written)}</textarea>`;
	}
	// A password is never sent back to the page.
	const value = type === 'password' || !written ? '' : ` value="${escapeMarkup(written)}"`;
	const limit =
		type === 'number' ? ' step="any"' : type === 'date' ? '' : ` maxlength="${LONGEST_ANSWER}"`;
	return `<input type="${type}" ${common}${hint}${value}${limit} dir="auto">`;
}

/** An answer, in the words of the page. */
export type Shown = { label: string; value: string };

/** Returns what is recorded of a form, without passwords, empty fields, and fields that the person did not see. */
export const shownForm = (form: FormElement[], entered: Entered[]): Shown[] =>
	form.flatMap(({ type, label }, index) => {
		const { written, files } = entered[index];
		const value = [...written, ...files.map(({ originalFilename }) => originalFilename ?? '')];
		// "007" is recorded as 7.
		if (type === 'number' && value[0]) value[0] = String(Number(value[0]));
		return type === 'password' || value.join('') === '' ? [] : [{ label, value: value.join('\n') }];
	});

/** Returns the page that is shown after an answer and repeats it. */
export const thanksPage = ({ language, texts }: PageLanguage, shown: Shown[]): string =>
	noticePage(
		{ language, texts },
		texts.thanksTitle,
		texts.thanks,
		shown.map(
			({ label, value }) =>
				`<p class="asked" dir="auto"><strong>${escapeMarkup(label)}</strong>\n${escapeMarkup(value)}</p>`,
		),
	);

/** Returns a page with only a title and a text, for example for a question that is no longer open. */
export const noticePage = (
	{ language }: PageLanguage,
	title: string,
	text: string,
	more: string[] = [],
): string =>
	page(
		language,
		title,
		[heading(title), `<p dir="auto">${escapeMarkup(text)}</p>`, ...more].join('\n'),
	);
