import {
	isAnswered,
	type OpenQuestion,
	rememberAnswered,
} from '../../../nodes/Messaging/sendAndWait/openQuestion';

const LATER = Date.parse('2100-01-01T00:00:00Z');
const question = (id: string, closesAt?: number) => ({ id, closesAt }) as OpenQuestion;
const answered = (ids: string[]) => ids.map((id) => isAnswered(question(id)));

test('the memory of answered questions is limited and drops the oldest first', () => {
	for (let index = 0; index < 10_001; index++) rememberAnswered(question(`q${index}`, LATER));
	expect(answered(['q0', 'q1', 'q10000'])).toEqual([false, true, true]);
});

test('a question whose time is over is dropped when the next one is answered', () => {
	for (let index = 0; index < 10_000; index++) {
		rememberAnswered(question(`over${index}`, Date.now() - 1));
	}
	rememberAnswered(question('open'));
	expect(answered(['over0', 'over9999', 'open'])).toEqual([false, false, true]);
});
