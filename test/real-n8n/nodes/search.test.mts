import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ofNewest, ours, theirs } from '../world/installedNodes.mts';
import { PHRASES as BY_RULE, PHRASES_BY_PLACE, PHRASES_BY_VERB } from '../world/phrases.mts';
import { searches } from '../world/search.mts';

/*
 * Where people and assistants find our nodes among all of n8n's own, by n8n's own functions. Its search takes what was typed as letters
 * that must occur in this order in one alias: "Bulk" and "Message" do not find "bulk message", "Send Bulk SMS Text Messages" does.
 */

/** The place in the editor's list: the first, one among others, or none, because it is not what we do. */
type Place = 'first' | 'listed' | 'none';

/**
 * What people type for what we do. The first 34 were typed into the editor in November 2026; then those that our pages and
 * operations teach. At the end: whether the first five, which is what an assistant sees, name the node.
 */
const PHRASES: Array<[phrase: string, place: Place, assistant: boolean]> = [
	['newsletter', 'first', true],
	['broadcast', 'first', true],
	['notification', 'first', true],
	['marketing', 'first', true],
	['send campaign', 'first', true],
	['delivery report', 'first', true],
	['send message', 'first', true],
	['bulk', 'first', true],
	['reminder', 'first', true],
	['campaign', 'listed', true],
	['otp', 'listed', true],
	['message', 'listed', true],
	['sms', 'listed', false],
	['approval', 'listed', false],
	['whatsapp', 'none', false],
	['bulk message', 'first', true],
	['mass message', 'first', true],
	['text message', 'first', true],
	['template message', 'first', false],
	['business messaging', 'first', true],
	['one time password', 'first', true],
	['verification code', 'first', true],
	['appointment reminder', 'first', true],
	['mailing', 'first', true],
	['campaign completed', 'first', true],
	['completed', 'first', true],
	['ask a person', 'first', true],
	['blast', 'first', true],
	['customers', 'listed', true],
	['opt out', 'none', false],
	['birthday', 'none', false],
	['read receipt', 'none', false],
	['feedback', 'none', false],
	['phone', 'none', false],
	['messaging', 'first', true],
	['send text', 'first', false],
	['send template', 'first', true],
	['bulk messages', 'first', true],
	['campaign report', 'first', true],
	['delivery status', 'first', true],
	['send otp', 'first', false],
	['human in the loop', 'first', false],
];

const NODE = 'n8n-nodes-messaging.messaging';
const isOurs = (name: string) => name.startsWith('n8n-nodes-messaging.');

describe('what people type finds the node', ofNewest, () => {
	const { editor, assistant, answer } = searches();

	for (const [phrase, place, isShown] of PHRASES) {
		it(`"${phrase}": ${place}`, (test) => {
			const found = editor(phrase);
			const own = found.indexOf(NODE) + 1;
			const shown = assistant(phrase).indexOf(NODE) + 1;
			test.diagnostic(
				`place ${own || 'none'} of ${found.length}; of an assistant's five: ${shown || 'none'}`,
			);
			if (place !== 'none') assert.ok(own > 0, `No result: ${found.join() || 'nothing at all'}`);
			if (place === 'first') assert.ok(own <= 3, `Behind ${found.slice(0, own - 1).join()}`);
			// Also by the hint of the trigger, when only that is shown.
			if (isShown) assert.match(answer(phrase), /n8n-nodes-messaging\.messaging\b/);
		});
	}

	it('each phrase by rule finds something, and the node among the first five', () => {
		const results = BY_RULE.map((phrase) => ({ phrase, found: editor(phrase) }));
		const isFirst = ({ found }: { found: string[] }) => found.slice(0, 5).includes(NODE);
		assert.ok(BY_RULE.length > 100);
		assert.deepEqual(
			results.filter(({ found }) => found.length === 0).map(({ phrase }) => phrase),
			[],
		);
		assert.deepEqual(
			results.filter((result) => !isFirst(result)).map(({ phrase }) => phrase),
			[],
		);
	});

	it('of the phrases by verb, at least nine of ten find the node among the first five', (test) => {
		const others = PHRASES_BY_VERB.filter((phrase) => !editor(phrase).slice(0, 5).includes(NODE));
		test.diagnostic(`${others.length} of ${PHRASES_BY_VERB.length}: ${others.join(', ')}`);
		assert.ok(others.length <= PHRASES_BY_VERB.length / 10, others.join(', '));
	});

	it('of the phrases by place, at least four of five find the node among the first five', (test) => {
		const found = PHRASES_BY_PLACE.filter((phrase) => editor(phrase).slice(0, 5).includes(NODE));
		test.diagnostic(`${found.length} of ${PHRASES_BY_PLACE.length}`);
		assert.ok(found.length >= PHRASES_BY_PLACE.length * 0.8);
	});

	it('whoever types the name of a node of n8n finds that one first, and seldom ours behind it', (test) => {
		const nameOf = new Map(theirs.map(({ name, displayName }) => [name, displayName]));
		const names = [
			...new Set(theirs.filter(({ hidden }) => !hidden).map(({ displayName }) => displayName)),
		];
		const noisy = names.filter((name) => editor(name).some(isOurs));
		test.diagnostic(`${noisy.length} of ${names.length}: ${noisy.join(', ')}`);
		assert.ok(noisy.length <= 30);
		const before = noisy.filter((name) => {
			const found = editor(name);
			return found.findIndex(isOurs) < found.findIndex((each) => nameOf.get(each) === name);
		});
		assert.deepEqual(before, []);
	});

	// The editor drops the aliases of a trigger that it shows as one entry with its node; an assistant's search does not.
	for (const { name, codex } of ours) {
		it(`each alias of ${name} finds it, for people or for assistants`, () => {
			const isDead = (alias: string) =>
				!editor(alias).includes(name) && !assistant(alias).includes(name);
			assert.deepEqual(codex!.alias!.filter(isDead), []);
		});
	}
});
