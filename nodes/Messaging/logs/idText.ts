/** A log record's id as text. A number is the same id as its digits; an object is told from others by what it holds. */
export const idText = (id: unknown): string =>
	typeof id === 'object' ? JSON.stringify(id) : String(id);
