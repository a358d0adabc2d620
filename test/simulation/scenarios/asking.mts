import type { IDataObject, INode } from 'n8n-workflow';
import { brokenEverywhere } from '../invariants.mts';
import type { Process, Running, SavedWorkflow } from '../n8n.mts';
import {
	brokenInAsking,
	type Family,
	NODE,
	OTHER,
	type Try,
	tryOf,
} from '../sendingInvariants.mts';
import { digitsOf, SENDER } from '../service.mts';
import { answerAt } from '../webhooks.mts';
import { node, to } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * A workflow asks people, one or several one after the other, and waits for their answers. Meanwhile the service misbehaves, n8n
 * is stopped or killed, and somebody retries.
 */

type Plan = ReturnType<typeof planOf>;

function planOf({ choices: c }: World) {
	const isLoop = c.chance('loop', 0.3);
	const onError = c.oneOf('on error', [
		'stopWorkflow',
		'continueRegularOutput',
		'continueErrorOutput',
	] as const);
	/** Where the error output leads: back to the node, once, or to another one that tells the same person. */
	const leadsTo =
		onError === 'continueErrorOutput' && !isLoop
			? c.oneOf('failed items are led', [
					'nowhere',
					'back',
					'to another node',
					'to another node',
				] as const)
			: 'nowhere';
	return {
		isLoop,
		people: isLoop ? c.int('people', 1, 3) : 1,
		onError,
		leadsTo,
		sendAs: c.oneOf('send as', ['session', 'template', 'sessionThenTemplate'] as const),
		retryOnFail: c.chance('retry on fail', 0.3),
		maxRetries: c.oneOf('max retries', [3, 0]),
		timeout: c.oneOf('timeout', [60_000, 2000, 500]),
		/** In minutes. */
		limit: c.oneOf('limit', [0, 0, 1]),
		/** The question is invalid until somebody edits the node. */
		isEmpty: c.chance('the question is empty', leadsTo === 'to another node' ? 0.5 : 0.1),
	};
}

const phoneOf = (index: number) => `3859${String(17001100 + index * 7)}`;

interface Edits {
	/** The question is there. */
	isMended?: boolean;
}

function workflowOf(plan: Plan, { isMended }: Edits): SavedWorkflow {
	const isEmpty = plan.isEmpty && !isMended;
	const ids = ['order', 'name'];
	const parameters: IDataObject = {
		resource: 'message',
		operation: 'sendAndWait',
		from: { __rl: true, mode: 'phone', value: SENDER },
		to: '={{ $json.phone }}',
		message: isEmpty ? "={{ '' }}" : '={{ $json.text }}',
		deliverAs: plan.sendAs,
		...(plan.sendAs !== 'session' && {
			template: { __rl: true, mode: 'name', value: 'order_named' },
			templateParameters: {
				mappingMode: 'defineBelow',
				value: { order: '[question]', name: '[link]' },
				schema: ids.map((id) => ({ id, displayName: id, type: 'string', display: true })),
			},
		}),
		approvalOptions: { values: { approvalType: 'double' } },
		options: {
			timeout: plan.timeout,
			maxRetries: plan.maxRetries,
			...(plan.limit > 0 && {
				limitWaitTime: { values: { resumeAmount: plan.limit, resumeUnit: 'minutes' } },
			}),
		},
	};
	const more: Partial<INode> = { onError: plan.onError, retryOnFail: plan.retryOnFail };
	const asks = node(NODE, 'n8n-nodes-messaging.messaging', parameters, { ...more, id: 'node-1' });
	const { from, to: toWhom } = parameters;
	const { timeout, maxRetries } = plan;
	const told = {
		...{ resource: 'message', operation: 'sendText', from, to: toWhom },
		options: { timeout, maxRetries },
	};
	const tells = node(
		OTHER,
		'n8n-nodes-messaging.messaging',
		{ ...told, message: '={{ $json.text }}' },
		{ id: 'node-2', onError: 'continueRegularOutput' },
	);
	const nodes = [
		node('Start', 'simulated.start'),
		asks,
		tells,
		...['After', 'Failed', 'Told'].map((name) => node(name, 'simulated.after')),
		node('Again', 'simulated.again'),
		node('Loop', 'simulated.loop'),
	];
	const failed = { nowhere: 'Failed', back: 'Again', 'to another node': OTHER }[plan.leadsTo];
	const hasErrorOutput = plan.onError === 'continueErrorOutput';
	const [success, error] = plan.isLoop ? ['Loop', 'Loop'] : ['After', failed];
	return {
		id: 'workflow',
		settings: { executionOrder: 'v1' },
		nodes,
		connections: {
			Start: { main: [[to(plan.isLoop ? 'Loop' : NODE)]] },
			Loop: { main: [[to('After')], [to(NODE)]] },
			[NODE]: { main: [[to(success)], ...(hasErrorOutput ? [[to(error)]] : [])] },
			[OTHER]: { main: [[to('Told')]] },
			Again: { main: [[to(NODE)], [to('Failed')]] },
		},
	};
}

/** An answer that somebody has given at a link, and got thanks for. */
interface Answer {
	execution: string;
	to: string;
	approved: boolean;
}

