import type { IDataObject, INode } from 'n8n-workflow';
import type { Choices } from '../choices.mts';
import { brokenEverywhere } from '../invariants.mts';
import type { Process, Running, SavedWorkflow } from '../n8n.mts';
import {
	brokenInSending,
	type Family,
	type Intent,
	NODE,
	OTHER,
	SECOND,
	type Try,
	tryOf,
} from '../sendingInvariants.mts';
import { digitsOf, SENDER, TEMPLATES } from '../service.mts';
import { inARow, node, to } from '../workflow.mts';
import type { Scenario, Violation, World } from '../world.mts';

/*
 * People send to lists of recipients: several executions, perhaps at the same moment, each retried as people retry;
 * meanwhile the service misbehaves, and n8n is stopped, timed out or killed.
 */

/** The workflow of a world. */
type Plan = ReturnType<typeof planOf>;

const SENDS = ['sendText', 'sendTemplate', 'campaign'] as const;

const namesFor = (send: (typeof SENDS)[number]) =>
	send === 'sendText' ? ['opening_hours'] : TEMPLATES.map(({ name }) => name);

/** What the second node does otherwise than the first one. */
function secondOf(c: Choices) {
	const send = c.oneOf('second/send', SENDS);
	const template = c.oneOf('second/template', namesFor(send));
	return {
		send,
		template,
		isFilled: template !== 'opening_hours',
		perRequest: send === 'campaign' ? c.oneOf('second/per request', [0, 1, 2]) : 0,
		ownIdentifiers: send === 'campaign' && c.chance('second/own identifiers', 0.3),
		onError: c.oneOf('second/on error', [
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		] as const),
		retryOnFail: c.chance('second/retry on fail', 0.3),
		hasOtherText: c.chance('second/other text', 0.5),
		/** The number is that in the first node's output, where it has one. */
		readsOutput: c.chance('second/reads the output', 0.5),
	};
}

type Second = ReturnType<typeof secondOf>;

/** Whether two recipients may have the same number: their messages differ, so that it is known whose each is. */
const mayHaveTwin = ({ send, isFilled }: Pick<Second, 'send' | 'isFilled'>) =>
	isFilled || send === 'sendText';

function planOf({ choices: c }: World) {
	const send = c.oneOf('send', SENDS);
	const isLoop = c.chance('loop', 0.12);
	const template = c.oneOf('template', namesFor(send));
	const isFilled = template !== 'opening_hours';
	const onErrors = ['stopWorkflow', 'stopWorkflow', 'continueRegularOutput'] as const;
	const onError = c.oneOf(
		'on error',
		isLoop ? onErrors : ([...onErrors, 'continueErrorOutput'] as const),
	);
	/** Where the error output leads: back to the node, once, to another one that sends the same, or where its success output leads. */
	const leadsTo =
		onError === 'continueErrorOutput'
			? c.oneOf('failed items are led', [
					'nowhere',
					'back',
					'to another node',
					'to the second node',
				] as const)
			: 'nowhere';
	const mayHaveSecond = leadsTo === 'nowhere' && !isLoop && c.chance('a second node', 0.3);
	const second = mayHaveSecond || leadsTo === 'to the second node' ? secondOf(c) : undefined;
	return {
		send,
		template,
		isFilled,
		perRequest: send === 'campaign' ? c.oneOf('per request', [0, 0, 1, 2, 3]) : 0,
		recipients: c.int('recipients', 1, 6),
		/** The first two recipients have the same number. */
		hasTwin:
			!isLoop &&
			leadsTo === 'nowhere' &&
			mayHaveTwin({ send, isFilled }) &&
			(!second || (mayHaveTwin(second) && onError !== 'continueErrorOutput')) &&
			c.chance('same number twice', 0.35),
		isLoop,
		leadsTo,
		/** The recipients come from the second output of a node, and every other row goes to its first one. */
		isBehindBranch: !isLoop && c.chance('behind the second output of a branch', 0.15),
		/** Another workflow calls this one. */
		isCalled: c.chance('in a sub-workflow', 0.12),
		/** What the node behind it does, if that sends, too. */
		second,
		ownIdentifiers: send === 'campaign' && c.chance('own identifiers', 0.4),
		national: c.chance('numbers without country code', 0.35),
		onError,
		retryOnFail: c.chance('retry on fail', 0.3),
		batchSize: c.oneOf('batch size', [10, 1, 2, 3]),
		batchInterval: c.oneOf('batch interval', [0, 0, 0, 300]),
		maxRetries: c.oneOf('max retries', [3, 0, 1]),
		timeout: c.oneOf('timeout', [60_000, 2000, 500]),
		/** In seconds. */
		executionTimeout: c.chance('time-out of the workflow', 0.15)
			? c.oneOf('time-out/s', [2, 1, 5, 20])
			: 0,
		/** Which recipients have identifiers of the user: all, or every second one. */
		identifiers: c.oneOf('identifiers', ['all', 'all', 'all', 'some'] as const),
	};
}

