import type { Json } from '../service/types';
import { inSlices } from '../utils/concurrency';

/** Messages that become text in one piece: a text of more than 128 KB takes five times as long, because V8 keeps it apart. */
const AT_ONCE = 250;

/** Whether a body has so many messages that n8n's HTTP client, which writes it in one piece, would block n8n: 0.1 s for 100,000. */
export const isLong = ({ messages }: Json) => Array.isArray(messages) && messages.length > AT_ONCE;

/** Writes a long body as JSON, in UTF-8, and yields to the event loop in between. */
export async function writeLong({ messages, ...others }: Json): Promise<Buffer> {
	const all = messages as unknown[];
	const before = JSON.stringify({ ...others, messages: [] }).slice(0, -2);
	const parts = [Buffer.from(before)];
	const write = (from: number) => {
		const part = Buffer.from(JSON.stringify(all.slice(from, from + AT_ONCE)));
		// The brackets around a part go: the second one becomes the comma before the next part.
		part.write(',', part.length - 1);
		parts.push(part.subarray(1));
	};
	await inSlices(all.length, write, { step: AT_ONCE });
	const bytes = Buffer.concat([...parts, Buffer.from('}')]);
	bytes.write(']', bytes.length - 2);
	return bytes;
}
