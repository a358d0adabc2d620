import type { Job } from '../engine/job.mts';
import type { SeedCredential } from '../engine/seed.mts';
import type { Protocol, Service } from '../service/service.mts';

/** One node, or one client, that is measured. Its set has the number of items and rounds and the latency. */
export interface Scenario {
	/** Name in results and on the command line. */
	name: string;
	/** Name in RESULTS.md. */
	title: string;
	program: 'worker.mts' | 'raw.mts';
	/** Form of the input; `rows` when undefined. */
	input?: Job['input'];
	node: (target: Target) => Job['node'];
	/** Requests for n items, if that is fixed. A run with another number fails. */
	requests?: (items: number) => number;
	/** Messages that the service receives for n items. */
	messages?: (items: number) => number;
}

export interface Target {
	protocol: Protocol;
	url: string;
	concurrency: number;
}

/** A campaign's list of recipients, from all input items. */
export const LIST_EXPRESSION =
	'={{ $input.all().map((item) => ({ to: item.json.phone, identifier: item.json.order })) }}';

const PROTOCOLS: Protocol[] = ['http', 'https'];

const idOf = (type: string, protocol: Protocol) => `bench-${type}-${protocol}`;

/** The reference to a credential in a workflow. */
export const credentialOf = (type: string, protocol: Protocol) => ({
	[type]: { id: idOf(type, protocol), name: type },
});

/** The credentials of n8n's database. */
export const credentialRows = ({ urls }: Service): SeedCredential[] =>
	PROTOCOLS.flatMap((protocol) => {
		const row = (type: string, data: Record<string, string>) => ({
			id: idOf(type, protocol),
			name: type,
			type,
			data,
		});
		return [
			row('messagingApi', { baseUrl: urls[protocol], apiKey: 'key' }),
			row('httpHeaderAuth', { name: 'apiKey', value: 'key' }),
			row('twilioApi', { authType: 'authToken', accountSid: 'AC3f2a', authToken: 'token' }),
			row('whatsAppApi', { accessToken: 'token', businessAccountId: '1' }),
		];
	});
