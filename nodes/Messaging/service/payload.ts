export type Json = { [field: string]: unknown };

/** Takes the payload out of a successful answer; undefined when it is not there. */
export type ReadPayload<Payload> = (answer: Json) => Payload | undefined;

export const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list under `field`; an element that is no object makes the whole list unreadable. */
export const listOf =
	<Element extends Json>(field: 'data' | 'body'): ReadPayload<Element[]> =>
	(answer) => {
		const list = answer[field];
		return Array.isArray(list) && list.every(isObject) ? (list as Element[]) : undefined;
	};

/** The object under `field`. */
export const objectOf =
	<Element extends Json>(field: 'data'): ReadPayload<Element> =>
	(answer) => {
		const object = answer[field];
		return isObject(object) ? (object as Element) : undefined;
	};
