import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from '../../demo/setup/trouble.mjs';
import { needPrograms, SERVERS } from '../../test/real-n8n/programs.mjs';
import { queue, regular, type Installation } from './installation.mts';
import { HEADERS, publishReceivers, type Receiver } from './receivers.mts';

/* The trigger beside n8n's Webhook node, in the real n8n: 50 callers at once, until all executions have ended. */

/** What came of the calls to one receiver. */
export interface Calls {
	name: string;
	mode: string;
	/** Executions per second, in each round. */
	rates: number[];
}

const CALLS = 300;
const CALLERS = 50;
const PATIENCE_MS = 300_000;

export async function measureTrigger(rounds: number): Promise<Calls[]> {
	needPrograms(SERVERS);
	return [
		...(await measureIn('SQLite', await regular(), rounds, CALLS)),
		...(await measureIn('queue mode', await queue(), rounds, CALLS)),
	];
}

/** A few calls to each receiver, without queue mode. */
export const tryTrigger = async (): Promise<Calls[]> =>
	await measureIn('SQLite', await regular(), 1, 20);

async function measureIn(
	mode: string,
	n8n: Installation,
	rounds: number,
	calls: number,
): Promise<Calls[]> {
	try {
		const receivers = await publishReceivers(n8n.session);
		const all = receivers.map(({ name }): Calls => ({ name, mode, rates: [] }));
		for (const receiver of receivers) await burst(n8n, receiver, calls / 5, 10);
		for (let round = 1; round <= rounds; round++) {
			for (const [index, receiver] of receivers.entries()) {
				const rate = await burst(n8n, receiver, calls, CALLERS);
				all[index].rates.push(rate);
				console.log(`trigger ${round}/${rounds}  ${receiver.name}, ${mode}: ${rate.toFixed(0)}/s`);
			}
		}
		return all;
	} finally {
		await n8n.close();
	}
}

/** Makes so many calls, some at once; repeats those that are not answered with 200. @returns executions per second */
async function burst(
	n8n: Installation,
	{ name, workflow, path }: Receiver,
	calls: number,
	callers: number,
) {
	const before = await n8n.ended(workflow);
	const began = performance.now();
	let left = calls;
	const caller = async () => {
		while (left-- > 0) {
			const message = { id: randomUUID(), to: '385911234567', status: 'delivered' };
			const body = JSON.stringify({ event: 'smsDeliveryReport', message });
			while ((await call(`${n8n.url}/webhook/${path}`, body)) !== 200) await sleep(200);
		}
	};
	await Promise.all(Array.from({ length: callers }, caller));
	while ((await n8n.ended(workflow)) < before + calls) {
		if (performance.now() > began + PATIENCE_MS) {
			throw new Trouble(`Not all of ${calls} executions of "${name}" have ended.`);
		}
		await sleep(20);
	}
	return (calls * 1000) / (performance.now() - began);
}

async function call(url: string, body: string): Promise<number> {
	const answer = await fetch(url, { method: 'POST', headers: HEADERS, body }).catch(
		() => undefined,
	);
	await answer?.text();
	return answer?.status ?? 0;
}
