import type { Json } from '../service/types';
import { TimeSlice } from '../utils/concurrency';

/** Messages that become text in one piece: a text of more than 128 KB takes five times as long, because V8 keeps it apart. */
const AT_ONCE = 250;

/** Whether a body has so many messages that n8n's HTTP client, which writes it in one piece, would block n8n: 0.1 s for 100,000. */
export const isLong = ({ messages }: Json) => Array.isArray(messages) && messages.length > AT_ONCE;

/** Writes a long body as JSON, in UTF-8, and yields to the event loop in between. */
export async function writeLong({ messages, ...others }: Json): Promise<Buffer> {
	const all = messages as unknown[];
	const slice = new TimeSlice();
	const texts = [JSON.stringify({ ...others, messages: [] }).slice(0, -2)];
	for (let from = 0; from < all.length; from += AT_ONCE) {
		await slice.yieldIfOver();
		const list = JSON.stringify(all.slice(from, from + AT_ONCE)).slice(1, -1);
		texts.push(from === 0 ? list : `,${list}`);
	}
	texts.push(']}');
	const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
	let length = 0;
	for (const text of texts) {
		await slice.yieldIfOver();
		length += bytes.write(text, length);
	}
	return bytes;
}