/** What is set in a plan, for the story. */
const summary = (plan: Plan): string =>
	Object.entries(plan)
		.filter(([, value]) => value)
		.map(([name, value]) => (value === true ? name : `${name} ${told(value)}`))
		.join(', ');

const told = (value: unknown) =>
	typeof value === 'object' ? `(${summary(value as Plan)})` : String(value);

const textFor = (
	{ template, send }: Pick<Plan, 'template' | 'send'>,
	order: string,
	name: string,
): string => {
	if (send === 'sendText') return `Order ${order} is ready, ${name}.`;
	if (template === 'order_ready') return `For ${name}\nOrder ${order} is ready, ${name}.`;
	return template === 'order_named'
		? `Order ${order} is ready, ${name}.`
		: 'We are open from 7 to 18.';
};

const phoneOf = (index: number) => `3859${String(17001100 + index * 7)}`;

/** A row that no message should be for. */
const NOBODY: IDataObject = { phone: '385911111111', national: '0911111111', text: 'For nobody.' };

/** A recipient, with the row that comes into the workflow. */
interface Recipient {
	intent: Intent;
	json: IDataObject;
}

function recipientsOf(plan: Plan & { hasOtherText?: boolean }, family: number): Recipient[] {
	const isTagged = plan.send === 'sendText' || plan.template !== 'opening_hours';
	return Array.from({ length: plan.recipients }, (_, index): Recipient => {
		const phone = phoneOf(plan.hasTwin && index === 1 ? 0 : index);
		const order = `N${family}-${index + 1}.`;
		const name = `${plan.hasOtherText ? 'Eva' : 'Ana'}${index}`;
		// The next execution uses the same identifiers of the user again, which the interface forbids.
		const hasIdentifier = plan.ownIdentifiers && (plan.identifiers === 'all' || index % 2 === 0);
		const identifier = hasIdentifier ? `order-${index + 1}` : '';
		const text = textFor(plan, order, name);
		return {
			intent: { tag: isTagged ? order : '', digits: digitsOf(phone), text, identifier },
			json: { phone, national: `0${phone.slice(3)}`, order, name, identifier, text },
		};
	});
}

/**
 * The fields of a template, in the order of the placeholders in its text, as the editor saves them.
 *
 * @param row the recipient, in expressions
 */
function mapperOf({ template }: Plan, row: string): IDataObject {
	const found = TEMPLATES.find(({ name }) => name === template)!;
	const ids = found.components.flatMap(({ type, text = '' }) =>
		[...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) =>
			type === 'BODY' ? name : `${type.toLowerCase()} ${name}`,
		),
	);
	const value = Object.fromEntries(
		ids.map((id) => [id, `={{ ${row}.${/(^| )(2|order)$/.test(id) ? 'order' : 'name'} }}`]),
	);
	return {
		mappingMode: 'defineBelow',
		value,
		schema: ids.map((id) => ({
			id,
			displayName: id,
			type: 'string',
			display: true,
		})),
	};
}

/** Changes that a person makes between two tries. */
interface Edits {
	fullNumbers?: boolean;
	/** Index of the recipient whose number is lost. */
	spoiled?: number;
	/** Another size of requests. */
	perRequest?: number;
}

