import { crc32 } from 'node:zlib';

/*
 * A moving picture (APNG) from screenshots of one size: browsers, GitHub and npm show it, and it needs no program. Each
 * screenshot's compressed image is taken as it is.
 */

const SIGNATURE_BYTES = 8;

/** The parts of a PNG file: length, type, data and check sum each. */
function* chunksOf(png: Buffer) {
	for (let at = SIGNATURE_BYTES; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const type = png.toString('latin1', at + 4, at + 8);
		yield { type, data: png.subarray(at + 8, at + 8 + length) };
		at += length + 12;
	}
}

function chunk(type: string, ...parts: Buffer[]): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
	return Buffer.concat([numbers(body.length - 4), body, numbers(crc32(body))]);
}

/** Writes numbers of four bytes. */
function numbers(...values: number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
	return bytes;
}

export function movingPicture(screenshots: Buffer[], secondsEach: number): Buffer {
	const [first] = screenshots;
	const head = [...chunksOf(first)].find(({ type }) => type === 'IHDR')!.data;
	const size = head.subarray(0, 8);
	let sequence = 0;
	const frames = screenshots.flatMap((screenshot, index) => {
		// It is shown for these seconds, of 1 each; then "leave it there" and "replace what is there".
		const shown = Buffer.from([0, secondsEach, 0, 1, 0, 0]);
		const control = chunk('fcTL', numbers(sequence++), size, numbers(0, 0), shown);
		const images = [...chunksOf(screenshot)].filter(({ type }) => type === 'IDAT');
		return [
			control,
			...images.map(({ data }) =>
				index === 0 ? chunk('IDAT', data) : chunk('fdAT', numbers(sequence++), data),
			),
		];
	});
	const played = chunk('acTL', numbers(screenshots.length, 0));
	const signature = first.subarray(0, SIGNATURE_BYTES);
	return Buffer.concat([signature, chunk('IHDR', head), played, ...frames, chunk('IEND')]);
}
