import type { IDataObject, INode } from 'n8n-workflow';
import { brokenEverywhere, brokenInSending } from '../invariants.mts';
import type { Process, Running, SavedWorkflow } from '../n8n.mts';
import {
	type EditorStep,
	type Family,
	type Intent,
	REMINDERS,
	TEST_NUMBER,
	type Try,
} from '../sendingInvariants.mts';
import { digitsOf, SENDER, TEMPLATES } from '../service.mts';
import { node, to } from '../workflow.mts';
import type { Scenario, Violation, World } from '../world.mts';

/*
 * People send to lists of recipients: several executions, perhaps at the same moment, each retried as people retry;
 * meanwhile the service misbehaves, and n8n is stopped, timed out, shut down or killed.
 */

const NODE = 'Messaging';

/** The second node that sends; its messages have tags of their own. */
const REMINDER = 'Reminder';

/** The workflow of a world. */
interface Plan {
	send: 'sendText' | 'sendTemplate' | 'campaign';
	perRequest: number;
	template: (typeof TEMPLATES)[number]['name'];
	format: 'components' | 'legacyComponents';
	recipients: number;
	/** The first two recipients have the same number. */
	hasTwin: boolean;
	isList: boolean;
	isLoop: boolean;
	ownIdentifiers: boolean;
	national: boolean;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail: boolean;
	batchSize: number;
	batchInterval: number;
	maxRetries: number;
	timeout: number;
	executionTimeout: number;
	savesProgress: boolean;
	/** *On Duplicate Recipient*. */
	duplicates: 'send' | 'skip' | 'error';
	/** *Output*: one item per campaign. */
	isPerCampaign: boolean;
	/** A second node with the same sender and list sends another text, as a reminder. */
	hasReminder: boolean;
	/** Which recipients have identifiers of the user: all, every second one, or all with one identifier twice. */
	identifiers: 'all' | 'some' | 'same twice';
}

function planOf({ choices: c }: World): Plan {
	const send = c.oneOf('send', ['sendText', 'sendTemplate', 'campaign'] as const);
	const isLoop = c.chance('loop', 0.12);
	const isList = !isLoop && send !== 'sendText' && c.chance('recipients in a list', 0.3);
	const template =
		send === 'sendText'
			? 'opening_hours'
			: c.oneOf(
					'template',
					TEMPLATES.map(({ name }) => name),
				);
	const formats = ['components', 'legacyComponents'] as const;
	const isFilled = template !== 'opening_hours';
	const isPerCampaign = send === 'campaign' && c.chance('output per campaign', 0.25);
	// In a list with an item per campaign, an item does not say which of two messages to a number it is about.
	const mayHaveTwin = (isFilled || send === 'sendText') && !isLoop && !(isList && isPerCampaign);
	return {
		send,
		template,
		format: isFilled ? c.oneOf('format', formats) : 'components',
		perRequest: send === 'sendText' ? 0 : c.oneOf('per request', [0, 0, 1, 2, 3]),
		recipients: c.int('recipients', 1, 6),
		hasTwin: mayHaveTwin && c.chance('same number twice', 0.35),
		isList,
		isLoop,
		ownIdentifiers: send === 'campaign' && c.chance('own identifiers', 0.4),
		national: !isList && c.chance('numbers without country code', 0.35),
		onError:
			isLoop || isList
				? c.oneOf('on error', ['stopWorkflow', 'continueRegularOutput'] as const)
				: c.oneOf('on error', [
						'stopWorkflow',
						'stopWorkflow',
						'continueRegularOutput',
						'continueErrorOutput',
					] as const),
		retryOnFail: c.chance('retry on fail', 0.3),
		batchSize: c.oneOf('batch size', [10, 1, 2, 3]),
		batchInterval: c.oneOf('batch interval', [0, 0, 0, 300]),
		maxRetries: c.oneOf('max retries', [3, 0, 1]),
		timeout: c.oneOf('timeout', [60_000, 2000, 500]),
		executionTimeout: c.chance('time-out of the workflow', 0.15)
			? c.oneOf('time-out/s', [2, 1, 5, 20])
			: 0,
		savesProgress: c.chance('progress is saved', 0.2),
		duplicates: c.oneOf('duplicates', ['send', 'send', 'send', 'skip', 'error'] as const),
		isPerCampaign,
		identifiers: c.oneOf('identifiers', ['all', 'all', 'all', 'some', 'same twice'] as const),
		hasReminder: isList && isFilled && c.chance('reminder', 0.35),
	};
}

