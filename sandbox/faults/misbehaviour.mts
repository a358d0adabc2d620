import type { Endpoint } from '../interface/endpoints.mts';
import { failure } from '../http/failures.mts';
import type { Fault } from './rules.mts';

/** The answer or the behaviour that the client gets instead of the normal answer. */
export type Misbehaviour =
	| {
			readonly kind: 'answer';
			readonly status: number;
			readonly headers: Readonly<Record<string, string>>;
			readonly body: string;
	  }
	| { readonly kind: 'reset' }
	| { readonly kind: 'hang' }
	| { readonly kind: 'delay'; readonly ms: number };

const json = { 'content-type': 'application/json; charset=utf-8' };
const html =
	'<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>';

/**
 * Returns what the client gets because of a fault.
 * @param answered the JSON text of the normal answer, or null when the request was not handled
 */
export function misbehaviourOf(
	fault: Fault,
	endpoint: Endpoint,
	answered: string | null,
): Misbehaviour {
	switch (fault.kind) {
		case 'reset':
		case 'hang':
		case 'delay':
			return fault;
		case 'status':
			return statusAnswer(fault.status, fault.body, fault.headers);
		case 'rateLimit':
			return {
				...envelope(429, failure('Too many requests')),
				headers: {
					...json,
					...(fault.retryAfter === undefined ? {} : { 'retry-after': `${fault.retryAfter}` }),
				},
			};
		case 'successFalse':
			return envelope(fault.status ?? 200, failure(fault.message ?? 'The service refused'));
		case 'redirect':
			return {
				...envelope(fault.status ?? 307, failure('Moved')),
				headers: { ...json, location: fault.location },
			};
		case 'nullData': {
			const answer = answered ?? '{"message":"OK","success":true}';
			return envelope(200, { ...(JSON.parse(answer) as object), [endpoint.payload]: null });
		}
		case 'malformed':
			return malformed(fault.as, fault.status ?? 200, answered);
		default:
			// The compiler names a kind of fault that is missing here.
			return fault satisfies never;
	}
}

function statusAnswer(status: number, body: unknown, headers: Record<string, string> = {}) {
	if (typeof body === 'string') {
		const text = { 'content-type': 'text/plain; charset=utf-8', ...lowerCased(headers) };
		return { kind: 'answer', status, headers: text, body } as const;
	}
	const answer = envelope(status, body ?? failure(`The service answered with status ${status}`));
	return { ...answer, headers: { ...json, ...lowerCased(headers) } };
}

function malformed(
	as: Extract<Fault, { kind: 'malformed' }>['as'],
	status: number,
	answered: string | null,
): Misbehaviour {
	const whole = answered ?? '{"message":"OK","success":true,"data":{}}';
	const bodies: Record<typeof as, string> = {
		html,
		truncated: whole.slice(0, Math.ceil(whole.length / 2)),
		empty: '',
		array: '[]',
		primitive: '42',
	};
	const headers = as === 'html' ? { 'content-type': 'text/html; charset=utf-8' } : json;
	return { kind: 'answer', status, headers, body: bodies[as] };
}

function envelope(status: number, body: unknown) {
	return { kind: 'answer', status, headers: json, body: JSON.stringify(body) } as const;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}
