import type { Json } from '../service/types';
import { forEachInSlices, inSlices } from '../utils/concurrency';

/** Messages that become text in one piece: a text of more than 128 KB takes five times as long, because V8 keeps it apart. */
const AT_ONCE = 250;

/** Whether a body has so many messages that n8n's HTTP client, which writes it in one piece, would block n8n: 0.1 s for 100,000. */
export const isLong = ({ messages }: Json) => Array.isArray(messages) && messages.length > AT_ONCE;

/** Writes a long body as JSON, in UTF-8, and yields to the event loop in between. */
export async function writeLong({ messages, ...others }: Json): Promise<Buffer> {
	const all = messages as unknown[];
	const before = JSON.stringify({ ...others, messages: [] }).slice(0, -2);
	const parts: string[] = [];
	const write = (from: number) => {
		parts.push(JSON.stringify(all.slice(from, from + AT_ONCE)).slice(1));
	};
	await inSlices(all.length, write, AT_ONCE);
	const size = parts.reduce(
		(sum, part) => sum + Buffer.byteLength(part),
		Buffer.byteLength(before),
	);
	const bytes = Buffer.allocUnsafe(size + 1);
	let length = bytes.write(before);
	await forEachInSlices(parts, (part) => {
		length += bytes.write(part, length);
		// The bracket at the end of a part becomes the comma before the next one.
		bytes.write(',', length - 1);
	});
	length += bytes.write(']}', length - 1) - 1;
	return bytes.subarray(0, length);
}
