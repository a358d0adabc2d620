import type { N8n } from './n8n.mts';

/** How often a run made n8n do what costs most. */
export interface Tally {
	/** Expressions given to the expression engine. */
	expressions: number;
	/** Credentials read from the database and decrypted. */
	decryptions: number;
}

/** Counts from now on, by a look at the two places in n8n through which all of them go. */
export function startTally({ workflow, core }: N8n): Tally {
	const tally: Tally = { expressions: 0, decryptions: 0 };
	count(workflow.Expression.prototype, 'renderExpression', () => tally.expressions++);
	count(core.Credentials.prototype, 'getData', () => tally.decryptions++);
	return tally;
}

function count(prototype: object, method: string, note: () => void) {
	const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
	const original = methods[method];
	if (typeof original !== 'function') throw new Error(`n8n has no ${method} any more.`);
	methods[method] = function (...args) {
		note();
		return original.apply(this, args);
	};
}