/** Events, and ms, that a round of a loop takes, roughly. */
const STEPS_OF_A_ROUND = 12;
const MS_OF_A_ROUND = 100;

/** Without saved progress, which would be written thousands of times, and which short loops have, too. */
const longLoopOf = (world: World, rounds: number): Plan => ({
	...planOf(world),
	hasReminder: false,
	recipients: rounds,
	isLoop: true,
	isList: false,
	hasTwin: false,
	savesProgress: false,
	executionTimeout: world.choices.chance('time-out of the workflow', 0.15) ? rounds / 20 : 0,
	onError: world.choices.oneOf('on error', ['continueRegularOutput', 'stopWorkflow'] as const),
});

const textFor = ({ template, send }: Plan, order: string, name: string): string => {
	if (send === 'sendText') return `Order ${order} is ready, ${name}.`;
	if (template === 'order_ready') return `For ${name}\nOrder ${order} is ready, ${name}.`;
	return template === 'order_named'
		? `Order ${order} is ready, ${name}.`
		: 'We are open from 7 to 18.';
};

const phoneOf = (index: number) => `3859${String(17001100 + index * 7)}`;

/** A recipient, with the row that comes into the workflow. */
interface Recipient {
	intent: Intent;
	json: IDataObject;
}

function recipientsOf(plan: Plan, family: number): Recipient[] {
	const isTagged = plan.send === 'sendText' || plan.template !== 'opening_hours';
	return Array.from({ length: plan.recipients }, (_, index): Recipient => {
		const phone = phoneOf(plan.hasTwin && index === 1 ? 0 : index);
		const order = `N${family}-${index + 1}.`;
		const name = `Ana${index}`;
		// The next execution uses the same identifiers of the user again, which the interface forbids.
		const identifier = plan.ownIdentifiers ? identifierOf(plan, index) : '';
		const isTwin = plan.hasTwin && index === 1;
		const isSecond =
			plan.ownIdentifiers && !plan.isLoop && identifier !== '' && index > 0
				? identifierOf(plan, 0) === identifier
				: false;
		return {
			intent: {
				tag: isTagged ? order : '',
				digits: digitsOf(phone),
				text: textFor(plan, order, name),
				identifier,
				leftOut:
					isSecond || (isTwin && plan.duplicates === 'error')
						? 'refused'
						: isTwin && plan.duplicates === 'skip'
							? 'skipped'
							: undefined,
			},
			json: {
				phone,
				national: `0${phone.slice(3)}`,
				order,
				name,
				identifier,
				text: textFor(plan, order, name),
			},
		};
	});
}

/** The same recipients in the same order, with another text. */
function remindersOf(plan: Plan, recipients: Recipient[]): Recipient[] {
	const family = Number(/\d+/.exec(String(recipients[0].json.order)));
	return recipientsOf(plan, REMINDERS + family);
}

function identifierOf({ identifiers, recipients }: Plan, index: number): string {
	if (identifiers === 'some' && index % 2 === 1) return '';
	return `order-${identifiers === 'same twice' && index === recipients - 1 ? 1 : index + 1}`;
}

/** The fields of a template, in the order of the placeholders in its text, as the editor saves them. */
function mapperOf({ template }: Plan): IDataObject {
	const found = TEMPLATES.find(({ name }) => name === template)!;
	const ids = found.components.flatMap(({ type, text = '' }) =>
		[...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) =>
			type === 'BODY' ? name : `${type.toLowerCase()} ${name}`,
		),
	);
	const value = Object.fromEntries(
		ids.map((id) => [id, /(^| )(2|order)$/.test(id) ? '={{ $json.order }}' : '={{ $json.name }}']),
	);
	return {
		mappingMode: 'defineBelow',
		value,
		schema: ids.map((id) => ({
			id,
			displayName: id,
			type: 'string',
			display: true,
			required: true,
		})),
	};
}

/** Changes that a person makes between two tries. */
interface Edits {
	fullNumbers?: boolean;
	/** Position of the entry that is removed from the list. */
	without?: number;
	/** Position of the entry that changes places with the next one. */
	swapped?: number;
	/** Another size of requests. */
	perRequest?: number;
	resendUnknown?: boolean;
	dryRun?: boolean;
	test?: boolean;
}