const linkIn = (sent: string) => /https:\/\/n8n\.test\/[^\s"\\]+/.exec(sent)?.[0];

async function play(world: World): Promise<Violation[]> {
	const { choices: c, n8n, service } = world;
	const plan = planOf(world);
	n8n.requestLimit = plan.timeout;
	const hosts = [n8n.startProcess()];
	const kills = world.killAtEvents(0.6, plan.isLoop ? 100 : 40, () => hosts[0]);
	const host = (): Process => {
		n8n.startAgain(hosts, 0);
		return hosts[0];
	};
	const answers: Answer[] = [];
	const started: Running[] = [];
	const isStopped = c.chance('stop', 0.15);
	if (isStopped) {
		void world.wait(c.int('stop/after ms', 20, 8000)).then(async () => {
			const running = started.at(-1);
			if (running?.job.isAlive) await n8n.stop(running);
		});
	}
	world.tell(JSON.stringify(plan));

	/** Answers what an execution has asked, until it asks no more. */
	const seeThrough = async (made: Try, begun: Running, name: string): Promise<void> => {
		let running: Running | undefined = begun;
		for (let nth = 1; running; nth++) {
			started.push(running);
			made.job = running.job;
			made.end = await running.over;
			made.endedAt = world.time;
			const record = n8n.database.executions.get(made.id);
			if (made.end === 'killed' || record?.status !== 'waiting') return;
			running = await nextOf(made, `${name}/question ${nth}`);
			// It was killed while it continued.
			if (!running && !record.owner.isAlive) made.end = 'killed';
			made.job = record.owner as Try['job'];
		}
	};

	const nextOf = async (made: Try, question: string): Promise<Running | undefined> => {
		const asked = service.accepted.findLast(
			({ owner }) => String(owner) === `execution ${made.id}`,
		)!;
		const limit = plan.limit > 0 ? plan.limit * 60_000 : Infinity;
		const after = c.oneOf(`${question}/after ms`, [500, 5000, 59_500, 70_000]);
		if (c.chance(`${question}/nobody answers`, 0.15) || after >= limit) {
			if (limit === Infinity) return undefined;
			await world.wait(limit);
			return await n8n.resume(host(), made.id);
		}
		await world.wait(after);
		const decision = c.oneOf(`${question}/decision`, ['approve', 'disapprove'] as const);
		const times = c.chance(`${question}/twice at once`, 0.2) ? 2 : 1;
		const presses = await Promise.all(
			Array.from(
				{ length: times },
				async () => await answerAt(n8n, host(), linkIn(asked.sent)!, decision),
			),
		);
		if (presses.some(({ page }) => page === 'thanks')) {
			world.tell(`somebody answers execution ${made.id}: ${decision}`);
			const approved = decision === 'approve';
			answers.push({ execution: made.id, to: asked.digits, approved });
		}
		return presses.find(({ running }) => running)?.running;
	};

	const name = 'execution 1';
	const people = Array.from({ length: plan.people }, (_, index) => {
		const tag = `N1-${index + 1}.`;
		return { phone: phoneOf(index), tag, text: `May we ship order ${tag}` };
	});
	const family: Family = {
		name,
		nodes: [NODE, OTHER],
		behind: ['After', 'Failed', 'Told'],
		intents: people.map(({ phone, tag }) => ({
			tag,
			digits: digitsOf(phone),
			text: undefined,
			identifier: '',
		})),
		tries: [],
		isRetriedByN8n: plan.retryOnFail,
		isLoop: plan.isLoop || plan.leadsTo !== 'nowhere',
		stopsOnError: plan.onError === 'stopWorkflow',
	};
	const follow = async (running: Running, question: string, retryOf?: Try) => {
		const made = tryOf(world, running, { retryOf });
		family.tries.push(made);
		await seeThrough(made, running, question);
	};
	n8n.workflows.set('workflow', workflowOf(plan, {}));
	await follow(n8n.start(host(), 'workflow', people), name);
	for (let nth = 1; nth <= c.int('retries', 0, 3); nth++) {
		await world.wait(c.oneOf(`retry ${nth}/after ms`, [100, 3000, 15_000]));
		host();
		const isFirst = c.chance(`retry ${nth}/the first one again`, 0.2);
		const last = family.tries.at(isFirst ? 0 : -1)!;
		const shown = n8n.database.executions.get(last.id);
		if (!shown || !['error', 'crashed', 'canceled'].includes(shown.status)) break;
		const isEdited = c.chance(`retry ${nth}/currently saved workflow`, 0.6);
		const edited = isEdited ? workflowOf(plan, { isMended: true }) : undefined;
		const running = await n8n.retry(host(), last.id, edited);
		if (running) await follow(running, `retry ${nth}`, last);
	}
	await world.wait(90_000);
	const isCalm = kills === 0 && !isStopped;
	return [
		...brokenInAsking(world, [family]),
		...answersAreTrue(world, answers, isCalm),
		...brokenEverywhere(world),
	];
}

const ANSWER_IS_GIVEN = 'the workflow continues with an answer that somebody gave';
const THANKED_IS_HEARD =
	'whoever is thanked for an answer is heard, unless n8n is stopped or killed';

function* answersAreTrue({ n8n }: World, answers: Answer[], isCalm: boolean): Generator<Violation> {
	const heardIn = (id: string) =>
		(n8n.shown(id).data.resultData.runData[NODE] ?? [])
			.flatMap(({ data }) => data?.main[0] ?? [])
			.map(({ json }) => json.data as IDataObject | undefined)
			.filter((data) => data?.answered);
	const isOf = (data: IDataObject | undefined, { to: whom, approved }: Answer) =>
		whom === digitsOf(data!.to) && approved === data!.approved;
	for (const data of n8n.begun.flatMap(({ id }) => heardIn(id))) {
		if (!answers.some((answer) => isOf(data, answer)))
			yield violation(ANSWER_IS_GIVEN, JSON.stringify(data));
	}
	for (const answer of isCalm ? answers : []) {
		const { execution, to: whom } = answer;
		if (!heardIn(execution).some((data) => isOf(data, answer)))
			yield violation(THANKED_IS_HEARD, `execution ${execution}: ${whom}`);
	}
}

export const asking: Scenario = { name: 'asking', play };
