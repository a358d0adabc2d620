import {
	asRead,
	asWritten,
	changesBetween,
	inWords,
	publicContract,
	type Contract,
} from './contract';
import { isUpdating, readContract, writeContract } from './files';

test('workflows that people have saved stay valid', () => {
	const now = publicContract();
	if (isUpdating('CONTRACT')) writeContract(asWritten(now));
	const changes = changesBetween(asRead(readContract()), now);
	if (changes.breaking.length + changes.added.length > 0) throw new Error(inWords(changes));
});

describe('what counts as a change', () => {
	const field = (more: Contract = {}): Contract => ({ type: 'string', default: '', ...more });
	const contract = (parameters: Contract): Contract => ({ node: { parameters } });
	const between = (before: Contract, after: Contract) =>
		changesBetween(contract(before), contract(after));
	const AT = 'node › parameters › to';

	const TO = { to: field() };
	const choices = (...values: string[]) => ({ to: field({ values: values as never }) });
	const required = { to: field({ required: true }) };

	test.each<[string, Contract, Contract, string]>([
		['a name that is gone', TO, {}, `${AT} is gone: was {"type":"string","default":""}`],
		[
			'another type',
			TO,
			{ to: field({ type: 'number' }) },
			`${AT} › type was "string", and is "number"`,
		],
		['another default', TO, { to: field({ default: 'x' }) }, `${AT} › default was "", and is "x"`],
		['a field that must be filled', TO, required, `${AT} › required is new: true`],
		['a choice that is gone', choices('a', 'b'), choices('a'), `${AT} › values no longer has "b"`],
		[
			'a field that is hidden',
			TO,
			{ to: field({ shownWhen: { save: [true] as never } }) },
			`${AT} › shownWhen is new: {"save":[true]}`,
		],
		[
			'a new field that must be filled',
			{},
			required,
			`${AT} is new: {"type":"string","default":"","required":true}`,
		],
	])('may break: %s', (_, before, after, line) => {
		expect(between(before, after)).toEqual({ breaking: [line], added: [] });
	});

	test.each<[string, Contract, Contract, string[]]>([
		['nothing', TO, TO, []],
		['a new field', {}, TO, [`${AT} is new: {"type":"string","default":""}`]],
		['a new choice', choices('a'), choices('a', 'b'), [`${AT} › values has "b" as well`]],
		['a field that may be empty now', required, TO, [`${AT} › required is gone: was true`]],
	])('does not break: %s', (_, before, after, added) => {
		expect(between(before, after)).toEqual({ breaking: [], added });
	});

	test('the words say what breaks, what does not, and what to do', () => {
		const words = inWords(between({ to: field() }, { from: field() }));
		expect(words).toContain(`may break workflows that were saved before:\n  - ${AT} is gone`);
		expect(words).toContain(
			'This breaks nothing that was saved:\n  - node › parameters › from is new',
		);
		expect(words).toContain('Versioning policy');
		expect(words).toContain('UPDATE_CONTRACT=1');
	});
});
