import { filesIn, readText } from './files';

/* The picture in CONTRIBUTING.md shows which part may import which. These tests check the code against it. */

const ROOT = 'nodes/Messaging/';
const FILES = filesIn('nodes/Messaging', '.ts');

/** The box of the picture that a file is in. */
function boxOf(file: string): string {
	const path = file.slice(ROOT.length).replace(/\.ts$/, '');
	const [folder, ...rest] = path.split('/');
	return rest.length === 0 ? 'node' : folder;
}

function importsOf(file: string): string[] {
	const sources = [...readText(file).matchAll(/(?:from |import\()'(\.[^']+?)(?:\.js)?'/g)].map(
		([, source]) => source,
	);
	return sources.map((source) => {
		const steps = [...file.split('/').slice(0, -1)];
		for (const step of source.split('/')) {
			if (step === '..') steps.pop();
			else if (step !== '.') steps.push(step);
		}
		return `${steps.join('/')}.ts`;
	});
}

const ARROWS = [...readText('CONTRIBUTING.md').matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(
	([, from, to]) => [from, to],
);

/** All boxes below one. */
function below(box: string): string[] {
	const direct = ARROWS.filter(([from]) => from === box).map(([, to]) => to);
	return [...new Set([...direct, ...direct.flatMap(below)])];
}

test('the picture has a box for every part, and its arrows form no circle', () => {
	const boxes = new Set(ARROWS.flat());
	expect([...new Set(FILES.map(boxOf))].sort()).toEqual([...boxes].sort());
	for (const box of boxes) expect(below(box)).not.toContain(box);
});

test.each([...new Set(FILES.map(boxOf))])('%s imports only what is below it', (box) => {
	const wrong = FILES.filter((file) => boxOf(file) === box).flatMap((file) =>
		importsOf(file)
			.filter((imported) => ![box, ...below(box)].includes(boxOf(imported)))
			.map((imported) => `${file} imports ${imported}`),
	);
	expect(wrong).toEqual([]);
});
