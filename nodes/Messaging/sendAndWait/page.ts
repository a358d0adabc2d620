import { escapeMarkup } from '../utils/text';
import { directionOf, INVALID, type PageLanguage } from './pageTexts';
import type { Question } from './question';

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
.quote{padding-inline-start:12px;border-inline-start:3px solid var(--line)}
.soft{margin:0 0 4px;color:var(--soft);font-size:.85rem}
.trouble{margin:10px 0 0;color:var(--bad);font-weight:600}
main>:last-child{margin-bottom:0}
button{width:100%;min-height:52px;margin-top:12px;padding:10px 16px;border-radius:12px;border:1px solid var(--main);font:600 1rem/1.3 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere;cursor:pointer}
.main{background:var(--main);color:var(--on)}
.other{background:transparent;color:var(--text);border-color:var(--soft)}
form{margin:0 0 16px}
label{display:block;margin-bottom:6px;font-weight:600}
textarea{display:block;width:100%;min-height:8rem;padding:10px 12px;border:1px solid var(--soft);border-radius:12px;background:var(--card);color:inherit;font:inherit;resize:vertical}
[aria-invalid]{border-color:var(--bad);border-width:2px}
button:focus-visible,textarea:focus-visible{outline:3px solid var(--main);outline-offset:2px}
`;

/** Names of the form's fields; answerWebhook.ts reads their values. */
export const DECISION = 'decision';
export const ANSWER = 'answer';

/** In characters, after CRLF has become LF. */
export const LONGEST_ANSWER = 10_000;

/**
 * Returns the page that the link opens: the question and a form for the answer. Texts of the workflow have
 * `dir="auto"`, because they may be in another language than the page.
 *
 * @param closing until when the question is open
 * @param rejected the text of an earlier submission, which has to be corrected
 */
export function questionPage(question: Question, closing?: string, rejected?: string): string {
	const { message, responseType, pageTitle, language, texts } = question;
	const isApproval = responseType === 'approval';
	return page(language, pageTitle || (isApproval ? 'Your decision' : 'A question for you'), [
		paragraph('quote', message),
		isApproval ? approvalForm(question) : textForm(question, rejected),
		isApproval ? paragraph('soft', texts.hint) : '',
		closing
			? paragraph(
					'soft',
					texts.until.replace('[time]', () => closing),
				)
			: '',
	]);
}

const paragraph = (look: string, text: string) =>
	`<p class="${look}" dir="auto">${escapeMarkup(text)}</p>`;

function approvalForm({ approveLabel, disapproveLabel }: Question): string {
	const button = (look: string, value: string, label: string) =>
		`<button class="${look}" name="${DECISION}" value="${value}" dir="auto">${escapeMarkup(label)}</button>\n`;
	const other = disapproveLabel ? button('other', 'disapprove', disapproveLabel) : '';
	return `<form method="post">\n${button('main', 'approve', approveLabel)}${other}</form>`;
}

function textForm({ submitLabel, texts }: Question, rejected?: string): string {
	const isWrong = rejected !== undefined;
	const invalid = isWrong ? ' aria-invalid="true" aria-describedby="problem" autofocus' : '';
	const problem = isWrong
		? `<div class="trouble" id="problem" role="alert" lang="en" dir="ltr">${INVALID}</div>\n`
		: '';
	// The content begins with a line break, because browsers drop the first one.
	return `<form method="post">
<label for="answer" dir="auto">${escapeMarkup(texts.answer)}</label>
<textarea id="answer" name="${ANSWER}" required maxlength="${LONGEST_ANSWER}" dir="auto"${invalid}>
${escapeMarkup(rejected ?? '')}</textarea>
${problem}<button class="main" dir="auto">${escapeMarkup(submitLabel)}</button>
</form>`;
}

/** Returns the page that is shown after an answer and repeats it. */
export const thanksPage = ({ language, texts }: PageLanguage, answer: string): string =>
	page(language, texts.thanks, [
		`<p class="quote" dir="auto"><strong>${escapeMarkup(texts.answer)}</strong>\n${escapeMarkup(answer)}</p>`,
	]);

/** Returns a page with one sentence, for example for a question that is no longer open. */
export const noticePage = ({ language }: PageLanguage, sentence: string): string =>
	page(language, sentence, []);

const page = (language: string, title: string, content: string[]) => `<!doctype html>
<html lang="${escapeMarkup(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 dir="auto">${escapeMarkup(title)}</h1>
${content.filter((each) => each !== '').join('\n')}
</main>
</body>
</html>
`;
