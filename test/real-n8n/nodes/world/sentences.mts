import assert from 'node:assert/strict';

/** Asserts that a text is a sentence for people, without a stack trace, class names or markup. */
export function looksLikeASentence(text: string | undefined): void {
	assert.ok(text, 'There is no message');
	assert.match(text, /\w+ \w+ \w+/, `Not a sentence: ${text}`);
	assert.doesNotMatch(text, /\n\s+at |node_modules|<html|\[object|undefined|TypeError/, text);
}
