import { setTimeout as sleep } from 'node:timers/promises';
import { getExecution } from '../../demo/n8n/rest/executions.mts';
import { until } from '../../demo/n8n/until.mts';
import { Trouble } from '../../demo/setup/trouble.mjs';
import { node } from '../../test/real-n8n/nodes/world/nodes.mts';
import { campaigns } from '../../test/real-n8n/queue/world/campaigns.mts';
import { takenBy } from '../../test/real-n8n/queue/world/evidence.mts';
import { triggered } from '../../test/real-n8n/queue/world/triggered.mts';
import {
	executionsOf,
	from,
	messaging,
	people,
	startedByCall,
	template,
} from '../../test/real-n8n/queue/world/workflows.mts';
import { withPeaks, type Peaks, type Scene } from './scene.mts';

const LONG_WAIT = { withinMs: 900_000, everyMs: 100 };

export interface Measured {
	load: string;
	seconds: number;
	perSecond: string;
	peaks: Peaks;
	/** Data of the executions in n8n's database, MB. */
	saved: number;
	lost: number;
	twice: number;
	remark: string;
}

/** The first recipient. In the sandbox, messages to this and the next 9,000 numbers do not fail. */
const first = 385_910_000_100;

/** Counts recipients without a message, and recipients with more than one. */
async function lostAndTwice({ accepted }: Scene, count: number) {
	const { byRecipient } = await accepted();
	const got = Array.from({ length: count }, (_, index) => byRecipient[String(first + index)] ?? 0);
	return {
		lost: got.filter((times) => times === 0).length,
		twice: got.filter((times) => times > 1).length,
	};
}

async function savedOf({ stack }: Scene, workflow: string): Promise<number> {
	const [{ bytes }] = await stack.postgres.query<{ bytes: string }>(
		`select coalesce(sum(octet_length(d.data)), 0) as bytes from execution_data d
		join execution_entity e on e.id = d."executionId" where e."workflowId" = $1`,
		[workflow],
	);
	return Number(bytes) / 1e6;
}

/** Waits until `count` executions have ended. @returns seconds since `began` */
async function secondsUntilEnded(scene: Scene, workflow: string, count: number, began: number) {
	await until(
		`${count} executions end`,
		async () => {
			const rows = await executionsOf(scene, workflow);
			const bad = rows.find(({ status }) => status === 'error' || status === 'crashed');
			if (bad) {
				const { error } = await getExecution(scene.stack.session, bad.id);
				throw new Trouble(`Execution ${bad.id} ended as ${bad.status}: ${error?.message}`);
			}
			return rows.filter(({ status }) => status === 'success').length >= count || undefined;
		},
		LONG_WAIT,
	);
	return (performance.now() - began) / 1000;
}

const rate = (count: number, seconds: number, what: string) =>
	`${Math.round(count / seconds).toLocaleString('en')} ${what}`;

/** One campaign to a list from a database table. */
export async function campaignOf(
	scene: Scene,
	recipients: number,
	{ isLean = false } = {},
): Promise<Measured> {
	await scene.reset(0);
	const table = node(
		'Recipients',
		'n8n-nodes-base.postgres',
		2.6,
		{
			operation: 'executeQuery',
			query: `select (${first} + n)::text as phone, 'order-' || n as id from generate_series(0, ${recipients - 1}) n`,
			options: {},
		},
		{ credentials: { postgres: scene.database } },
	);
	const send = messaging(scene, {
		resource: 'campaign',
		operation: 'send',
		from,
		template,
		to: '={{ $json.phone }}',
		identifier: '={{ $json.id }}',
		options: isLean ? { output: 'campaign' } : {},
	});
	const { id, start } = await startedByCall(
		scene,
		[table, send],
		isLean ? { saveDataSuccessExecution: 'none' } : {},
	);
	const { result: seconds, peaks } = await withPeaks(scene, async () => {
		const began = performance.now();
		await start({});
		return await secondsUntilEnded(scene, id, 1, began);
	});
	return {
		load: `campaign of ${recipients.toLocaleString('en')}${isLean ? ', lean' : ''}`,
		seconds,
		perSecond: rate(recipients, seconds, 'recipients'),
		peaks,
		saved: await savedOf(scene, id),
		...(await lostAndTwice(scene, recipients)),
		remark: `${(await scene.accepted()).campaigns} request`,
	};
}