/**
 * The node that sends.
 *
 * @param row the recipient, in expressions
 * @param readsOutput the number is that in the item, where it has one
 */
function nodeOf(
	plan: Plan,
	recipients: Recipient[],
	edits: Edits,
	row = '$json',
	readsOutput = false,
): INode {
	const isText = plan.send === 'sendText';
	const isNational = plan.national && !edits.fullNumbers;
	const perRequest = edits.perRequest ?? plan.perRequest;
	const spoiled = edits.spoiled === undefined ? '' : recipients[edits.spoiled].json.order;
	const inRow = `${row}.${isNational ? 'national' : 'phone'}`;
	const phone = readsOutput ? `($json.to || ${inRow})` : inRow;
	const parameters: IDataObject = {
		resource: plan.send === 'campaign' ? 'campaign' : 'message',
		operation: { sendText: 'sendText', sendTemplate: 'sendTemplate', campaign: 'send' }[plan.send],
		from: { __rl: true, mode: 'phone', value: SENDER },
		to: spoiled ? `={{ ${row}.order === '${spoiled}' ? '' : ${phone} }}` : `={{ ${phone} }}`,
		...(isText
			? { message: `={{ ${row}.text }}` }
			: {
					template: { __rl: true, mode: 'name', value: plan.template },
					...(plan.isFilled
						? { templateParameters: mapperOf(plan, row) }
						: { templatePreview: { schema: [{ id: `noPlaceholders:${plan.template}` }] } }),
				}),
		options: {
			batchSize: plan.batchSize,
			batchInterval: plan.batchInterval,
			maxRetries: plan.maxRetries,
			timeout: plan.timeout,
			...(plan.ownIdentifiers && { identifier: `={{ ${row}.identifier }}` }),
			...(plan.send === 'campaign' && perRequest && { maxRecipients: perRequest }),
			...(isNational && { phoneFormat: 'digits', defaultCountryCode: '385' }),
		},
	};
	const { onError, retryOnFail } = plan;
	return node(NODE, 'n8n-nodes-messaging.messaging', parameters, {
		id: 'node-1',
		onError,
		retryOnFail,
	});
}

function secondNodeOf(plan: Plan, second: Second, recipients: Recipient[], edits: Edits): INode {
	const row = "$('Start').item.json.second";
	const made = nodeOf({ ...plan, ...second }, recipients, edits, row, second.readsOutput);
	return { ...made, name: SECOND, id: 'node-3' };
}

function workflowOf(plan: Plan, recipients: Recipient[], edits: Edits): SavedWorkflow {
	const settings = {
		executionOrder: 'v1',
		...(plan.executionTimeout > 0 && { executionTimeout: plan.executionTimeout }),
	};
	const row = plan.isBehindBranch ? "$('Start').item.json" : '$json';
	const sends = nodeOf(plan, recipients, edits, row);
	const nodes = [node('Start', 'simulated.start'), sends, node('After', 'simulated.after')];
	if (plan.isLoop) {
		return {
			id: 'workflow',
			settings,
			nodes: [...nodes, node('Loop', 'simulated.loop')],
			connections: {
				Start: { main: [[to('Loop')]] },
				Loop: { main: [[to('After')], [to(NODE)]] },
				[NODE]: { main: [[to('Loop')]] },
			},
		};
	}
	const failed = {
		nowhere: 'Failed',
		back: 'Again',
		'to another node': OTHER,
		'to the second node': SECOND,
	}[plan.leadsTo];
	const outputs = [
		[to(plan.second ? SECOND : 'After')],
		...(plan.onError === 'continueErrorOutput' ? [[to(failed)]] : []),
	];
	return {
		id: 'workflow',
		settings,
		nodes: [
			...nodes,
			{ ...sends, name: OTHER, id: 'node-2' },
			...(plan.second ? [secondNodeOf(plan, plan.second, recipients, edits)] : []),
			node('Failed', 'simulated.after'),
			node('Again', 'simulated.again'),
			node('Branch', 'simulated.branch'),
		],
		connections: {
			Start: { main: [[to(plan.isBehindBranch ? 'Branch' : NODE)]] },
			Branch: { main: [[], [to(NODE)]] },
			[NODE]: { main: outputs },
			[OTHER]: { main: [[to('After')], [to('Failed')]] },
			[SECOND]: { main: [[to('After')], [to('Failed')]] },
			Again: { main: [[to(NODE)], [to('Failed')]] },
		},
	};
}