/** Returns a list as it is after the edits. */
function edited<Entry>(list: Entry[], { swapped, without }: Edits): Entry[] {
	const entries = [...list];
	if (swapped !== undefined) {
		[entries[swapped], entries[swapped + 1]] = [entries[swapped + 1], entries[swapped]];
	}
	return entries.filter((_, index) => index !== without);
}

const isFilled = ({ template }: Plan) => template !== 'opening_hours';

const modeOf = ({ dryRun, test }: Edits) => (dryRun ? 'dryRun' : test ? 'test' : 'send');

function nodeOf(plan: Plan, recipients: Recipient[], edits: Edits): INode {
	const isText = plan.send === 'sendText';
	const isNational = plan.national && !edits.fullNumbers;
	const listed = edited(recipients, edits);
	const perRequest = edits.perRequest ?? plan.perRequest;
	const parameters: IDataObject = {
		resource: plan.send === 'campaign' ? 'campaign' : 'message',
		operation: { sendText: 'sendText', sendTemplate: 'sendTemplate', campaign: 'send' }[plan.send],
		from: { __rl: true, mode: 'phone', value: SENDER },
		...(plan.isList
			? {
					recipients: 'list',
					recipientList: JSON.stringify(
						listed.map(({ json }) => ({
							to: json.phone,
							...(json.identifier !== '' && { identifier: json.identifier }),
							...(isFilled(plan) && { parameters: parametersOf(plan, json) }),
						})),
					),
				}
			: { to: isNational ? '={{ $json.national }}' : '={{ $json.phone }}' }),
		...(isText
			? { message: '={{ $json.text }}' }
			: {
					template: { __rl: true, mode: 'name', value: plan.template },
					...(isFilled(plan)
						? !plan.isList && { templateParameters: mapperOf(plan) }
						: { templatePreview: { schema: [{ id: `noPlaceholders:${plan.template}` }] } }),
				}),
		mode: modeOf(edits),
		testRecipient: `+${TEST_NUMBER}`,
		options: {
			batchSize: plan.batchSize,
			batchInterval: plan.batchInterval,
			maxRetries: plan.maxRetries,
			timeout: plan.timeout,
			...(!isText && { parameterFormat: plan.format }),
			...(plan.ownIdentifiers && !plan.isList && { identifier: '={{ $json.identifier }}' }),
			...(plan.send === 'campaign' && perRequest && { maxRecipients: perRequest }),
			...(plan.send === 'sendTemplate' && perRequest && { messagesPerRequest: perRequest }),
			...(isNational && { phoneFormat: 'digits', defaultCountryCode: '385' }),
			...(edits.resendUnknown && { resendUnknown: true }),
			...(plan.duplicates !== 'send' && { onDuplicateRecipient: plan.duplicates }),
			...(plan.isPerCampaign && { output: 'campaign' }),
		},
	};
	const { onError, retryOnFail } = plan;
	return node(NODE, 'n8n-nodes-messaging.messaging', parameters, {
		id: 'node-1',
		onError,
		retryOnFail,
	});
}

const parametersOf = ({ template }: Plan, json: IDataObject) =>
	template === 'order_named'
		? { order: json.order, name: json.name }
		: { header_1: json.name, 1: json.name, 2: json.order };

function workflowOf(plan: Plan, recipients: Recipient[], edits: Edits): SavedWorkflow {
	return {
		...unpinnedWorkflowOf(plan, recipients, edits),
		pinData: { Start: inputOf(plan, recipients).map((json) => ({ json })) },
	};
}

/** The input of the workflow. */
const inputOf = ({ isList }: Plan, recipients: Recipient[]): IDataObject[] =>
	isList ? [{ list: 1 }] : recipients.map(({ json }) => json);

function unpinnedWorkflowOf(plan: Plan, recipients: Recipient[], edits: Edits): SavedWorkflow {
	const settings = {
		executionOrder: 'v1',
		...(plan.executionTimeout > 0 && { executionTimeout: plan.executionTimeout }),
		saveExecutionProgress: plan.savesProgress,
	};
	const nodes = [
		node('Start', 'simulated.start'),
		nodeOf(plan, recipients, edits),
		node('After', 'simulated.after'),
	];
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
	const outputs = [
		[to('After')],
		...(plan.onError === 'continueErrorOutput' ? [[to('Failed')]] : []),
	];
	if (plan.hasReminder) {
		const reminder = nodeOf(plan, remindersOf(plan, recipients), { ...edits, test: false });
		return {
			id: 'workflow',
			settings,
			nodes: [...nodes, { ...reminder, id: 'node-2', name: REMINDER }],
			connections: {
				Start: { main: [[to(NODE)]] },
				[NODE]: { main: [[to(REMINDER)]] },
				[REMINDER]: { main: [[to('After')]] },
			},
		};
	}
	return {
		id: 'workflow',
		settings,
		nodes: [...nodes, node('Failed', 'simulated.after')],
		connections: { Start: { main: [[to(NODE)]] }, [NODE]: { main: outputs } },
	};
}

