import type { EndpointName } from '../interface/endpoints.mts';
import { actsFirst } from './rules.mts';
import type { Fault, FaultRule } from './rules.mts';

/** What a rule can match on. `recipients` are all numbers the request wants to reach. */
export interface Incoming {
	readonly method: string;
	readonly endpoint: EndpointName;
	readonly recipients: ReadonlySet<string>;
}

/** A fault that strikes now; with `act`, only after the request was handled. */
export interface Strike {
	readonly fault: Fault;
	readonly act: boolean;
}

interface Entry {
	readonly rule: FaultRule;
	seen: number;
	fired: number;
}

/** The fault rules since the last reset. */
export class FaultBook {
	#entries: Entry[] = [];

	/** Adds rules after those already there. */
	add(rules: readonly FaultRule[]): void {
		this.#entries.push(...rules.map((rule) => ({ rule, seen: 0, fired: 0 })));
	}

	clear(): void {
		this.#entries = [];
	}

	/** @returns each rule with how many requests it matched and how often it fired */
	list() {
		return this.#entries.map(({ rule, seen, fired }) => ({ ...rule, seen, fired }));
	}

	/**
	 * The first rule whose turn it is strikes, and the rules behind it do not see the request. A
	 * rule that lets a request pass (`skip`, `every`, `times` used up) leaves it to those behind.
	 */
	strike(incoming: Incoming): Strike | null {
		for (const entry of this.#entries) {
			if (!matches(entry.rule, incoming)) continue;
			entry.seen++;
			if (!hasItsTurn(entry)) continue;
			entry.fired++;
			return { fault: entry.rule.fault, act: actsFirst(entry.rule) };
		}
		return null;
	}
}

function matches({ match = {} }: FaultRule, incoming: Incoming): boolean {
	return (
		(match.method === undefined || match.method === incoming.method) &&
		(match.endpoint === undefined || match.endpoint === incoming.endpoint) &&
		(match.recipient === undefined || incoming.recipients.has(match.recipient))
	);
}

function hasItsTurn({ rule, seen, fired }: Entry): boolean {
	const { skip = 0, every = 1, times = 1 } = rule;
	const afterSkip = seen - skip;
	return afterSkip > 0 && afterSkip % every === 0 && (times === 0 || fired < times);
}
