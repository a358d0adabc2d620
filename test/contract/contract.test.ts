import { changesBetween, inWords, publicContract, type Contract } from './contract';
import { isUpdating, readContract, writeContract } from './files';

test('workflows that people have saved stay valid', () => {
	const now = publicContract();
	if (isUpdating) writeContract(now);
	const changes = changesBetween(readContract(), now);
	if (changes.breaking.length + changes.added.length > 0) throw new Error(inWords(changes));
});

describe('what counts as a change', () => {
	const field = (more: Contract = {}): Contract => ({ type: 'string', default: '', ...more });
	const contract = (parameters: Contract): Contract => ({ node: { parameters } });
	const between = (before: Contract, after: Contract) =>
		changesBetween(contract(before), contract(after));
	const AT = 'node › parameters › to';

	test('equal contracts have no changes', () => {
		expect(between({ to: field() }, { to: field() })).toEqual({ breaking: [], added: [] });
	});

	test.each<[string, Contract, Contract, string]>([
		['a name that is gone', field(), {}, `${AT} is gone: was {"type":"string","default":""}`],
		[
			'another type',
			field(),
			field({ type: 'number' }),
			`${AT} › type was "string", and is "number"`,
		],
		['another default', field(), field({ default: 'x' }), `${AT} › default was "", and is "x"`],
		[
			'a field that must be filled',
			field(),
			field({ required: true }),
			`${AT} › required is new: true`,
		],
		[
			'a choice that is gone',
			field({ values: ['a', 'b'] as never }),
			field({ values: ['a'] as never }),
			`${AT} › values no longer has "b"`,
		],
		[
			'a field that is hidden',
			field(),
			field({ shownWhen: { save: [true] as never } }),
			`${AT} › shownWhen is new: {"save":[true]}`,
		],
	])('may break: %s', (_, before, after, line) => {
		const parameters = (to: Contract): Contract => (Object.keys(to).length > 0 ? { to } : {});
		expect(between(parameters(before), parameters(after))).toEqual({ breaking: [line], added: [] });
	});

	test('may break: a new field that must be filled', () => {
		const { breaking } = between({}, { to: field({ required: true }) });
		expect(breaking).toEqual([`${AT} is new: {"type":"string","default":"","required":true}`]);
	});

	test.each<[string, Contract, Contract, string]>([
		['a new field', {}, { to: field() }, `${AT} is new: {"type":"string","default":""}`],
		[
			'a new choice',
			{ to: field({ values: ['a'] as never }) },
			{ to: field({ values: ['a', 'b'] as never }) },
			`${AT} › values has "b" as well`,
		],
		[
			'a field that need not be filled any more',
			{ to: field({ required: true }) },
			{ to: field() },
			`${AT} › required is gone: was true`,
		],
	])('does not break: %s', (_, before, after, line) => {
		expect(between(before, after)).toEqual({ breaking: [], added: [line] });
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
