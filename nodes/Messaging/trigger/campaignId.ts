import { isObject, type Json } from '../service/types';

/** The payload is not documented (section 6): `campaign_id`, `campaignId`, `Campaign-ID`, … */
const isIdName = (name: string) =>
	name.length < 100 && name.replace(/[-_\s]/g, '').toLowerCase() === 'campaignid';
/** Tried first, the documented one (2.6) before the others: they are found in an object of any size. */
const USUAL_NAMES = ['campaign_id', 'campaignId', 'campaignid'];
/** Where an id is looked for first, when several objects hold one. */
const WRAPPERS = ['data', 'body', 'payload', 'event', 'campaign', 'conversation', 'message'];
/** Names that every object inherits: nothing that a service would send. */
const BARRED = ['__proto__', 'constructor', 'prototype'];
const LONGEST_ID = 200;
/** With the blanks around it. */
const LONGEST_FIELD = 1000;

export const DEEPEST = 5;
/** Looked at on each level. */
const MOST_OBJECTS = 1000;

/** Of one object; the usual names are found beyond them. */
export const MOST_NAMES = 10_000;

/**
 * How much of a call may still be looked at, in objects, fields and elements of lists. A call that
 * nobody has vouched for yet must not keep n8n busy, whatever it holds.
 */
export class Look {
	private left = 30_000;

	/** Something was not looked at, because there is too much of it. */
	isCut = false;

	private readonly names = new Map<Json, string[]>();

	/** What the objects and lists that were found stand in. */
	private readonly containers = new Map<object, object>();

	/**
	 * @param isWide an object of the call has very many names: then only the usual ones are looked for. JavaScript
	 *   enumerates all before it gives the first, which takes half as long as parsing them.
	 */
	constructor(private readonly isWide = false) {}

	/** Is there something left? Takes one off. */
	takes(): boolean {
		const isLeft = this.left-- > 0;
		this.isCut ||= !isLeft;
		return isLeft;
	}

	/** Notes in what something was found. */
	found(value: object, container: object) {
		this.containers.set(value, container);
	}

	/** An object or list and all that it was found in, the outermost first. */
	pathTo(value: object): object[] {
		const path: object[] = [];
		for (let at: object | undefined = value; at && path.length <= 2 * DEEPEST; ) {
			path.unshift(at);
			at = this.containers.get(at);
		}
		return path;
	}

	/** Noted: to begin with the names of an object takes the longer the more it has. */
	namesOf(object: Json): string[] {
		if (this.isWide) return [];
		let names = this.names.get(object);
		if (!names) {
			names = [];
			for (const name in object) {
				this.isCut ||= names.length >= MOST_NAMES;
				if (names.length >= MOST_NAMES || !this.takes()) break;
				if (Object.hasOwn(object, name)) names.push(name);
			}
			this.names.set(object, names);
		}
		return names;
	}
}

export const isContainer = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;

export const own = (object: Json, name: string) =>
	Object.hasOwn(object, name) ? object[name] : undefined;

/** Text, or a number; nothing that is too long, or that no address can carry. */
function idOf(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	// Not millions of blanks: they take longer to trim than to parse.
	const text = typeof value === 'string' && value.length <= LONGEST_FIELD ? value.trim() : '';
	const isId = text !== '' && text.length <= LONGEST_ID && !/[\p{Cc}\p{Cs}]/u.test(text);
	return isId ? text : undefined;
}

/** The first id among some values. */
function firstId(values: unknown[]): string | undefined {
	for (const value of values) {
		const id = idOf(value);
		if (id) return id;
	}
	return undefined;
}

function idIn(object: Json, look: Look): string | undefined {
	for (const name of USUAL_NAMES) {
		const id = idOf(own(object, name));
		if (id) return id;
	}
	const names = look.takes() ? look.namesOf(object) : [];
	const campaign = own(object, 'campaign');
	return firstId([
		...names.filter(isIdName).map((name) => own(object, name)),
		isObject(campaign) ? own(campaign, 'id') : undefined,
	]);
}

function* valuesOf(container: object, look: Look): Generator<unknown> {
	if (!isObject(container)) {
		for (const element of container as unknown[]) {
			if (!look.takes()) return;
			yield element;
		}
		return;
	}
	for (const name of WRAPPERS) yield own(container, name);
	for (const name of look.namesOf(container)) {
		if (!WRAPPERS.includes(name) && !BARRED.includes(name)) yield container[name];
	}
}

/** What is wanted of the values within some objects or lists: the next level of a search. */
export function below<Wanted extends object>(
	level: object[],
	isWanted: (value: unknown, container: object) => value is Wanted,
	look: Look,
): Wanted[] {
	const found: Wanted[] = [];
	for (const container of level) {
		for (const value of valuesOf(container, look)) {
			if (!isWanted(value, container)) continue;
			if (found.length >= MOST_OBJECTS) {
				look.isCut = true;
				return found;
			}
			look.found(value, container);
			found.push(value);
		}
	}
	return found;
}

/** A campaign's id, and the object that holds it. */
export type Found = { id: string; holder: Json };

const idAmong = (
	objects: Json[],
	idOf: (object: Json) => string | undefined,
): Found | undefined => {
	for (const holder of objects) {
		const id = idOf(holder);
		if (id) return { id, holder };
	}
	return undefined;
};

/** The campaign id, from whichever object it stands in, the outermost first; lists are not looked into. */
export function findCampaign(value: unknown, look: Look): Found | undefined {
	let level = [value].filter(isObject);
	for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
		const found = idAmong(level, (object) => idIn(object, look));
		if (found) return found;
		level = below(level, isObject, look);
	}
	return undefined;
}

/** `campaign` may be the id itself; or a name, so it is believed only when there is nothing better. */
export function guessCampaign(value: unknown, look: Look): Found | undefined {
	return isObject(value)
		? idAmong([value, ...below([value], isObject, look)], (object) => idOf(own(object, 'campaign')))
		: undefined;
}