/**
 * Plans kills, *Stop* and shutdown of n8n.
 *
 * @param rounds the rounds of a long loop
 * @returns whether anything is planned
 */
function disturb(
	world: World,
	running: Running[],
	process: () => Process,
	rounds?: number,
): boolean {
	const { choices: c, clock, n8n } = world;
	const kills = c.chance('kill', rounds ? 0.7 : 0.35) ? c.int('kill/more', 1, 2) : 0;
	const lastStep = rounds ? rounds * STEPS_OF_A_ROUND : 260;
	const steps = Array.from({ length: kills }, (_, index) =>
		c.int(`kill ${index + 1}/at event`, 1, lastStep),
	);
	clock.beforeEach = (step) => {
		if (!steps.includes(step)) return;
		const victim = process();
		if (!victim.isAlive) return;
		const { front } = n8n;
		const isWhole = front && c.chance(`kill ${steps.indexOf(step) + 1}/front too`, 0.5);
		world.tell(`${victim} is killed${isWhole ? `, and so is ${front.process}` : ''}`);
		n8n.kill(victim);
		if (isWhole) n8n.kill(front.process);
	};
	const isStopped = c.chance('stop', 0.15);
	const isShutDown = c.chance('shut down', 0.06);
	if (isStopped) {
		const latest = rounds ? rounds * MS_OF_A_ROUND : 3000;
		const [after, which] = [c.int('stop/after ms', 20, latest), c.int('stop/which', 0, 2)];
		void world.wait(after).then(async () => {
			const target = running[which % running.length];
			if (target?.job.isAlive) await n8n.stop(target);
		});
	}
	if (isShutDown) {
		void world.wait(c.int('shut down/after ms', 20, 4000)).then(async () => {
			world.tell(`${process()} shuts down`);
			await n8n.shutDown(process());
		});
	}
	return kills > 0 || isStopped || isShutDown;
}

