import { createHash } from 'crypto';
import { packed, shortKey, unpacked } from '../../../nodes/Messaging/trigger/packedTimes';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T12:00:00Z');
const hash = (text: string) => createHash('sha256').update(text).digest();

test('a key is the letter of the kind and the first 60 bits of the hash', () => {
	expect(shortKey('c', hash('a'))).toBe('cypeBEsobvc');
	expect(shortKey('o', hash('a'))).toBe('oypeBEsobvc');
});

test('packed times are read again, each as the end of its hour, grouped by kind and hour', () => {
	const [a, b, c] = [shortKey('c', hash('a')), shortKey('o', hash('b')), shortKey('c', hash('c'))];
	const text = packed(
		new Map([
			[a, START],
			[b, START + 1],
			[c, START + HOUR],
		]),
	);
	expect(text.split(' ')).toHaveLength(3);
	expect([...unpacked({ events: text })]).toEqual([
		[a, START + HOUR - 1],
		[b, START + HOUR - 1],
		[c, START + 2 * HOUR - 1],
	]);
});

test.each([24, 64])('times of version 0.2 are read, by keys of %d digits', (digits) => {
	const accepted = {
		[`c${hash('a').toString('hex').slice(0, digits)}`]: START,
		[`o${hash('b').toString('hex').slice(0, digits)}`]: START + 1,
	};
	expect([...unpacked({ accepted })]).toEqual([
		[shortKey('c', hash('a')), START],
		[shortKey('o', hash('b')), START + 1],
	]);
});
