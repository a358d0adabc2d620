import type { Fault as SandboxFault } from '../../sandbox/faults/rules.mts';

/*
 * Every way in which a request to the service can fail, once: the simulation draws from this list. To add one, add an entry; a
 * new kind of answer also needs a kind of fault in the sandbox.
 */

/** A connection that breaks, as only the simulation's network can: the sandbox knows the other kinds. */
type BrokenConnection =
	| { kind: 'cut' }
	| { kind: 'drip' }
	| { kind: 'unreachable' }
	| { kind: 'upgrade' };

type Failure = SandboxFault | BrokenConnection;

export interface Fault {
	name: string;
	on?: 'POST';
	/** Whether the service acts on the request. `no` only if the answer says so beyond doubt. */
	acts: 'yes' | 'no' | 'either';
	failure: Failure | Variants;
}

/** The same fault with other values, by name; the first is the plainest. `now` is the service's time in ms. */
type Variants = (now: number) => Record<string, Failure>;

const status = (code: number, body?: unknown): Failure => ({ kind: 'status', status: code, body });

const redirect = (code: 301 | 302 | 303 | 307 | 308): Failure => ({
	kind: 'redirect',
	status: code,
	location: 'http://127.0.0.1:9/moved',
});

const rateLimit = (retryAfter?: string): Failure => ({ kind: 'rateLimit', retryAfter });

const dateAt = (ms: number) => new Date(ms).toUTCString();

/** Stands for the key of the request in an answer: a service may repeat it. */
export const KEY_OF_REQUEST = '{key}';

export const FAULTS: readonly Fault[] = [
	{ name: '503', acts: 'either', failure: status(503) },
	{ name: '500', acts: 'either', failure: status(500) },
	{ name: '502 with a web page', acts: 'either', failure: status(502, '<html>Bad</html>') },
	{
		name: '4xx that is no clear refusal',
		acts: 'either',
		failure: () => ({ 408: status(408), 409: status(409), 425: status(425), 499: status(499) }),
	},
	{ name: 'connection reset', acts: 'either', failure: { kind: 'reset' } },
	{ name: 'route lost', acts: 'either', failure: { kind: 'unreachable' } },
	{ name: 'no answer at all', acts: 'either', failure: { kind: 'hang' } },
	{ name: 'answer cut off', acts: 'either', failure: { kind: 'cut' } },
	{ name: 'dripping answer', acts: 'yes', failure: { kind: 'drip' } },
	{
		name: 'slow answer',
		acts: 'yes',
		failure: () => ({
			'900 ms': { kind: 'delay', ms: 900 },
			'4 s': { kind: 'delay', ms: 4000 },
			'70 s': { kind: 'delay', ms: 70_000 },
		}),
	},
	{ name: 'empty answer', acts: 'either', failure: { kind: 'malformed', as: 'empty' } },
	{ name: 'web page', acts: 'either', failure: { kind: 'malformed', as: 'html' } },
	{ name: 'truncated JSON', acts: 'either', failure: { kind: 'malformed', as: 'truncated' } },
	{ name: 'answer without data', acts: 'either', failure: { kind: 'nullData' } },
	{ name: '101', acts: 'either', failure: { kind: 'upgrade' } },
	{ name: '301', on: 'POST', acts: 'either', failure: redirect(301) },
	{ name: '302', on: 'POST', acts: 'either', failure: redirect(302) },
	{ name: '303', on: 'POST', acts: 'either', failure: redirect(303) },
	{ name: '307', acts: 'no', failure: redirect(307) },
	{ name: '308', acts: 'no', failure: redirect(308) },
	{
		name: '429',
		acts: 'no',
		failure: (now) => ({
			'after 1 s': rateLimit('1'),
			'without a time': rateLimit(),
			'after 0 s': rateLimit('0'),
			'after 2.5 s': rateLimit('2.5'),
			'after -5 s': rateLimit('-5'),
			'after a word': rateLimit('soon'),
			'after a day': rateLimit('100000'),
			'at a date in 3 s': rateLimit(dateAt(now + 3000)),
			'at a date 3 s ago': rateLimit(dateAt(now - 3000)),
			'at an ISO date': rateLimit(new Date(now + 3000).toISOString()),
		}),
	},
	{
		name: '401',
		acts: 'no',
		failure: status(401, {
			success: false,
			message: `Invalid API Key ${KEY_OF_REQUEST}`,
			data: null,
		}),
	},
	{ name: '403', acts: 'no', failure: status(403) },
	{ name: '400', acts: 'no', failure: status(400) },
	{
		name: 'success: false',
		acts: 'no',
		failure: () => ({
			'with 200': { kind: 'successFalse', status: 200 },
			'with 201': { kind: 'successFalse', status: 201 },
			'with 422': { kind: 'successFalse', status: 422 },
		}),
	},
];
