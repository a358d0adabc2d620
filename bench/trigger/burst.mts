import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from '../../demo/setup/trouble.mjs';
import { forgetPeak, peakOf } from '../load-queue/scene.mts';
import type { Receiver } from './receivers.mts';
import type { Stage } from './stage.mts';

/** What came of calls that some callers made at once. */
export interface Burst {
	/** Executions per second, until the last one had ended; and answers per second. */
	rate: number;
	answers: number;
	/** Calls that had to be repeated. */
	repeated: number;
	/** The most memory of the process that takes the calls, in MB. */
	peak: number;
	/** The processor time that it took for a call, in ms. */
	cpu: number;
}

/** Of a process, in ms. Linux counts in hundredths of a second. */
function processorTimeOf(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

const PATIENCE_MS = 300_000;

/** Makes so many calls, some at once; repeats those that are not answered with 200. */
export async function burst(
	stage: Stage,
	receiver: Receiver,
	calls: number,
	atOnce: number,
): Promise<Burst> {
	const before = await stage.ended(receiver.workflow);
	forgetPeak(stage.pid);
	const processorTime = processorTimeOf(stage.pid);
	const began = performance.now();
	let left = calls;
	let repeated = 0;
	const caller = async () => {
		while (left-- > 0) {
			const body = JSON.stringify(receiver.body());
			while ((await call(stage, receiver, body)) !== 200) {
				repeated++;
				await sleep(200);
			}
		}
	};
	await Promise.all(Array.from({ length: atOnce }, caller));
	const answered = performance.now();
	while ((await stage.ended(receiver.workflow)) < before + calls) {
		if (performance.now() > began + PATIENCE_MS) {
			throw new Trouble(`Not all of ${calls} executions of "${receiver.name}" have ended.`);
		}
		await sleep(20);
	}
	const ended = performance.now();
	return {
		rate: (calls * 1000) / (ended - began),
		answers: (calls * 1000) / (answered - began),
		repeated,
		peak: peakOf(stage.pid),
		cpu: (processorTimeOf(stage.pid) - processorTime) / calls,
	};
}

async function call(stage: Stage, { path, headers }: Receiver, body: string): Promise<number> {
	const answer = await fetch(`${stage.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body,
	}).catch(() => undefined);
	await answer?.text();
	return answer?.status ?? 0;
}
