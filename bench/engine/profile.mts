import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Runs `work` and writes where its processor time went, for Chrome's developer tools. */
export async function profiled<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	const result = await work();
	const { profile } = await session.post('Profiler.stop');
	writeFileSync(file, JSON.stringify(profile));
	session.disconnect();
	return result;
}
