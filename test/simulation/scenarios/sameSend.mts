import { brokenEverywhere } from '../invariants.mts';
import type { Job, Process, Running } from '../n8n.mts';
import { SENDER } from '../service.mts';
import { inARow, node } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * A person builds a workflow in the editor, and executes its sending node 200 times in random order: the same list or another
 * one, the same text or another one, one of two nodes, with or without *Send Again*. Messages are refused, or get no answer,
 * and n8n is killed.
 */

const EXECUTIONS = 200;
const HALF_DAY = 12 * 3_600_000;

interface Made {
	/** The node, its recipients and the text: what makes two sends the same. */
	key: string;
	running: Running;
	beganAt: number;
	isAgain: boolean;
	isKilled: boolean;
}

const phoneOf = (index: number) => `3859${String(17_001_100 + index * 7)}`;

/** Lists that overlap, and lists of one. */
const LISTS = ['0 1 2', '0 1', '1 0', '0', '0 1 2 3 4'];

/** Executes once, and perhaps kills n8n meanwhile. */
async function execute(world: World, nth: number, host: () => Process): Promise<Made> {
	const { choices: c, n8n } = world;
	const question = `execution ${nth}`;
	const list = c.oneOf(`${question}/list`, LISTS).split(' ').map(Number);
	const message = c.oneOf(`${question}/text`, ['Hello', 'Goodbye']);
	const id = c.oneOf(`${question}/node`, ['node-1', 'node-2']);
	const isAgain = c.chance(`${question}/send again`, 0.1);
	const parameters = {
		resource: 'message',
		operation: 'sendText',
		from: { __rl: true, mode: 'phone', value: SENDER },
		to: '={{ $json.phone }}',
		message,
		options: {
			batchSize: c.oneOf(`${question}/batch size`, [10, 1]),
			...(isAgain && { sendAgain: true }),
		},
	};
	const onError = c.oneOf(`${question}/on error`, [
		'stopWorkflow',
		'continueRegularOutput',
	] as const);
	n8n.workflows.set(
		'workflow',
		inARow('workflow', [
			node('Start', 'simulated.start'),
			node('Messaging', 'n8n-nodes-messaging.messaging', parameters, { id, onError }),
		]),
	);
	const beganAt = Date.now();
	const process = host();
	const items = list.map((index) => ({ phone: phoneOf(index) }));
	const running = n8n.start(process, 'workflow', items, 'manual');
	let isKilled = false;
	if (c.chance(`${question}/killed`, 0.05)) {
		void world.wait(c.int(`${question}/killed after ms`, 1, 400)).then(() => {
			if (!running.job.isAlive) return;
			isKilled = true;
			world.tell(`${process} is killed`);
			n8n.kill(process);
		});
	}
	await running.over;
	return { key: `${id} ${list.toSorted().join()} ${message}`, running, beganAt, isAgain, isKilled };
}

const NOT_TWICE =
	'in the editor, the same messages are not sent again for half a day, unless Send Again is on';
const NO_OTHER = 'in the editor, only messages that were accepted within a day are refused';

const saysUnknown = (data: object) => /ay have been sent/.test(JSON.stringify(data));

function broken({ n8n, service }: World, all: Made[]): Violation[] {
	// Of an execution that was killed before n8n wrote it, nothing is there to look at, and it has sent nothing.
	const made = all.filter(({ running }) => n8n.database.executions.has(running.id));
	return made.flatMap((each, nth) => {
		const name = `execution ${each.running.id}`;
		const acceptedBy = ({ running }: Made) =>
			service.accepted.filter(({ owner }) => (owner as Job).name === running.job.name).length;
		const before = made.slice(0, nth).filter(({ key }) => key === each.key);
		const within = (ms: number) => before.filter(({ beganAt }) => beganAt > each.beganAt - ms);
		const { error } = n8n.shown(each.running.id).data.resultData;
		const isRefused = /were accepted within the last hours/.test(String(error?.message ?? ''));
		const isOne = each.key.split(' ')[1].split(',').length === 1;
		const had = within(HALF_DAY).find((other) => acceptedBy(other) > 0);
		if (had && !each.isAgain && !isOne && acceptedBy(each) > 0)
			return violation(NOT_TWICE, `${name} after execution ${had.running.id}: ${each.key}`);
		// Of a killed execution nobody knows whether messages were accepted.
		const mayHave = (other: Made) =>
			other.isKilled || acceptedBy(other) > 0 || saysUnknown(n8n.shown(other.running.id).data);
		if (isRefused && (each.isAgain || isOne || !within(2 * HALF_DAY).some(mayHave)))
			return violation(NO_OTHER, `${name}: ${each.key}`);
		return [];
	});
}

async function play(world: World): Promise<Violation[]> {
	const { choices: c, n8n } = world;
	const hosts = [n8n.startProcess()];
	const host = () => {
		n8n.startAgain(hosts, 0);
		return hosts[0];
	};
	world.tell(`${EXECUTIONS} executions in the editor`);
	const made: Made[] = [];
	for (let nth = 1; nth <= EXECUTIONS; nth++) {
		made.push(await execute(world, nth, host));
		await world.wait(c.oneOf(`execution ${nth}/pause in min`, [1, 1, 10, 60, 240]) * 60_000);
	}
	return [...broken(world, made), ...brokenEverywhere(world)];
}

export const sameSend: Scenario = {
	name: 'same send',
	longest: EXECUTIONS * 5 * 3_600_000,
	mostSteps: 1_000_000,
	play,
};
