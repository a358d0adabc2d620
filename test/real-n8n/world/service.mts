import { until } from '../../../demo/n8n/until.mts';
import type { EndpointName } from '../../../sandbox/interface/endpoints.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { BAKERY, type Json } from './nodes.mts';

/* The service's side: what it accepted, and what a test makes it do. */

export interface Person extends Json {
	phone: string;
}

let numbers = 385_913_000_200;

/** People to whom no other test sends. The sandbox treats some numbers below …0200 in another way. */
export const newPeople = (count: number): Person[] =>
	Array.from({ length: count }, () => {
		if (numbers % 10_000 === 0) numbers += 200;
		return { phone: String(numbers++) };
	});

export const newPhone = (): string => newPeople(1)[0].phone;

/** Sends a request to the sandbox's control API (sandbox/README.md). */
export async function control(
	{ url }: Sandbox,
	method: 'GET' | 'POST' | 'PUT' | 'DELETE',
	path: string,
	body?: unknown,
): Promise<any> {
	const answer = await fetch(`${url}/_sandbox${path}`, {
		method,
		headers: { 'content-type': 'application/json', connection: 'close' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await answer.text();
	if (!answer.ok) throw new Error(`Sandbox ${method} ${path}: ${text}`);
	return JSON.parse(text);
}

/** The messages that the service accepted, for one recipient or for all. */
export const acceptedBy = async (sandbox: Sandbox, recipient?: string): Promise<Json[]> =>
	await control(sandbox, 'GET', `/accepted${recipient ? `?recipient=${recipient}` : ''}`);

/** How many messages the service accepted for each of these people. */
export function timesAccepted({ world }: Sandbox, people: Person[]): number[] {
	const { byRecipient } = world.messages.tally();
	return people.map(({ phone }) => byRecipient[phone] ?? 0);
}

/** How many of these people have a message. */
export const howMany = (sandbox: Sandbox, people: Person[]): number =>
	timesAccepted(sandbox, people).filter((times) => times > 0).length;

export const once = (people: Person[]): number[] => people.map(() => 1);

/** Waits until this many of these people have a message. */
export async function untilAccepted(sandbox: Sandbox, people: Person[], count: number) {
	await until(
		`${count} are accepted`,
		async () => (howMany(sandbox, people) >= count ? true : undefined),
		{ everyMs: 20 },
	);
}

/** Runs `work`, and counts the requests that reached the service meanwhile, by endpoint, and the accepted messages. */
export async function requestsDuring<T>({ world }: Sandbox, work: () => Promise<T>) {
	const before = world.traffic.counts().requests.byEndpoint;
	const messagesBefore = world.messages.tally().messages;
	const result = await work();
	const after = world.traffic.counts().requests.byEndpoint;
	const requests: Partial<Record<EndpointName, number>> = Object.fromEntries(
		(Object.keys(before) as EndpointName[])
			.map((name) => [name, after[name] - before[name]] as const)
			.filter(([, count]) => count > 0),
	);
	return { result, requests, accepted: world.messages.tally().messages - messagesBefore };
}

/** Sends campaigns to the service without n8n. @returns their ids */
export async function campaigns(
	{ url, apiKey }: Sandbox,
	count: number,
	recipients = ['385917000100'],
): Promise<string[]> {
	const messages = recipients.map((to) => ({ to, template: { name: 'opening_hours' } }));
	const ids: string[] = [];
	while (ids.length < count) {
		const some = Array.from({ length: Math.min(50, count - ids.length) }, async () => {
			const answer = await fetch(`${url}/api/public/chatapp/campaign`, {
				method: 'POST',
				headers: { apiKey, 'content-type': 'application/json' },
				body: JSON.stringify({ from: BAKERY, messages }),
			});
			const { data } = (await answer.json()) as { data: { campaign_id: string } };
			return data.campaign_id;
		});
		ids.push(...(await Promise.all(some)));
	}
	return ids;
}
