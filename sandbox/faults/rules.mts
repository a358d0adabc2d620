import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';

import { HeaderRecord, HeaderText } from '../http/headerSchema.mts';
import { endpointNames } from '../interface/endpoints.mts';
import { stringEnum } from '../interface/stringEnum.mts';

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

/** How the service misbehaves. The README describes each kind. */
export type Fault = Static<(typeof faults)[number]>;

// `oneOf` with a discriminator makes Ajv complain about the one kind that was meant, instead of
// about all nine.
const Fault = Type.Unsafe<Fault>({
	type: 'object',
	required: ['kind'],
	discriminator: { propertyName: 'kind' },
	oneOf: faults as readonly TObject[],
});

/** When the service misbehaves. All counts refer to the requests that `match` describes. */
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

/** @returns whether the service accepts the message before this rule's fault strikes */
export function actsFirst(rule: FaultRule): boolean {
	return rule.act ?? (rule.fault.kind === 'malformed' || rule.fault.kind === 'nullData');
}

function numberEnum<Values extends readonly number[]>(values: Values) {
	return Type.Unsafe<Values[number]>({ type: 'integer', enum: [...values] });
}
