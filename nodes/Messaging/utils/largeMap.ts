const PARTS = 1024;

/**
 * A map for several hundred thousand values, made of small Maps: a single Map copies all its entries each time it doubles,
 * which blocks n8n for 30 to 200 ms at 300,000 entries.
 */
export class LargeMap<Value> {
	private readonly parts: Array<Map<string, Value>> = [];

	get size(): number {
		return this.parts.reduce((sum, part) => sum + part.size, 0);
	}

	get(key: string): Value | undefined {
		return this.partOf(key).get(key);
	}

	set(key: string, value: Value) {
		this.partOf(key).set(key, value);
	}

	private partOf(key: string): Map<string, Value> {
		let hash = 0;
		// Hash the whole key, because identifiers often share their first or last characters.
		for (let index = 0; index < key.length; index++) hash = (hash * 31 + key.charCodeAt(index)) | 0;
		return (this.parts[(hash ^ (hash >>> 16)) & (PARTS - 1)] ??= new Map<string, Value>());
	}
}
