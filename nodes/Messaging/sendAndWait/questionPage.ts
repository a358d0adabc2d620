import { escapeMarkup } from '../utils/text';
import type { Question } from './question';

/** They forbid scripts, resources from other sites, and frames: another site must not show the buttons in its own page. */
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
.asked{padding-left:12px;border-left:3px solid var(--line)}
.soft{margin:16px 0 0;color:var(--soft);font-size:.85rem}
.trouble{margin:0 0 12px;color:var(--bad);font-weight:600}
button{width:100%;min-height:52px;margin-top:12px;padding:10px 16px;border-radius:12px;border:1px solid var(--main);font:600 1rem/1.3 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere;cursor:pointer}
.main{background:var(--main);color:var(--on)}
.other{background:transparent;color:var(--text);border-color:var(--soft)}
button:focus-visible,textarea:focus-visible{outline:3px solid var(--main);outline-offset:2px}
label{display:block;margin-bottom:6px;font-weight:600}
textarea{display:block;width:100%;min-height:8rem;padding:12px;border:1px solid var(--soft);border-radius:12px;background:transparent;color:inherit;font:inherit;resize:vertical}
`;

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
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

/** In characters, after CRLF has become LF. */
export const LONGEST_ANSWER = 10_000;

/**
 * Returns the page that a link opens: the question and a form for the answer. Texts of the workflow have
 * `dir="auto"`, because they may be in a right-to-left language.
 *
 * @param first the choice whose button comes first
 * @param problem what was wrong with the submitted answer
 */
export function questionPage(
	question: Question,
	{ first, problem }: { first?: string; problem?: string } = {},
): string {
	const { message, formTitle, responseType, formButtonLabel } = question;
	const title = formTitle || (responseType === 'approval' ? 'Your decision' : 'A question for you');
	const form =
		responseType === 'approval'
			? approvalForm(question, first)
			: textForm(formButtonLabel, problem);
	return page(
		title,
		`${heading(title)}\n<p class="asked" dir="auto">${escapeMarkup(message)}</p>\n${form}`,
	);
}

const heading = (title: string) => `<h1 dir="auto">${escapeMarkup(title)}</h1>`;

function approvalForm({ approveLabel, disapproveLabel }: Question, first?: string): string {
	const choices = [
		['approve', approveLabel],
		...(disapproveLabel ? [['disapprove', disapproveLabel]] : []),
	];
	if (first === 'disapprove') choices.reverse();
	const buttons = choices.map(
		([value, label], index) =>
			`<button class="${index === 0 ? 'main' : 'other'}" name="${DECISION}" value="${value}" dir="auto">${escapeMarkup(label)}</button>`,
	);
	return `<form method="post">\n${buttons.join('\n')}\n</form>\n<div class="soft">Nothing is decided until you press a button.</div>`;
}

const textForm = (label: string, problem?: string) => `<form method="post">
${problem ? `<div class="trouble" role="alert">${escapeMarkup(problem)}</div>\n` : ''}<label for="answer">Your answer</label>
<textarea id="answer" name="${ANSWER}" required maxlength="${LONGEST_ANSWER}" dir="auto"></textarea>
<button class="main" dir="auto">${escapeMarkup(label)}</button>
</form>`;

/** Returns the page for after an answer, or for a question that is no longer open. */
export const noticePage = (title: string, text: string): string =>
	page(title, `${heading(title)}\n<p dir="auto">${escapeMarkup(text)}</p>`);