/** @param rounds the rounds of a long loop */
async function playSending(world: World, rounds?: number): Promise<Violation[]> {
	const { choices: c, n8n } = world;
	const plan = rounds ? longLoopOf(world, rounds) : planOf(world);
	n8n.requestLimit = plan.timeout;
	n8n.hasOwnClocks = true;
	const started: Running[] = [];
	// Executions begin at once in several processes, which are all killed within a second.
	const burst = !rounds && c.chance('burst', 0.06) ? c.int('burst/processes', 2, 5) : 0;
	const hosts = [
		n8n.startProcess(),
		...(burst || c.chance('second process', 0.3) ? [n8n.startProcess()] : []),
		...Array.from({ length: Math.max(0, burst - 2) }, () => n8n.startProcess()),
	];
	if (burst) {
		void world.wait(c.int('burst/killed after ms', 5, 1000)).then(() => {
			world.tell('all processes are killed');
			for (const host of hosts) n8n.kill(host);
		});
	}
	const isQueue = !rounds && c.chance('queue mode', 0.12);
	if (isQueue) {
		const isMain = c.chance('queue mode/main takes calls', 0.6);
		n8n.front = { process: n8n.startProcess(), isMain };
		world.tell(
			`${n8n.front.process}, ${isMain ? 'the main one' : 'a webhook processor'}, takes what workers run`,
		);
	}
	const isDisturbed = disturb(world, started, () => hosts[0], rounds);
	const executions = burst ? 20 : c.oneOf('executions', rounds ? [1, 1, 2] : [1, 1, 2, 3, 8, 20]);
	world.tell(`${executions} executions: ${summary(plan)}`);

	/** Steps in the editor, by execution. */
	const steps = new Map<string, EditorStep & { family: Family; intents: Intent[] }>();
	const families: Family[] = [];
	/** By execution: notes a retry of it, if n8n runs that retry only at its next start. */
	const retries = new Map<string, (running: Running) => Promise<void>>();
	const followed: Array<Promise<void>> = [];

	/** Notes an execution that n8n had stored and runs at its next start. */
	const follow = (running: Running) => {
		const step = steps.get(running.id);
		if (step) {
			const { family, intents } = step;
			Object.assign(step, { running, isWholeWorkflow: true });
			for (const each of family.tries) each.intents = intents;
			if (!families.includes(family)) families.push(family);
		}
		const tries = families.flatMap((family) => family.tries);
		const each = tries.find(({ id }) => id === running.id);
		const { retryOf } = n8n.database.executions.get(running.id)!;
		if (each) {
			started.push(running);
			Object.assign(each, { job: running.job, endedAt: Infinity });
			followed.push(
				running.over.then((end) => void Object.assign(each, { end, endedAt: world.time })),
			);
		} else if (retryOf !== undefined) {
			followed.push(retries.get(retryOf)!(running));
		}
	};

	/** Returns a running process. After a crash it starts one, which recovers what the crash left behind. */
	const host = (index: number): Process => {
		const place = index % hosts.length;
		if (!hosts[place].isAlive) {
			hosts[place] = n8n.startProcess();
			const { front } = n8n;
			if (front?.process.isAlive) {
				world.tell(`${hosts[place]} is a new worker`);
				return hosts[place];
			}
			if (front) {
				front.process = n8n.startProcess();
				// In queue mode, recovery reads no event log (`scaling/scaling.service.js`, `recoverFromQueue`).
				n8n.recover(false);
				world.tell(`n8n starts again as ${front.process}, with ${hosts[place]} as a worker`);
				return hosts[place];
			}
			const hasEventLog = c.chance(`recovery ${hosts[place].number}/with event log`, 0.5);
			n8n.recover(hasEventLog, true);
			world.tell(
				`n8n starts again as ${hosts[place]}, ${hasEventLog ? 'with' : 'without'} its event log`,
			);
			// Without queue mode n8n has one main process: a second one beside it does not run what is stored.
			if (hosts.some((other) => other !== hosts[place] && other.isAlive)) return hosts[place];
			for (const running of n8n.runEnqueued(hosts[place])) follow(running);
		}
		return hosts[place];
	};

	const play = async (index: number): Promise<void> => {
		const question = `execution ${index + 1}`;
		const recipients = recipientsOf(plan, index + 1);
		const newFamily = (name: string, node = NODE): Family => ({
			name,
			node,
			isOneOfTwo: plan.hasReminder,
			tries: [],
			isRetriedByN8n: plan.retryOnFail,
			isLoop: plan.isLoop,
			isOneRound: false,
			isList: plan.isList,
			isPerCampaign: plan.isPerCampaign,
			stopsOnError: plan.onError === 'stopWorkflow',
		});
		/** The edits of each try, for *Retry with original workflow*. */
		const editsOf = new Map<Try, Edits>();
		const family = newFamily(question);
		families.push(family);
		const reminders = newFamily(`${question}/reminder`, REMINDER);
		if (plan.hasReminder) families.push(reminders);
		const reminded = plan.hasReminder ? remindersOf(plan, recipients) : [];
		const note = async (of: Family, running: Running, edits: Edits, retryOf?: Try) => {
			started.push(running);
			const intents = edited(recipients, edits)
				.slice(0, of.isOneRound ? 1 : undefined)
				.map(({ intent }) => intent);
			const made: Try = {
				id: running.id,
				intents,
				end: 'ended',
				job: running.job,
				retryOf,
				beganAt: world.time,
				endedAt: Infinity,
				mayResend: edits.resendUnknown ?? false,
				isEdited: edits.perRequest !== undefined,
				isDryRun: edits.dryRun ?? false,
				isTest: edits.test ?? false,
				isReminder: false,
			};
			of.tries.push(made);
			editsOf.set(made, edits);
			if (of === family && plan.hasReminder && !made.isTest && !made.isDryRun) {
				const before = reminders.tries.find(({ id }) => id === retryOf?.id);
				const second = {
					...made,
					isReminder: true,
					intents: reminded.map(({ intent }) => intent),
					retryOf: before,
				};
				reminders.tries.push(second);
				void running.over.then((end) => Object.assign(second, { end, endedAt: world.time }));
			}
			made.end = await running.over;
			// If the node had ended before, n8n continues with its output, whatever was edited since.
			if (retryOf && made.end === 'ended' && !running.job.hasWorked) {
				let earlier = retryOf;
				while (!earlier.job.hasWorked && earlier.retryOf) earlier = earlier.retryOf;
				made.intents = earlier.intents;
			}
			made.endedAt = world.time;
		};
		const input = inputOf(plan, recipients);
		const isManual = !rounds && !plan.hasReminder && c.chance(`${question}/in the editor`, 0.1);
		// Without a placeholder, nothing shows whose message a test is.
		const mayTest = !rounds && !plan.hasReminder && recipients[0].intent.tag !== '';

		/** Executes the node, or the one behind it, in the editor, which shows an earlier execution. */
		const playStep = async (nth: number, { id }: Try) => {
			const shown = n8n.database.executions.has(id) ? id : undefined;
			const step = `${question}/step ${nth}`;
			const destination = c.oneOf(`${step}/destination`, ['After', NODE]);
			const isChanged = c.chance(`${step}/changed`, 0.3);
			const workflow = workflowOf(plan, recipients, {});
			const runs = shown && n8n.shown(shown).data.resultData.runData[NODE];
			const [output] = (runs && runs.at(-1)?.data?.main) || [];
			// In a loop, the pinned output of one round would be the input of the next.
			const mayPin = output !== undefined && output !== null && !plan.isLoop;
			const isPinned = mayPin && c.chance(`${step}/pinned`, 0.25);
			if (isPinned) workflow.pinData = { ...workflow.pinData, [NODE]: output! };
			n8n.workflows.set('workflow', workflow);
			const changed = isChanged ? [NODE] : [];
			world.tell(
				`a person executes ${destination} in the editor, which shows ${shown ? `execution ${shown}` : 'nothing'}${isChanged ? '; the node was changed' : ''}${isPinned ? '; its output is pinned' : ''}`,
			);
			const running = n8n.startManually(host(index), 'workflow', { destination, shown, changed });
			const hasFailed = !runs || runs.some(({ error }) => error !== undefined);
			const runsNode = !isPinned && (isChanged || hasFailed || destination === NODE);
			const made = newFamily(step);
			made.isOneRound = plan.isLoop && destination === NODE;
			const intents = recipients.map(({ intent }) => intent);
			steps.set(running.id, { name: step, running, runsNode, family: made, intents });
			await note(made, running, {});
			if (!running.job.hasWorked) return made.tries[0];
			if (!families.includes(made)) families.push(made);
			await retry(made, step);
			return made.tries[0];
		};

		const retry = async (of: Family, prefix: string, before: Edits = {}) => {
			const most = c.int(`${prefix}/retries`, 0, 3);
			const edits = { ...before };
			for (let nth = 1; nth <= most; nth++) {
				const question = `${prefix}/retry ${nth}`;
				const original = c.chance(`${question}/the first one again`, 0.2)
					? of.tries.findIndex(({ isDryRun }) => !isDryRun)
					: -1;
				const last = of.tries.at(original)!;
				const shown = n8n.database.executions.get(last.id);
				if (!shown || shown.finished || shown.status === 'running' || shown.status === 'new') break;
				const isEdited = c.chance(`${question}/edited`, 0.5);
				if (isEdited) {
					if (plan.national && c.chance(`${question}/full numbers`, 0.8)) edits.fullNumbers = true;
					const mayEdit = plan.isList && plan.recipients > 1 && !plan.hasReminder;
					if (mayEdit && c.chance(`${question}/one removed`, 0.5))
						edits.without = c.int(`${question}/which`, 0, plan.recipients - 1);
					if (mayEdit && c.chance(`${question}/two swapped`, 0.3))
						edits.swapped = c.int(`${question}/swapped`, 0, plan.recipients - 2);
					if (!plan.hasReminder && c.chance(`${question}/other size`, 0.15))
						edits.perRequest = c.int(`${question}/size`, 1, 3);
					if (c.chance(`${question}/resend unknown`, 0.2)) edits.resendUnknown = true;
					if (mayTest && c.chance(`${question}/test`, edits.test ? 0.5 : 0.08))
						edits.test = !edits.test;
				}
				const times = c.chance(`${question}/twice at once`, 0.15) ? 2 : 1;
				const edited = isEdited ? workflowOf(plan, recipients, edits) : undefined;
				if (isEdited) world.tell(`a person edits the workflow: ${JSON.stringify(edits)}`);
				const used = isEdited ? { ...edits } : editsOf.get(last)!;
				retries.set(last.id, async (running) => await note(of, running, used, last));
				const runs = await Promise.all(
					Array.from(
						{ length: times },
						async (_, at) => await n8n.retry(host(index + at), last.id, edited),
					),
				);
				await Promise.all(
					runs.map(async (running) => running && (await note(of, running, used, last))),
				);
				await world.wait(c.oneOf(`${question}/patience in ms`, [100, 3000, 15_000]));
				host(index);
			}
		};

		if (!burst) await world.wait(c.oneOf(`${question}/after ms`, [0, 0, 0, 40, 700, 6000]));
		const begin = async (edits: Edits, of = family) => {
			n8n.workflows.set('workflow', workflowOf(plan, recipients, edits));
			const running = isManual
				? n8n.startManually(host(index), 'workflow')
				: n8n.start(host(index), 'workflow', input);
			await note(of, running, edits);
		};
		if (c.chance(`${question}/dry run first`, 0.1)) await begin({ dryRun: true });
		if (mayTest && c.chance(`${question}/test first`, 0.08)) {
			const tested = newFamily(`${question}/test`);
			families.push(tested);
			world.tell('a person tests with their own number');
			await begin({ test: true }, tested);
			host(index);
			await retry(tested, `${question}/test`, { test: true });
		}
		await begin({});
		await world.wait(c.oneOf(`${question}/patience in ms`, [100, 3000, 15_000]));
		// A person notices a dead worker only when n8n shows the execution as failed.
		const isGone = isQueue && family.tries.at(-1)!.end === 'killed';
		if (isGone && n8n.front!.process.isAlive) await world.wait(100_000);
		host(index);

		let shown = family.tries.at(-1)!;
		const inEditor = isManual ? c.int(`${question}/steps`, 0, 2) : 0;
		for (let nth = 1; nth <= inEditor; nth++) shown = await playStep(nth, shown);
		await retry(family, question);
	};
	await Promise.all(Array.from({ length: executions }, async (_, index) => await play(index)));
	await Promise.all(followed);
	// Requests that are still in flight arrive.
	await world.wait(90_000);
	const isCalm =
		!isDisturbed && !burst && !world.service.hasTroubled && plan.executionTimeout === 0;
	const { batchSize } = plan;
	return [
		...brokenInSending(world, families, [...steps.values()], { batchSize, isCalm }),
		...brokenEverywhere(world),
	];
}

