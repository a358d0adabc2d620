import { Type } from 'typebox';
import type { Static, TObject } from 'typebox';
import { endpointNames } from '../interface/endpoints.mts';
import type { EndpointName } from '../interface/endpoints.mts';
import { HeaderRecord, HeaderText, stringEnum } from '../interface/schemas.mts';

const closed = { additionalProperties: false };
const Status = Type.Integer({ minimum: 200, maximum: 599 });

const faults = [
	Type.Object(
		{
			kind: Type.Literal('status'),
			status: Status,
			body: Type.Optional(Type.Unknown()),
			headers: Type.Optional(HeaderRecord),
		},
		closed,
	),
	Type.Object(
		{
			kind: Type.Literal('rateLimit'),
			retryAfter: Type.Optional(Type.Union([HeaderText, Type.Number()])),
		},
		closed,
	),
	Type.Object(
		{
			kind: Type.Literal('successFalse'),
			message: Type.Optional(Type.String()),
			status: Type.Optional(Status),
		},
		closed,
	),
	Type.Object({ kind: Type.Literal('reset') }, closed),
	Type.Object({ kind: Type.Literal('hang') }, closed),
	Type.Object(
		{ kind: Type.Literal('delay'), ms: Type.Integer({ minimum: 0, maximum: 600_000 }) },
		closed,
	),
	Type.Object(
		{
			kind: Type.Literal('malformed'),
			as: stringEnum(['html', 'truncated', 'empty', 'array', 'primitive']),
			status: Type.Optional(Status),
		},
		closed,
	),
	Type.Object({ kind: Type.Literal('nullData') }, closed),
	Type.Object(
		{
			kind: Type.Literal('redirect'),
			location: HeaderText,
			status: Type.Optional(numberEnum([301, 302, 303, 307, 308])),
		},
		closed,
	),
] as const;

/** A fault. The README describes each kind. */
export type Fault = Static<(typeof faults)[number]>;

// With a discriminator, Ajv reports only the errors of the given kind, not of all kinds.
const Fault = Type.Unsafe<Fault>({
	type: 'object',
	required: ['kind'],
	discriminator: { propertyName: 'kind' },
	oneOf: faults as readonly TObject[],
});

/** A fault and the requests on which it happens. `skip`, `every` and `times` count the requests that match. */
export type FaultRule = Static<typeof FaultRule>;
export const FaultRule = Type.Object(
	{
		match: Type.Optional(
			Type.Object(
				{
					method: Type.Optional(stringEnum(['GET', 'POST'])),
					endpoint: Type.Optional(stringEnum(endpointNames)),
					recipient: Type.Optional(Type.String()),
				},
				closed,
			),
		),
		skip: Type.Optional(Type.Integer({ minimum: 0 })),
		every: Type.Optional(Type.Integer({ minimum: 1 })),
		times: Type.Optional(Type.Integer({ minimum: 0 })),
		act: Type.Optional(Type.Boolean()),
		fault: Fault,
	},
	closed,
);

/** @returns whether the sandbox handles the request before this rule's fault happens */
export function actsFirst(rule: FaultRule): boolean {
	return rule.act ?? (rule.fault.kind === 'malformed' || rule.fault.kind === 'nullData');
}

function numberEnum<Values extends readonly number[]>(values: Values) {
	return Type.Unsafe<Values[number]>({ type: 'integer', enum: [...values] });
}

/** The request that a rule is compared with. `recipients` are all its numbers. */
export interface Incoming {
	readonly method: string;
	readonly endpoint: EndpointName;
	readonly recipients: ReadonlySet<string>;
}

/** The fault for a request. With `act` it happens after the request was handled. */
export interface FiredFault {
	readonly fault: Fault;
	readonly act: boolean;
}

interface Entry {
	readonly rule: FaultRule;
	seen: number;
	fired: number;
}

/** The fault rules since the last reset. */
export class FaultRules {
	#entries: Entry[] = [];

	add(rules: readonly FaultRule[]): void {
		this.#entries.push(...rules.map((rule) => ({ rule, seen: 0, fired: 0 })));
	}

	clear(): void {
		this.#entries = [];
	}

	/** @returns each rule with the number of requests that it matched (`seen`), and on which it fired */
	list() {
		return this.#entries.map(({ rule, seen, fired }) => ({ ...rule, seen, fired }));
	}

	/**
	 * Returns the fault of the first rule that fires. The rules after it do not count the request. A rule that matches
	 * but does not fire (because of `skip`, `every` or `times`) leaves the request to the rules after it.
	 */
	fire(incoming: Incoming): FiredFault | null {
		for (const entry of this.#entries) {
			if (!matches(entry.rule, incoming)) continue;
			entry.seen++;
			if (!fires(entry)) continue;
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

function fires({ rule, seen, fired }: Entry): boolean {
	const { skip = 0, every = 1, times = 1 } = rule;
	const afterSkip = seen - skip;
	return afterSkip > 0 && afterSkip % every === 0 && (times === 0 || fired < times);
}
