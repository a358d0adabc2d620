import type { INodeParameters } from 'n8n-workflow';
import type { Job } from '../engine/job.mts';
import type { SeedCredential } from '../engine/seed.mts';
import type { Counts } from '../service/service.mts';

/** One node that is measured. Its set (sets.mts) has the number of items and rounds and the latency. */
export interface Scenario {
	/** Name in results and on the command line. */
	name: string;
	/** Name in RESULTS.md. */
	title: string;
	/** @param url the service's address */
	node: (url: string) => Job['node'];
	/** What the service must have got for n items; a run with anything else fails. */
	expected: (items: number) => Partial<Counts>;
}

/** A request for each message. */
export const ONE_EACH = { expected: (items: number) => ({ sends: items, messages: items }) };
/** All messages in one request. */
export const ALL_IN_ONE = { expected: (items: number) => ({ sends: 1, messages: items }) };
/** Reads, and sends nothing. How many pages there are, the set says. */
export const READS = { expected: () => ({ sends: 0, messages: 0 }) };
export const NOTHING = { expected: () => ({ sends: 0, messages: 0, reads: 0 }) };

/** What a text is made from: a plain path, which is the usual case, and a real expression. */
export const PLAIN = { to: '={{ $json.phone }}', message: '={{ $json.text }}' };
export const EXPRESSIONS = {
	to: '={{ $json.phone.toString().trim() }}',
	message: '=Hello {{ $json.name }}, your {{ $json.order }} is on its way.',
};

/** The reference to a credential in a workflow. */
export const credentialOf = (type: string) => ({ [type]: { id: `bench-${type}`, name: type } });

/** A node with our credential. */
export const nodeOf = (type: string, parameters: INodeParameters): Job['node'] => ({
	type,
	typeVersion: 1,
	credentials: credentialOf('messagingApi'),
	parameters,
});

/** A credential of n8n's database. */
const row = (type: string, data: Record<string, string>): SeedCredential => ({
	id: `bench-${type}`,
	name: type,
	type,
	data,
});

export const credentialRows = (url: string) => [
	row('messagingApi', { baseUrl: url, apiKey: 'key' }),
	row('httpHeaderAuth', { name: 'apiKey', value: 'key' }),
];