/** Executions with a hundred single messages each, all started at once. */
export async function singleMessages(
	scene: Scene,
	messages: number,
	latencyMs: number,
): Promise<Measured> {
	const each = 100;
	await scene.reset(latencyMs);
	const { id, url } = await startedByCall(scene, [
		people(),
		messaging(scene, {
			resource: 'message',
			operation: 'sendText',
			from,
			to: '={{ $json.phone }}',
			message: 'Hello',
			options: {},
		}),
	]);
	const everybody = Array.from({ length: messages }, (_, index) => ({
		phone: String(first + index),
	}));
	const parts = Array.from({ length: messages / each }, (_, index) =>
		everybody.slice(index * each, (index + 1) * each),
	);
	const { result: seconds, peaks } = await withPeaks(scene, async () => {
		const began = performance.now();
		await Promise.all(parts.map(async (part) => await call(url, { people: part })));
		return await secondsUntilEnded(scene, id, parts.length, began);
	});
	const { stack } = scene;
	const executions = await executionsOf(scene, id);
	const shares = stack.workers.map(
		(worker) => executions.filter((row) => takenBy(stack, row.id).includes(worker)).length,
	);
	return {
		load: `${messages.toLocaleString('en')} single messages, ${latencyMs} ms each`,
		seconds,
		perSecond: rate(messages, seconds, 'messages'),
		peaks,
		saved: await savedOf(scene, id),
		...(await lostAndTwice(scene, messages)),
		remark: `executions of ${each}: ${shares.join(' and ')} on the workers`,
	};
}

/** Calls the trigger with `atOnce` calls in flight. The trigger confirms each call with the service's logs. */
export async function webhooks(scene: Scene, count: number, atOnce: number): Promise<Measured> {
	await scene.reset(0);
	const receiver = await triggered(scene);
	const ids = await campaigns(scene.service, count);
	const queue = [...ids];
	const waits: number[] = [];
	let repeated = 0;
	const sender = async () => {
		for (let id = queue.shift(); id; id = queue.shift()) {
			for (;;) {
				const began = performance.now();
				const status = await call(receiver.url, { campaign_id: id }).catch(() => 0);
				waits.push(performance.now() - began);
				if (status === 200) break;
				repeated++;
				await sleep(500);
			}
		}
	};
	let answered = 0;
	const { result: seconds, peaks } = await withPeaks(scene, async () => {
		const began = performance.now();
		await Promise.all(Array.from({ length: atOnce }, sender));
		answered = (performance.now() - began) / 1000;
		await until(
			`${count} executions end`,
			async () => ((await receiver.count()).ended >= count ? true : undefined),
			LONG_WAIT,
		);
		return (performance.now() - began) / 1000;
	});
	const times = new Map<string, number>();
	for (const { campaign } of await receiver.executions()) {
		times.set(campaign, (times.get(campaign) ?? 0) + 1);
	}
	waits.sort((a, b) => a - b);
	const at = (share: number) => Math.round(waits[Math.floor((waits.length - 1) * share)]);
	return {
		load: `${count.toLocaleString('en')} webhooks, ${atOnce} at once`,
		seconds,
		perSecond: rate(count, seconds, 'executions'),
		peaks,
		saved: await savedOf(scene, receiver.id),
		lost: ids.filter((id) => !times.has(id)).length,
		twice: [...times.values()].filter((number) => number > 1).length,
		remark:
			`all answered after ${answered.toFixed(0)} s (median ${at(0.5)} ms, longest ${at(1)} ms), ` +
			`${repeated} calls repeated`,
	};
}

async function call(url: string, body: object): Promise<number> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	await answer.text();
	return answer.status;
}
