import { after, afterEach, beforeEach } from 'node:test';
import { createCredential } from '../../../../demo/n8n/rest/credentials.mts';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';
import { startStack, type Stack } from './stack.mts';

/** Queue mode and the sandbox. All test files share them. */
export interface World {
	stack: Stack;
	sandbox: Sandbox;
	/** The credential as nodes refer to it. */
	credential: { id: string; name: string };
	/** Stops the service while `work` runs. It starts again empty, at the same address. */
	withoutService: <T>(work: () => Promise<T>) => Promise<T>;
}

/*
 * With its default settings n8n needs a minute or more to notice that a worker has ended. With these settings it notices
 * sooner. They change nothing else.
 */
const FAST_STALL_DETECTION = {
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

let started: Promise<World> | undefined;

export function world(): Promise<World> {
	started ??= start();
	return started;
}

async function start(): Promise<World> {
	// Campaigns complete only when a test completes them.
	const settings = { campaignSeconds: 3600 };
	let sandbox = await startSandbox({ ...settings, port: 0 });
	closing.push(async () => await sandbox.close());
	const stack = await startStack({ env: FAST_STALL_DETECTION });
	closing.push(stack.stop);
	const { id, name } = await createCredential(stack.session, {
		name: 'Sandbox',
		type: 'messagingApi',
		data: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
	});
	return {
		stack,
		get sandbox() {
			return sandbox;
		},
		credential: { id, name },
		withoutService: async (work) => {
			const { port } = sandbox;
			await sandbox.close();
			try {
				return await work();
			} finally {
				sandbox = await startSandbox({ ...settings, port });
			}
		},
	};
}

const closing: Array<() => Promise<void>> = [];
let logsBefore: number[] = [];

/** Lines that n8n logs for every execution; without them the log is short enough to read. */
const ROUTINE = /^\s*$|^(Enqueued|Worker (started|finished)) execution|^Execution \d+ .*finished/;

const members = ({ stack }: World) => [stack.main, stack.webhook, ...stack.workers];

beforeEach(async () => {
	const running = await started?.catch(() => undefined);
	logsBefore = running ? members(running).map((member) => member.log().length) : [];
});

afterEach(async (context) => {
	const running = await started?.catch(() => undefined);
	if (!running || !('passed' in context) || context.passed) return;
	for (const [index, member] of members(running).entries()) {
		const written = member
			.log()
			.slice(logsBefore[index] ?? 0)
			.split('\n');
		const relevant = written.filter((line) => !ROUTINE.test(line)).join('\n');
		const routine = written.filter((line) => ROUTINE.test(line)).slice(-3);
		console.error(
			`\nThe log of the ${member.name} during this test:\n${relevant.slice(-6000)}\n` +
				`Its last routine lines:\n${routine.join('\n')}\n`,
		);
	}
});

after(async () => {
	await started?.catch(() => undefined);
	for (const close of closing.splice(0).reverse()) await close();
});
