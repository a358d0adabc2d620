import type { EndpointName } from '../../../../sandbox/interface/endpoints.mts';
import { world } from './world.mts';

/** Runs `work`, and counts the requests that reached the service meanwhile, by endpoint. */
export async function requestsDuring<T>(
	work: () => Promise<T>,
): Promise<{ result: T; requests: Partial<Record<EndpointName, number>>; accepted: number }> {
	const { sandbox } = await world();
	const before = sandbox.world.traffic.counts().requests.byEndpoint;
	const messagesBefore = sandbox.world.messages.tally().messages;
	const result = await work();
	const after = sandbox.world.traffic.counts().requests;
	const requests = Object.fromEntries(
		(Object.keys(before) as EndpointName[])
			.map((name) => [name, after.byEndpoint[name] - before[name]] as const)
			.filter(([, count]) => count > 0),
	);
	return { result, requests, accepted: sandbox.world.messages.tally().messages - messagesBefore };
}
