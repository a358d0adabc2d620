import type {
	FastifyBaseLogger,
	FastifyInstance,
	RawReplyDefaultExpression,
	RawRequestDefaultExpression,
	RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';

import type { FiredFault } from '../faults/rules.mts';
import type { EndpointName } from '../interface/endpoints.mts';
import type { Call } from '../state/traffic.mts';
import type { World } from '../world.mts';

/** Fastify, with requests typed by their TypeBox schemas. */
export type App = FastifyInstance<
	RawServerDefault,
	RawRequestDefaultExpression<RawServerDefault>,
	RawReplyDefaultExpression<RawServerDefault>,
	FastifyBaseLogger,
	TypeBoxTypeProvider
>;

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The endpoint of this route. */
		endpoint?: EndpointName;
	}
	interface FastifyRequest {
		/** The state of the sandbox when the request arrived; a later reset does not change it. */
		world: World;
		call: Call | null;
		firedFault: FiredFault | null;
	}
}
