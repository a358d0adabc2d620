/**
 * Reads the data of executions, which n8n stores and sends in the format "flatted": an array of values, in
 * which a string is the index of another value.
 */
export function unflatten(flat: string): unknown {
	const values = JSON.parse(flat) as unknown[];
	const known = new Map<string, unknown>();

	const at = (index: string): unknown => {
		if (known.has(index)) return known.get(index);
		const value = values[Number(index)];
		if (typeof value !== 'object' || value === null) return value;
		// Stored before it is filled, because values may refer to their parents.
		const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		known.set(index, whole);
		for (const [key, part] of Object.entries(value)) {
			(whole as Record<string, unknown>)[key] = typeof part === 'string' ? at(part) : part;
		}
		return whole;
	};
	return at('0');
}
