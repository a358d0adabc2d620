import type { Json } from '../service/types';
import { forEachInSlices, inSlices } from '../utils/concurrency';

/** Messages that become text in one piece: a text of more than 128 KB takes five times as long, because V8 keeps it apart. */
const AT_ONCE = 250;

/** Whether a body has so many messages that n8n's HTTP client, which writes it in one piece, would block n8n: 0.1 s for 100,000. */
export const isLong = ({ messages }: Json) => Array.isArray(messages) && messages.length > AT_ONCE;

/** Writes a long body as JSON, in UTF-8, and yields to the event loop in between. */
export async function writeLong({ messages, ...others }: Json): Promise<Buffer> {
	const all = messages as unknown[];
	const parts = [JSON.stringify({ ...others, messages: [] }).slice(0, -2)];
	const write = (from: number) => {
		// The brackets around a part go.
		const part = JSON.stringify(all.slice(from, from + AT_ONCE)).slice(1, -1);
		parts.push(from === 0 ? part : `,${part}`);
	};
	await inSlices(all.length, write, { step: AT_ONCE });
	parts.push(']}');
	let length = 0;
	await forEachInSlices(parts, (part) => void (length += Buffer.byteLength(part)));
	// Only now as bytes, in one piece: the memory of many small pieces would stay with n8n's process.
	const bytes = Buffer.allocUnsafe(length);
	let at = 0;
	await forEachInSlices(parts, (part) => void (at += bytes.write(part, at)));
	return bytes;
}
