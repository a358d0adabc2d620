import assert from 'node:assert/strict';

/** Checks that a text is for people: no stack, no class name, no markup. */
export function looksLikeASentence(text: string | undefined): void {
	assert.ok(text, 'There is no message at all');
	assert.match(text, /\w+ \w+ \w+/, `Hardly a sentence: ${text}`);
	assert.doesNotMatch(text, /\n\s+at |node_modules|<html|\[object|undefined|TypeError/, text);
}
