import type { IDataObject, INode } from 'n8n-workflow';
import { brokenByHand, type HandTry, KINDS, type ShownCode } from '../byHandInvariants.mts';
import { EPOCH } from '../clock.mts';
import { brokenEverywhere } from '../invariants.mts';
import type { Editor, Job, Process, Running, SavedWorkflow } from '../n8n.mts';
import { SENDER } from '../service.mts';
import { node, to } from '../workflow.mts';
import type { Scenario, Violation, World } from '../world.mts';

/*
 * A person tries a workflow in the editor: dry runs, sends with the code of one of them or with another word, presses twice,
 * changes the list, the text or a setting in between, and retries from the list of executions. Meanwhile the service
 * misbehaves, and n8n is stopped or killed, or its database fails. All of it is in one process: two can both send
 * (docs/limits.md#the-code). Lists have at most eight rows, so that every message is noted and compared.
 */

/** The workflow of a world: what nobody changes. */
type Plan = ReturnType<typeof planOf>;

function planOf({ choices: c }: World) {
	const shape = c.oneOf('shape', ['row', 'row', 'row', 'loop', 'branches', 'two nodes'] as const);
	const send = c.oneOf('send', ['sendText', 'campaign', 'sendTemplate'] as const);
	return {
		shape,
		send,
		names: shape === 'two nodes' ? ['Messaging', 'Reminder'] : ['Messaging'],
		perRequest: send === 'campaign' ? c.oneOf('per request', [0, 0, 1, 2]) : 0,
		perRound: shape === 'loop' ? c.oneOf('per round', [2, 1, 3]) : 0,
		retryOnFail: c.chance('retry on fail', 0.15),
		batchSize: c.oneOf('batch size', [10, 1, 2]),
		maxRetries: c.oneOf('max retries', [3, 0]),
	};
}

/** What a person changes in a node that sends. */
interface Settings {
	sendMode: 'send' | 'dryRun';
	code: string;
	/** Another number is another text. */
	text: number;
	onError: INode['onError'];
}

interface Row extends IDataObject {
	name: string;
	phone: string;
}

/** The editor, as a person sees it. */
interface Canvas extends Editor {
	/** The rows of each branch. */
	lists: Row[][];
	nodes: Record<string, Settings>;
	/** The codes that dry runs have shown, oldest first. */
	codes: ShownCode[];
}

const rowOf = (person: number): Row => ({
	name: `Ana${person}`,
	phone: `3859${String(17001100 + person * 7)}`,
});

const listName = (branch: number) => `List ${branch + 1}`;

function nodeOf(plan: Plan, name: string, { sendMode, code, text, onError }: Settings): INode {
	const { send, perRequest, batchSize, maxRetries, retryOnFail } = plan;
	/** What tells the messages of nodes and texts apart; the checks read it here. */
	const words = `v${text} of ${name}`;
	const parameters: IDataObject = {
		resource: send === 'campaign' ? 'campaign' : 'message',
		operation: send === 'campaign' ? 'send' : send,
		sendMode,
		code,
		from: { __rl: true, mode: 'phone', value: SENDER },
		to: '={{ $json.phone }}',
		...(send === 'sendText'
			? { message: `={{ $json.name }} ${words}` }
			: {
					template: { __rl: true, mode: 'name', value: 'order_named' },
					templateParameters: {
						mappingMode: 'defineBelow',
						value: { order: words, name: '={{ $json.name }}' },
						schema: ['order', 'name'].map((id) => ({
							id,
							displayName: id,
							type: 'string',
							display: true,
						})),
					},
				}),
		options: { batchSize, maxRetries, ...(perRequest > 0 && { maxRecipients: perRequest }) },
	};
	const more = { id: `id of ${name}`, onError, retryOnFail, notes: words };
	return node(name, 'n8n-nodes-messaging.messaging', parameters, more);
}

