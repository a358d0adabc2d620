import { isAnswered, rememberAnswered } from '../../../nodes/Messaging/sendAndWait/openQuestion';

const LATER = Date.parse('2100-01-01T00:00:00Z');

test('the memory of answered questions is limited and drops the oldest first', () => {
	for (let index = 0; index < 10_001; index++) rememberAnswered(`q${index}`, LATER);
	expect(['q0', 'q1', 'q10000'].map(isAnswered)).toEqual([false, true, true]);
});

test('a question whose time is over is dropped when the next one is answered', () => {
	for (let index = 0; index < 10_000; index++) rememberAnswered(`over${index}`, Date.now() - 1);
	rememberAnswered('open', LATER);
	expect(['over0', 'over9999', 'open'].map(isAnswered)).toEqual([false, false, true]);
});