export const sending: Scenario = {
	name: 'sending',
	play: async (world) => await playSending(world),
};

/** Loops with one item per round, and with more rounds than marks of a node are kept. */
export const longLoops: Scenario = {
	name: 'long loops',
	longest: 1000 * 3_600_000,
	mostSteps: 1_000_000,
	async play(world) {
		world.service.trouble = world.choices.oneOf('service/trouble in a loop', [0, 0.002, 0.02]);
		return await playSending(world, world.choices.oneOf('rounds', [600, 1100, 1600, 3000]));
	},
};

function summary(plan: Plan): string {
	const { send, recipients, onError } = plan;
	const parts = [
		`${send}${isFilled(plan) ? ` of ${plan.template} as ${plan.format}` : ''}`,
		`${recipients} recipients${plan.hasTwin ? ', the first number twice' : ''}${plan.isList ? ' in a list' : ''}${plan.isLoop ? ' in a loop' : ''}`,
		...(plan.perRequest ? [`${plan.perRequest} per request`] : []),
		...(plan.ownIdentifiers ? ['own identifiers'] : []),
		...(plan.national ? ['numbers without country code'] : []),
		...(onError === 'stopWorkflow' ? [] : [onError]),
		...(plan.retryOnFail ? ['Retry On Fail'] : []),
		`batches of ${plan.batchSize}`,
		`timeout ${plan.timeout} ms`,
		...(plan.executionTimeout ? [`the workflow may take ${plan.executionTimeout} s`] : []),
		...(plan.savesProgress ? ['progress is saved'] : []),
		...(plan.hasTwin && plan.duplicates !== 'send' ? [`duplicates: ${plan.duplicates}`] : []),
		...(plan.isPerCampaign ? ['an item per campaign'] : []),
		...(plan.hasReminder ? ['a second node reminds them'] : []),
		...(plan.ownIdentifiers && plan.identifiers !== 'all'
			? [`identifiers: ${plan.identifiers}`]
			: []),
	];
	return parts.join(', ');
}