/** The workflow as it stands in the editor, which is saved at once. */
function workflowOf(plan: Plan, { lists, nodes }: Canvas): SavedWorkflow {
	const { shape, names, perRound } = plan;
	const sending = names.map((name) => nodeOf(plan, name, nodes[name]));
	const after = (name: string) => `After ${name}`;
	const given = lists.map((rows, branch) => node(listName(branch), 'simulated.list', { rows }));
	const common = {
		id: 'workflow',
		nodes: [
			node('Start', 'simulated.start'),
			...given,
			...sending,
			...names.map((name) => node(after(name), 'simulated.after')),
			...(shape === 'loop' ? [node('Loop', 'simulated.loop', { size: perRound })] : []),
		],
		settings: { executionOrder: 'v1' },
	};
	const begin = { Start: { main: [given.map(({ name }) => to(name))] } };
	if (shape === 'loop') {
		const [name] = names;
		return {
			...common,
			connections: {
				...begin,
				[listName(0)]: { main: [[to('Loop')]] },
				Loop: { main: [[to(after(name))], [to(name)]] },
				[name]: { main: [[to('Loop')]] },
			},
		};
	}
	const behind = (name: string) => {
		const isSplit = nodes[name].onError === 'continueErrorOutput';
		return { main: [[to(after(name))], ...(isSplit ? [[to(after(name))]] : [])] };
	};
	return {
		...common,
		connections: {
			...begin,
			...Object.fromEntries(given.map(({ name }) => [name, { main: [names.map(to)] }])),
			...Object.fromEntries(names.map((name) => [name, behind(name)])),
		},
	};
}

/** Lets the database fail for a while. @returns whether it does */
function letDatabaseFail(world: World): boolean {
	const { choices: c, n8n } = world;
	if (!c.chance('the database fails', 0.12)) return false;
	const from = c.oneOf('database fails/after ms', [200, 60, 1500, 6000, 20_000]);
	const until = from + c.oneOf('database fails/for ms', [30, 200, 3000]);
	n8n.database.isBroken = () => world.time >= from && world.time < until;
	world.tell(`the database will fail from ${from} to ${until} ms`);
	return true;
}

