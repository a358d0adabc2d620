import { filesIn, readText } from './files';
import { emphasised, rowsOf } from './prose';

/*
 * docs/troubleshooting.md explains what to do about a sentence that a person sees in n8n. A sentence that no longer
 * exists helps nobody, and looking for a new one would be in vain.
 */

/** The sources without backslashes, so that their strings are as people read them. */
const SOURCES = [...filesIn('nodes', '.ts'), ...filesIn('credentials', '.ts')].map((file) =>
	readText(file).replaceAll('\\', ''),
);

/** The sentences in the first column of the tables, each as the parts between what differs (`…`). */
function sentencesIn(markdown: string): Array<[string, string[]]> {
	const rows = markdown.split('\n').filter((line) => /^\| \*/.test(line));
	return (
		rows
			.map((row) => row.split(' | ')[0])
			// test/real-n8n/nodes/words.test.mts looks for these in the installed n8n.
			.filter((cell) => !cell.includes("n8n's own"))
			.flatMap((cell) => [...cell.matchAll(/\*([^*]+)\*/g)].map(([, text]) => text))
			.map((sentence) => [
				sentence,
				sentence
					.split('…')
					.map((part) => part.trim().replace(/^[.,:]\s*/, ''))
					.filter((part) => part !== ''),
			])
	);
}

const SENTENCES = sentencesIn(readText('docs/troubleshooting.md'));

test("what the page quotes as n8n's own words is looked for in the installed n8n", () => {
	const known = readText('test/contract/n8nWords.json');
	const quoted = rowsOf(readText('docs/troubleshooting.md'))
		.flatMap(([cell]) => (cell.includes("n8n's own") ? emphasised(cell) : []))
		.filter((text) => !known.includes(`"${text}"`));
	expect(quoted).toEqual([]);
});

test('the page has sentences to look for', () => {
	expect(SENTENCES.length).toBeGreaterThan(15);
});

test.each(SENTENCES)('the nodes have the sentence “%s”', (_, parts) => {
	expect(parts).not.toEqual([]);
	expect(parts.filter((part) => !SOURCES.some((source) => source.includes(part)))).toEqual([]);
});

test('the check finds a sentence that the nodes do not have', () => {
	const [[, parts]] = sentencesIn('| *The service has had … enough.* | Give it a rest. |');
	expect(parts).toEqual(['The service has had', 'enough.']);
	expect(SOURCES.some((source) => source.includes(parts[0]))).toBe(false);
});

/* n8n's UX guidelines: these words frighten, and do not say what to do. */
const FRIGHTENING = /\b(?:error|failure|mistake|problem)s?\b/i;

/** The texts in the sources that end like a sentence, without the names of fields in them. */
const sentencesOf = (source: string) =>
	[...source.matchAll(/(['`])([A-Z](?:(?!\1).)*[.!?])\1/g)].map(([, , text]) =>
		text.replace(/\$\{[^}]*\}|'[^']*'/g, ''),
	);

test('no sentence of the nodes or the credential speaks of an error or a problem', () => {
	const sentences = SOURCES.flatMap(sentencesOf);
	expect(sentences.length).toBeGreaterThan(100);
	expect(sentences.filter((sentence) => FRIGHTENING.test(sentence))).toEqual([]);
});
