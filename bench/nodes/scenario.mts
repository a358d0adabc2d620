import type { INodeParameters } from 'n8n-workflow';
import type { Job } from '../engine/job.mts';
import type { SeedCredential } from '../engine/seed.mts';

/** One node that is measured. Its set (sets.mts) has the number of items and rounds and the latency. */
export interface Scenario {
	/** Name in results and on the command line. */
	name: string;
	/** Name in RESULTS.md. */
	title: string;
	/** Form of the input; `rows` when undefined. */
	input?: Job['input'];
	/** @param url the service's address */
	node: (url: string) => Job['node'];
	/** Requests for n items, if that is fixed. A run with another number fails. */
	requests?: (items: number) => number;
	/** Messages that the service receives for n items. A run with another number fails. */
	messages?: (items: number) => number;
}

const each = (items: number) => items;
/** A request for each message. */
export const ONE_EACH = { requests: each, messages: each };
/** All messages in one request. */
export const ALL_IN_ONE = { requests: () => 1, messages: each };
export const NOTHING = { requests: () => 0 };

/** A campaign's list of recipients, from all input items. */
export const LIST_EXPRESSION =
	'={{ $input.all().map((item) => ({ to: item.json.phone, identifier: item.json.order })) }}';

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