async function play(world: World): Promise<Violation[]> {
	const { choices: c, n8n, service } = world;
	const plan = planOf(world);
	const hosts: Process[] = [n8n.startProcess()];
	const kills = world.killAtEvents(0.3, 700, () => hosts[0]);
	const failsDatabase = letDatabaseFail(world);
	const isLoop = plan.shape === 'loop';
	const canvas: Canvas = {
		runData: {},
		edited: new Set(),
		lists: Array.from({ length: plan.shape === 'branches' ? 2 : 1 }, (_, branch) => {
			const [first, count] = [
				c.int(`list ${branch + 1}/from`, 0, 2),
				c.int(`list ${branch + 1}/rows`, 1, 4),
			];
			return Array.from({ length: count }, (_, index) => rowOf(first + index));
		}),
		nodes: Object.fromEntries(
			plan.names.map((name) => [
				name,
				{ sendMode: 'dryRun', code: '', text: 1, onError: c.oneOf(`${name}/on error`, KINDS) },
			]),
		),
		codes: [],
	};
	const tries: HandTry[] = [];
	let isStopped = false;

	/** Waits for what was started, and looks at it. */
	const watch = async (running: Running, question: string, retryOf?: HandTry) => {
		const made: HandTry = {
			id: running.id,
			job: running.job as Job<Process>,
			retryOf,
			first: retryOf && (retryOf.first ?? retryOf),
			beganAt: world.time,
			endedAt: Infinity,
			end: 'ended',
			isLoop,
		};
		tries.push(made);
		if (c.chance(`${question}/stop`, 0.05)) {
			isStopped = true;
			void world.wait(c.oneOf(`${question}/stop after ms`, [60, 20, 200, 1500])).then(async () => {
				if (running.job.isAlive) await n8n.stop(running).catch(() => {});
			});
		}
		made.end = await running.over;
		// A stopped node may still be at work.
		while (running.job.isAlive && running.job.working > 0) await world.wait(50);
		made.endedAt = world.time;
		read(made);
	};

	/** Reads what the page shows: the outputs, and the codes of dry runs. */
	const read = ({ id, job, end, beganAt, endedAt, retryOf }: HandTry) => {
		if (end === 'killed' || !n8n.database.executions.has(id)) return;
		const { runData } = n8n.shown(id).data.resultData;
		for (const name of plan.names) {
			const hints = (runData[name] ?? []).flatMap((run) =>
				(run.hints ?? []).map(({ message }) => message),
			);
			const shown = hints.flatMap((hint) => {
				const [, of, code] =
					/in '(.*?)', set 'Mode' to Send and enter the code (\w+) /.exec(hint) ?? [];
				const isKnown = canvas.codes.some((other) => other.code === code);
				return code && !isKnown ? [{ node: of, code, hint, by: id, beganAt, endedAt }] : [];
			});
			for (const each of shown)
				world.tell(`the dry run of ${job} shows ${each.code}: ${each.hint}`);
			// A later round may take a code back: then no hint has it in the end.
			const isLast = (each: { code: string }) =>
				each === shown.at(-1) && hints.at(-1)?.includes(each.code) === true;
			canvas.codes.push(...shown.map((each) => ({ ...each, isLast: isLast(each) })));
		}
		if (retryOf) return;
		canvas.runData = runData;
		for (const name of canvas.edited)
			if ((runData[name]?.at(-1)?.startTime ?? 0) >= EPOCH + beganAt) canvas.edited.delete(name);
	};

	const set = (name: string, changed: Partial<Settings>) => {
		Object.assign(canvas.nodes[name], changed);
		canvas.edited.add(name);
	};

	/** The word that a person enters as the code. */
	const codeFor = (question: string, name: string): string => {
		const mine = canvas.codes.filter((each) => each.node === name);
		const others = canvas.codes.filter((each) => each.node !== name);
		const newest = mine.at(-1)?.code ?? '';
		const which = c.oneOf(`${question}/code`, [
			'newest',
			'newest',
			'newest',
			'older',
			'none',
			'of another node',
			'mistyped',
			'as it is',
		]);
		const words = {
			newest,
			older: mine.at(-1 - c.int(`${question}/how old`, 0, 3))?.code ?? newest,
			none: '',
			'of another node': others.at(-1)?.code ?? '8BCDF',
			mistyped: newest.replace(/^\d+/, (number) => String(Number(number) + 1)),
			'as it is': canvas.nodes[name].code,
		};
		const word = words[which];
		return c.chance(`${question}/in small letters`, 0.1)
			? ` ${word.toLowerCase().replace(/^\d+/, '$& – ')}.`
			: word;
	};

	const nodeFor = (question: string) => c.oneOf(`${question}/node`, plan.names);

	/** Presses a button, perhaps in two tabs at the same moment. */
	const press = async (question: string, name: string) => {
		const buttons =
			plan.shape === 'row'
				? (['step', 'workflow'] as const)
				: (['workflow', 'workflow', 'step'] as const);
		const step = c.oneOf(`${question}/button`, buttons) === 'step' ? name : undefined;
		const saved = () => workflowOf(plan, canvas);
		const start = async (tab: string) => {
			const { sendMode, code } = canvas.nodes[name];
			const words = sendMode === 'send' ? `Send with the code "${code}"` : 'Dry Run';
			const running = n8n.press(hosts[0], saved(), step, canvas);
			world.tell(
				`a person presses ${step ? `Execute step of ${step}` : 'Execute workflow'}: ${running.job}, ${words}`,
			);
			await watch(running, `${question}${tab}`);
		};
		const isTwice = c.chance(`${question}/twice at once`, 0.15);
		const first = start('');
		if (isTwice && c.chance(`${question}/other code`, 0.5))
			set(name, { code: codeFor(`${question}/second`, name) });
		await Promise.all([first, isTwice ? start('/second') : undefined]);
	};

	const edit = (question: string) => {
		const branch = c.int(`${question}/branch`, 0, 1) % canvas.lists.length;
		const rows = canvas.lists[branch];
		const name = nodeFor(question);
		const { text } = canvas.nodes[name];
		const changes = {
			text: () => set(name, { text: text === 1 ? 2 : 1 }),
			remove: () => rows.length > 1 && rows.splice(c.int(`${question}/row`, 0, 7) % rows.length, 1),
			add: () => rows.length < 8 && rows.push(rowOf(c.int(`${question}/person`, 0, 7))),
			reverse: () => rows.reverse(),
			'other people': () => rows.splice(0, rows.length, ...[4, 5, 6].map(rowOf)),
			'bad number': () => Object.assign(rows[0], { phone: 'call me' }),
			'good numbers': () => rows.splice(0, rows.length, ...[0, 1].map(rowOf)),
			'on error': () => set(name, { onError: c.oneOf(`${question}/on error`, KINDS) }),
		};
		const what = c.oneOf(`${question}/change`, Object.keys(changes) as Array<keyof typeof changes>);
		changes[what]();
		canvas.edited.add(listName(branch));
		world.tell(
			`a person edits (${what}): ${canvas.lists.map((each) => each.map((row) => row.name).join(' ')).join(' | ')}`,
		);
	};

	const retry = async (question: string) => {
		const shown = tries.filter(({ id }) => {
			const record = n8n.database.executions.get(id);
			return record && !record.finished && !['running', 'new'].includes(record.status);
		});
		const last = shown.at(-1 - c.int(`${question}/how old`, 0, 2)) ?? shown.at(-1);
		if (!last) return;
		const isSaved = c.chance(`${question}/currently saved`, 0.6);
		if (isSaved && c.chance(`${question}/to send`, 0.7)) {
			const name = nodeFor(question);
			set(name, { sendMode: 'send', code: codeFor(question, name) });
		}
		const workflow = isSaved ? workflowOf(plan, canvas) : undefined;
		const start = async (tab: string) => {
			const running = await n8n.retry(hosts[0], last.id, workflow).catch(() => undefined);
			if (running) await watch(running, `${question}${tab}`, last);
		};
		const isTwice = c.chance(`${question}/twice at once`, 0.15);
		await Promise.all([start(''), isTwice ? start('/second') : undefined]);
	};

	const calmsDown = c.int('the service recovers before step', 1, 10);
	const steps = c.int('steps', 1, 9);
	world.tell(
		`${JSON.stringify(plan)}, list ${canvas.lists.map((rows) => rows.map(({ name }) => name).join(' ')).join(' | ')}`,
	);
	for (let nth = 1; nth <= steps; nth++) {
		const question = `step ${nth}`;
		if (nth === calmsDown) service.trouble = 0;
		n8n.startAgain(hosts, 0);
		const does = [
			'nothing',
			'dry run and send',
			'dry run and send',
			'dry run',
			'press again',
			'press again',
			'send',
			'send',
			'edit',
			'edit',
			'retry',
			'retry',
		] as const;
		const what = c.oneOf(`${question}/does`, does);
		const name = nodeFor(question);
		if (what === 'edit') edit(question);
		if (what === 'press again') {
			if (c.chance(`${question}/the service has recovered`, 0.5)) service.trouble = 0;
			await press(question, name);
		}
		if (what === 'retry') await retry(question);
		if (what === 'dry run' || what === 'dry run and send') {
			set(name, { sendMode: 'dryRun' });
			await press(`${question}/dry run`, name);
			n8n.startAgain(hosts, 0);
		}
		if (what === 'send' || what === 'dry run and send') {
			set(name, { sendMode: 'send', code: codeFor(question, name) });
			// Then the code counts again.
			service.isAway = c.chance(`${question}/the service is away`, 0.15);
			await press(question, name);
			service.isAway = false;
		}
		await world.wait(c.oneOf(`${question}/patience in ms`, [100, 3000]));
	}
	await world.wait(90_000);
	const isSteady = kills === 0 && !isStopped && !failsDatabase;
	return [
		...brokenByHand(world, { tries, codes: canvas.codes, isSteady }),
		...brokenEverywhere(world),
	];
}

export const byHand: Scenario = { name: 'by hand', play };
