import { changesBetween, factsOf, publicContract } from './contract';
import { isUpdating, readContract, writeContract } from './files';

test('workflows that people have saved stay valid', () => {
	const facts = factsOf(publicContract());
	if (isUpdating('CONTRACT')) writeContract(facts);
	const changes = changesBetween(readContract(), facts);
	if (changes) throw new Error(changes);
});

test('a fact of several operations that holds for one more is no change of the others', () => {
	const changes = changesBetween(['log get, log getAll › a "x"'], ['log get › a "x"']);
	expect(changes).toMatch(/may break.*\n\n- log getAll › a "x"\n\n.*UPDATE_CONTRACT=1/s);
	expect(changesBetween(['log get, log getAll › a 1'], ['log getAll › a 1', 'log get › a 1'])).toBe(
		undefined,
	);
});
