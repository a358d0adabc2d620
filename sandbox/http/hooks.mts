import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { misbehaviourOf } from '../faults/misbehaviour.mts';
import type { Misbehaviour } from '../faults/misbehaviour.mts';
import { endpoints } from '../interface/endpoints.mts';
import type { EndpointName } from '../interface/endpoints.mts';
import { bodyForHistory } from '../state/traffic.mts';
import type { App } from './app.mts';
import { Refusal } from './failures.mts';

/**
 * Adds the hooks that all endpoints share. They count each request, check its key (docs/development/interface.md,
 * "Authentication"), delay its answer, and apply the fault rules before or after it is handled.
 */
export function addHooks(app: App, apiKey: string): void {
	app.addHook('onRequest', async (request, reply) => {
		const call = request.world.traffic.begin(endpointOf(request), request.raw, apiKey);
		request.call = call;
		// `finish` comes before the client can send its next request, so the count of requests in flight
		// is exact. `close` is for connections that break.
		reply.raw.once('finish', call.end).once('close', call.end);
	});

	// Before validation, but after the body was read: a fault rule may match a recipient, and a client
	// must be able to send its whole body before it is refused.
	app.addHook('preValidation', async (request, reply) => {
		const { world, call } = request;
		if (call) call.recorded.body = bodyForHistory(request.body);
		if (request.headers.apikey !== apiKey) throw new Refusal(401, 'Invalid API Key');
		await pause(request, world.settings.latencyMs);
		const endpoint = endpointOf(request);
		request.firedFault = world.faults.fire({
			method: request.method,
			endpoint,
			recipients: recipientsOf(request.body),
		});
		if (!request.firedFault || request.firedFault.act) return;
		const { fault } = request.firedFault;
		const body = await apply(misbehaviourOf(fault, endpoints[endpoint], null), request, reply);
		if (body !== null) await reply.send(body);
	});

	app.addHook('onSend', async (request, reply, payload) => {
		if (!request.firedFault?.act || typeof payload !== 'string') return payload;
		const { fault } = request.firedFault;
		const misbehaviour = misbehaviourOf(fault, endpoints[endpointOf(request)], payload);
		return (await apply(misbehaviour, request, reply)) ?? payload;
	});
}

/** @returns the body that replaces the normal one, or null when the request continues normally */
async function apply(
	misbehaviour: Misbehaviour,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<string | null> {
	switch (misbehaviour.kind) {
		case 'answer':
			reply.code(misbehaviour.status).headers(misbehaviour.headers);
			return misbehaviour.body;
		case 'delay':
			await pause(request, misbehaviour.ms);
			return null;
		case 'reset':
			request.raw.socket.resetAndDestroy();
			return await never();
		case 'hang':
			return await never();
	}
}

/** Waits. A reset closes the connection of the request, so the request never continues. */
async function pause(request: FastifyRequest, ms: number): Promise<void> {
	if (ms === 0) return;
	const { ended } = request.world;
	await wait(ms, undefined, { signal: ended }).catch(() => undefined);
	if (ended.aborted) await never();
}

async function never(): Promise<never> {
	return await new Promise(() => undefined);
}

function endpointOf(request: FastifyRequest): EndpointName {
	const { endpoint } = request.routeOptions.config;
	if (!endpoint) throw new Error(`The route ${request.url} does not say which endpoint it is`);
	return endpoint;
}

function recipientsOf(body: unknown): ReadonlySet<string> {
	if (typeof body !== 'object' || body === null) return new Set();
	const messages: unknown[] =
		'messages' in body && Array.isArray(body.messages) ? body.messages : [];
	return new Set([body, ...messages].flatMap(numberIn));
}

function numberIn(message: unknown): string[] {
	if (typeof message !== 'object' || message === null || !('to' in message)) return [];
	return typeof message.to === 'string' ? [message.to] : [];
}
