import { filesIn, readText } from './files';

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
	return rows
		.flatMap((row) => [...row.split(' | ')[0].matchAll(/\*([^*]+)\*/g)].map(([, text]) => text))
		.map((sentence) => [
			sentence,
			sentence
				.split('…')
				.map((part) => part.trim().replace(/^[.,:]\s*/, ''))
				.filter((part) => part !== ''),
		]);
}

const SENTENCES = sentencesIn(readText('docs/troubleshooting.md'));

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
