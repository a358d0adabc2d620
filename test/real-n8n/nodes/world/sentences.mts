import assert from 'node:assert/strict';

/** Words for a person: no stack, no name of a class, no markup. */
export function looksLikeASentence(text: string | undefined): void {
	assert.ok(text, 'There is no message at all');
	assert.match(text, /\w+ \w+ \w+/, `Hardly a sentence: ${text}`);
	assert.doesNotMatch(text, /\n\s+at |node_modules|<html|\[object|undefined|TypeError/, text);
}
