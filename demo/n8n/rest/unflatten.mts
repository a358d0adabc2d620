/**
 * n8n stores and sends the data of executions "flatted": an array of values in which a string
 * stands for the value at that index.
 */
export function unflatten(flat: string): unknown {
	const values = JSON.parse(flat) as unknown[];
	const known = new Map<string, unknown>();

	const at = (index: string): unknown => {
		if (known.has(index)) return known.get(index);
		const value = values[Number(index)];
		if (typeof value !== 'object' || value === null) return value;
		// Noted before it is filled: values may point back at what holds them.
		const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		known.set(index, whole);
		for (const [key, part] of Object.entries(value)) {
			(whole as Record<string, unknown>)[key] = typeof part === 'string' ? at(part) : part;
		}
		return whole;
	};
	return at('0');
}
