/** Whether a log record can be told from others by its `id`; null and an empty text are none. */
export const hasId = ({ id }: { id?: unknown }): boolean =>
	id !== undefined && id !== null && id !== '';