/** The workflow that calls the one that sends. */
const callerOf = ({ executionTimeout }: Plan): SavedWorkflow => ({
	...inARow('caller', [
		node('Start', 'simulated.start'),
		node('Call', 'simulated.call', { workflow: 'workflow' }),
		node('Called', 'simulated.after'),
	]),
	settings: { executionOrder: 'v1', ...(executionTimeout > 0 && { executionTimeout }) },
});

/** Plans kills and *Stop*. @returns whether anything is planned */
function disturb(world: World, running: Running[], process: () => Process): boolean {
	const { choices: c, n8n } = world;
	const kills = world.killAtEvents(0.35, 260, process);
	const isStopped = c.chance('stop', 0.15);
	if (isStopped) {
		const [after, which] = [c.int('stop/after ms', 20, 3000), c.int('stop/which', 0, 2)];
		void world.wait(after).then(async () => {
			const target = running[which % running.length];
			if (target?.job.isAlive) await n8n.stop(target);
		});
	}
	return kills > 0 || isStopped;
}

async function play(world: World): Promise<Violation[]> {
	const { choices: c, n8n } = world;
	const plan = planOf(world);
	const { second } = plan;
	n8n.requestLimit = plan.timeout;
	const started: Running[] = [];
	const processes = c.chance('second process', 0.3) ? 2 : 1;
	const hosts = Array.from({ length: processes }, () => n8n.startProcess());
	const isDisturbed = disturb(world, started, () => hosts[0]);
	const executions = c.oneOf('executions', [1, 1, 2, 3, 8, 20]);
	world.tell(`${executions} executions: ${summary(plan)}`);
	const families: Family[] = [];

	/** Returns a running process: after a crash n8n starts again. */
	const host = (index: number): Process => {
		const place = index % hosts.length;
		n8n.startAgain(hosts, place);
		return hosts[place];
	};

	/** Follows an execution that sends, and retries it as people do. */
	const follow = async (
		name: string,
		index: number,
		begin: () => Running,
		{ recipients, ofSecond }: { recipients: Recipient[]; ofSecond: Recipient[] },
	): Promise<void> => {
		const family: Family = {
			name,
			nodes: [NODE, OTHER],
			behind: second ? [SECOND] : ['After', 'Failed'],
			intents: recipients.map(({ intent }) => intent),
			tries: [],
			isRetriedByN8n: plan.retryOnFail,
			isLoop: plan.isLoop || plan.leadsTo === 'back' || plan.leadsTo === 'to another node',
			stopsOnError: plan.onError === 'stopWorkflow',
		};
		families.push(family);
		if (second) {
			families.push({
				name: `${name}, second node`,
				nodes: [SECOND],
				from: { node: NODE, outputs: plan.leadsTo === 'nowhere' ? [0] : [0, 1] },
				behind: ['After', 'Failed'],
				intents: ofSecond.map(({ intent }) => intent),
				tries: family.tries,
				isRetriedByN8n: second.retryOnFail,
				isLoop: plan.onError === 'continueErrorOutput',
				stopsOnError: second.onError === 'stopWorkflow',
			});
		}
		/** The edits of each try, for *Retry with original workflow*. */
		const editsOf = new Map<Try, Edits>();
		const note = async (running: Running, edits: Edits, retryOf?: Try) => {
			started.push(running);
			const made = tryOf(world, running, {
				retryOf,
				isEdited: edits.perRequest !== undefined,
				isSpoiled: edits.spoiled !== undefined,
			});
			family.tries.push(made);
			editsOf.set(made, edits);
			made.end = await running.over;
			made.endedAt = world.time;
		};
		const retryAsPeopleDo = async () => {
			const most = c.int(`${name}/retries`, 0, 3);
			const edits: Edits = {};
			for (let nth = 1; nth <= most; nth++) {
				const question = `${name}/retry ${nth}`;
				const isFirst = c.chance(`${question}/the first one again`, 0.2);
				const last = family.tries.at(isFirst ? 0 : -1)!;
				const shown = n8n.database.executions.get(last.id);
				if (!shown || shown.finished || shown.status === 'running' || shown.status === 'new') break;
				const isEdited = c.chance(`${question}/edited`, 0.5);
				if (isEdited) {
					if (plan.national && c.chance(`${question}/full numbers`, 0.8)) edits.fullNumbers = true;
					if (c.chance(`${question}/a number is lost`, 0.1))
						edits.spoiled = c.int(`${question}/whose`, 0, plan.recipients - 1);
					if (c.chance(`${question}/other size`, 0.15))
						edits.perRequest = c.int(`${question}/size`, 1, 3);
					world.tell(`a person edits the workflow: ${JSON.stringify(edits)}`);
				}
				const workflow = isEdited ? workflowOf(plan, recipients, edits) : undefined;
				const used = isEdited ? { ...edits } : editsOf.get(last)!;
				const times = c.chance(`${question}/twice at once`, 0.15) ? 2 : 1;
				const runs = await Promise.all(
					Array.from(
						{ length: times },
						async (_, at) => await n8n.retry(host(index + at), last.id, workflow),
					),
				);
				await Promise.all(
					runs.map(async (running) => running && (await note(running, used, last))),
				);
				await world.wait(c.oneOf(`${question}/patience in ms`, [100, 3000, 15_000]));
				host(index);
			}
		};

		await note(begin(), {});
		await world.wait(c.oneOf(`${name}/patience in ms`, [100, 3000, 15_000]));
		host(index);
		await retryAsPeopleDo();
	};

	/** Calls the sub-workflow that sends, and perhaps retries the caller: each call sends to everybody (docs/limits.md#sending). */
	const call = async (
		name: string,
		index: number,
		input: IDataObject[],
		people: Parameters<typeof follow>[3],
	): Promise<void> => {
		n8n.workflows.set('caller', callerOf(plan));
		let caller: Running | undefined = n8n.start(host(index), 'caller', input);
		for (let nth = 1; caller; nth++) {
			const { id, over } = caller;
			started.push(caller);
			await over;
			for (const [at, called] of (n8n.called.get(id) ?? []).entries())
				await follow(`${name}/try ${nth}/call ${at + 1}`, index, () => called, people);
			host(index);
			const { status } = n8n.database.executions.get(id) ?? {};
			if (!['error', 'crashed', 'canceled'].includes(String(status))) return;
			if (nth > 2 || !c.chance(`${name}/try ${nth}/the caller is retried`, 0.3)) return;
			caller = await n8n.retry(host(index), id);
		}
	};

	const execute = async (index: number): Promise<void> => {
		const name = `execution ${index + 1}`;
		const recipients = recipientsOf(plan, index + 1);
		const ofSecond = second ? recipientsOf({ ...plan, ...second }, index + 1) : [];
		const rows = recipients.map(({ json }, at) => ({ ...json, second: ofSecond[at]?.json }));
		const input = plan.isBehindBranch ? rows.flatMap((row) => [NOBODY, row]) : rows;
		await world.wait(c.oneOf(`${name}/after ms`, [0, 0, 0, 40, 700, 6000]));
		n8n.workflows.set('workflow', workflowOf(plan, recipients, {}));
		const people = { recipients, ofSecond };
		if (plan.isCalled) return await call(name, index, input, people);
		await follow(name, index, () => n8n.start(host(index), 'workflow', input), people);
	};
	await Promise.all(Array.from({ length: executions }, async (_, index) => await execute(index)));
	// Requests that are still in flight arrive.
	await world.wait(90_000);
	const isDisturbedByN8n = isDisturbed || n8n.hasFailedToBegin || plan.executionTimeout > 0;
	const isCalm = !isDisturbedByN8n && !world.service.hasTroubled;
	return [...brokenInSending(world, families, { isCalm }), ...brokenEverywhere(world)];
}

export const sending: Scenario = { name: 'sending', play };
