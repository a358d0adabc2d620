import type { INode, INodeExecutionData, ITaskData } from 'n8n-workflow';
import type { NodeRun } from '../support/n8n/installation.mts';
import { EPOCH } from './clock.mts';
import type { Job, Process } from './n8n.mts';
import { type Accepted, digitsOf } from './service.mts';
import { type Violation, violation, type World } from './world.mts';

/*
 * The promises about sending to many by hand (docs/reference.md#mode), each beside its check. The checks know what each node was
 * given, what the service accepted, and what a person reads. They know nothing of how a code is kept.
 */

/** What a person sets *On Error* to. */
export const KINDS = [
	'stopWorkflow',
	'stopWorkflow',
	'continueRegularOutput',
] as const satisfies ReadonlyArray<INode['onError']>;

/** A code that a dry run has shown. */
export interface ShownCode {
	node: string;
	code: string;
	/** The line in which it stands. */
	hint: string;
	/** The execution that has shown it. */
	by: string;
	beganAt: number;
	endedAt: number;
	/** No later round of this execution has shown another one. */
	isLast: boolean;
}

/** An execution by hand, or its *Retry*. */
export interface HandTry {
	id: string;
	job: Job<Process>;
	retryOf: HandTry | undefined;
	/** The execution of which it is a Retry, or a Retry of its Retry; undefined for itself. */
	first: HandTry | undefined;
	beganAt: number;
	endedAt: number;
	end: 'ended' | 'killed';
	isLoop: boolean;
}

interface Facts {
	tries: HandTry[];
	codes: ShownCode[];
	/** n8n was neither killed nor stopped, and its database worked. */
	isSteady: boolean;
}

type Violations = Generator<Violation>;

const firstOf = (each: HandTry) => each.first ?? each;

/** What a message is, for the one who gets it from this node. */
const keyOf = (run: NodeRun, digits: string, text: string | undefined) =>
	[run.node.name, digits, text].join('|');

/** Returns the text that the recipient of a row should read. */
function textOf({ node: { parameters, notes } }: NodeRun, name: unknown): string {
	return parameters.operation === 'sendText'
		? `${String(name)} ${notes}`
		: `Order ${notes} is ready, ${String(name)}.`;
}

/** The keys of the rows of a run that can be sent. */
const keysOf = (run: NodeRun): string[] =>
	run.items
		.filter(({ json }) => /^\d+$/.test(String(json.phone)))
		.map(({ json }) => keyOf(run, String(json.phone), textOf(run, json.name)));

const isDry = ({ node }: NodeRun) => node.parameters.sendMode === 'dryRun';

/** A message of a run that needs a code. */
interface Sent extends Accepted {
	by: HandTry;
	run: NodeRun;
	key: string;
}

/** What a person reads of a run. */
interface Reading {
	error: string;
	hints: string[];
	items: INodeExecutionData[];
}

/** What the checks look at, found once for each world. */
class Seen {
	readonly tries: HandTry[];

	readonly isSteady: boolean;

	/** The messages that the service accepted from runs that need a code. */
	readonly sent: Sent[];

	readonly #codes: ShownCode[];

	readonly #world: World;

	constructor(world: World, { tries, codes, isSteady }: Facts) {
		this.#world = world;
		this.tries = tries;
		this.#codes = codes;
		this.isSteady = isSteady;
		this.sent = world.service.accepted.flatMap((message) => {
			const by = tries.find(({ job }) => job === message.owner);
			const { run, digits, text } = message;
			if (!by || !run || !this.isAsked(by, run)) return [];
			return [{ ...message, by, run, key: keyOf(run, digits, text) }];
		});
	}

	/** One message alone leaves as in any node (docs/limits.md#the-code). */
	isAsked({ isLoop }: HandTry, run: NodeRun): boolean {
		return !isDry(run) && (isLoop || keysOf(run).length > 1);
	}

	/** The code that is entered in a run, if a dry run of this node has shown it before, as its last one. */
	codeIn({ beganAt }: HandTry, { node }: NodeRun): ShownCode | undefined {
		const word = String(node.parameters.code)
			.replace(/[^a-z0-9]/gi, '')
			.toUpperCase();
		return this.#codes.find(
			(each) =>
				each.code === word && each.node === node.name && each.isLast && each.endedAt <= beganAt,
		);
	}

	/** The codes that were entered in a node in an execution and its retries, up to a try. */
	codesIn(family: HandTry[], node: string): ShownCode[] {
		const found = family.flatMap((each) =>
			each.job.runs
				.filter((run) => run.node.name === node && this.isAsked(each, run))
				.flatMap((run) => this.codeIn(each, run) ?? []),
		);
		return [...new Set(found)];
	}

	/** Executions with their retries, and what each node has sent in them. */
	*families(): Generator<{ family: HandTry[]; node: string; sent: Sent[]; where: string }> {
		for (const [first, family] of Map.groupBy(this.tries, firstOf)) {
			const ofNode = Map.groupBy(
				this.sent.filter(({ by }) => family.includes(by)),
				({ run }) => run.node.name,
			);
			for (const [node, sent] of ofNode)
				yield { family, node, sent, where: `execution ${first.id}, ${node}` };
		}
	}

	/** What n8n shows of a run; undefined if it has not saved it. */
	readingOf({ id }: HandTry, { node, index }: NodeRun): Reading | undefined {
		const record = this.#world.n8n.database.executions.get(id);
		if (!record) return undefined;
		const { runData } = this.#world.n8n.shown(id).data.resultData;
		const task = runData[node.name]?.[index] as ITaskData | undefined;
		if (!task) return undefined;
		const { message = '', description = '' } = (task.error ?? {}) as Partial<Error> & {
			description?: string;
		};
		return {
			error: [message, description].join('\n').trim(),
			hints: (task.hints ?? []).map((hint) => hint.message),
			items: (task.data?.main ?? []).flatMap((output) => output ?? []),
		};
	}

	/** The last try of each run of an execution. */
	lastRuns({ job }: HandTry): NodeRun[] {
		const byRun = Map.groupBy(job.runs, ({ node, index }) => `${node.name} ${index}`);
		return [...byRun.values()].map((runs) => runs.at(-1)!);
	}
}

const numberIn = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''));

/** How many messages a line says to be sent before. */
function saidIn(text: string): number {
	if (text.includes('This message was sent from the editor before')) return 1;
	const atLeast = /Some of these [\d,]+ messages were sent .*?: at least ([\d,]+)/.exec(text);
	const known = /([\d,]+) of these [\d,]+ messages were sent from the editor before/.exec(text);
	return numberIn((atLeast ?? known)?.[1]);
}

/** Whether a line says that some messages repeat those of an earlier round. */
const saysRepeats = (text: string) => /messages? repeats? a message of an earlier round/.test(text);

const most = ({ code }: ShownCode) => Number.parseInt(code, 10);

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);

const ONLY_WITH_CODE =
	'by hand two or more messages leave only with a code of this node’s dry run, and no more than it says';

function* onlyWithCode(seen: Seen): Violations {
	for (const { family, node, sent, where } of seen.families()) {
		const codes = seen.codesIn(family, node);
		const allowed = sum(codes.map(most));
		if (sent.length > allowed) {
			const entered = codes.map(({ code }) => code).join(' and ') || 'none that counts';
			yield violation(ONLY_WITH_CODE, `${where}: ${sent.length} were accepted; codes: ${entered}`);
		}
	}
}

const WORKS_ONCE = 'a code works in one execution and its retries';

/** Gives each execution that has reached somebody a code of its own, of those that were entered in it. */
function* worksOnce(seen: Seen): Violations {
	const takenBy = new Map<ShownCode, string>();
	const entered = new Map<string, ShownCode[]>();
	const take = (where: string, tried = new Set<ShownCode>()): boolean =>
		entered.get(where)!.some((code) => {
			if (tried.has(code)) return false;
			tried.add(code);
			const other = takenBy.get(code);
			if (other !== undefined && !take(other, tried)) return false;
			takenBy.set(code, where);
			return true;
		});
	for (const { family, node, where } of seen.families()) {
		entered.set(where, seen.codesIn(family, node));
		if (entered.get(where)!.length === 0 || take(where)) continue;
		const codes = entered
			.get(where)!
			.map((code) => `${code.code}, also used in ${takenBy.get(code)}`);
		yield violation(WORKS_ONCE, `${where}: ${codes.join('; ')}`);
	}
}

const AGAIN_ONLY_IF_SAID = 'nobody gets a message again unless the dry run has said so';

function* againOnlyIfSaid(seen: Seen): Violations {
	for (const { family, node, sent, where } of seen.families()) {
		const codes = seen.codesIn(family, node);
		const said = sum(codes.map(({ hint }) => saidIn(hint)));
		const isAgain = ({ key, at }: Sent) =>
			seen.sent.some((other) => other.key === key && other.at < at && !family.includes(other.by));
		const isRepeat = ({ key, at, run }: Sent) =>
			sent.some((other) => other.key === key && other.at < at && other.run.index !== run.index);
		const again = sent.filter(isAgain);
		const repeats = sent.filter((each) => !isAgain(each) && isRepeat(each));
		const isRepeatSaid = codes.some(({ hint }) => saysRepeats(hint));
		const unsaid = again.length + (isRepeatSaid ? 0 : repeats.length);
		if (unsaid <= said) continue;
		const keys = [...again, ...repeats].map(({ key, at }) => `${key} at ${at - EPOCH}`).join(', ');
		const lines = codes.map(({ code, hint }) => `${code} (${hint})`).join(', ');
		yield violation(AGAIN_ONLY_IF_SAID, `${where}: ${keys}; codes: ${lines}`);
	}
}

const ONCE_IN_AN_EXECUTION = 'in an execution and its retries, each row is sent once';

function* onceInAnExecution(seen: Seen): Violations {
	for (const { sent, where } of seen.families()) {
		for (const [, ofRun] of Map.groupBy(sent, ({ run }) => run.index)) {
			for (const [key, messages] of Map.groupBy(ofRun, (each) => each.key)) {
				const rows = keysOf(messages[0].run).filter((each) => each === key).length;
				if (messages.length > Math.max(1, rows))
					yield violation(ONCE_IN_AN_EXECUTION, `${where}: ${key} ${messages.length} times`);
			}
		}
	}
}

const DRY_RUN_TELLS =
	'a dry run says how many of its messages this node has sent from the editor before, or may have';

function* dryRunTells(seen: Seen): Violations {
	for (const each of seen.tries.filter(({ end }) => end === 'ended')) {
		const runs = seen.lastRuns(each).filter(isDry);
		for (const [name, rounds] of Map.groupBy(runs, ({ node }) => node.name)) {
			const readings = rounds.map((run) => seen.readingOf(each, run));
			// A dry run may fail, too, with *On Error: Continue* in its items.
			const isWhole = (reading?: Reading) =>
				reading?.error === '' && reading.items.every(({ json }) => json.dryRun === true);
			if (!readings.every(isWhole)) continue;
			const lines = readings.flatMap((reading) => reading!.hints);
			const line = lines.filter((hint) => !hint.startsWith('Dry run:')).at(-1) ?? '';
			// While the database fails, it says nothing, or only that.
			if (!seen.isSteady && !saidIn(line)) continue;
			// Not all rows that could be sent: the service may have lost the template.
			const keys = rounds.flatMap((run, round) =>
				readings[round]!.items.filter(({ json }) => json.status === 'ready').map(({ json }) =>
					keyOf(run, String(json.to), String(json.text)),
				),
			);
			const known = new Set(
				seen.sent.filter(({ at }) => at - EPOCH < each.beganAt).map(({ key }) => key),
			);
			const perhaps = new Set(
				seen.tries
					.filter(({ beganAt }) => beganAt <= each.endedAt)
					.flatMap((other) => other.job.runs.filter((run) => seen.isAsked(other, run)))
					.flatMap(keysOf),
			);
			const least = keys.filter((key) => known.has(key)).length;
			const mostOf = keys.filter((key) => perhaps.has(key)).length;
			const said = saidIn(line);
			// When n8n is killed, or its database fails, while a dry run looks for notes, they stay.
			if (said < least || (seen.isSteady && said > mostOf)) {
				const seenThere = `${least} were, ${mostOf} may have been; it says: ${line || 'nothing'}`;
				yield violation(DRY_RUN_TELLS, `execution ${each.id}, ${name}: ${seenThere}`);
			}
		}
	}
}

const REFUSED_SAYS_SO = 'what is refused sends nothing, says so and outputs no items';
const REFUSED = /only with a code|at the same moment/;

const NO_CODE_IN_A_REFUSAL = 'only a dry run shows a code';
const NOBODY_IS_SILENT = 'a send by hand that sends nothing says so';

function* refusedSaysSo(seen: Seen, world: World, codes: ShownCode[]): Violations {
	for (const each of seen.tries) {
		if (each.end === 'killed') continue;
		for (const run of seen.lastRuns(each)) {
			if (isDry(run)) continue;
			const reading = seen.readingOf(each, run);
			if (!reading) continue;
			const { error, hints, items } = reading;
			const where = `execution ${each.id}, ${run.node.name}`;
			const words = [error, ...hints, ...items.map(({ json }) => JSON.stringify(json))].join('\n');
			const shown = codes.filter(
				({ code }) => words.includes(code) && !normalised(run.node.parameters.code).includes(code),
			);
			for (const { code } of shown)
				yield violation(NO_CODE_IN_A_REFUSAL, `${where} shows ${code}: ${words}`);
			const refusal = [error, ...hints].find((line) => REFUSED.test(line));
			const left = world.service.accepted.filter(
				(message) => message.owner === each.job && message.run === run,
			);
			if (refusal !== undefined) {
				const says = /^Nothing (more )?was sent\. /.test(refusal);
				if (left.length > 0 || items.length > 0 || !says)
					yield violation(
						REFUSED_SAYS_SO,
						`${where}: ${left.length} accepted, ${items.length} items; it says: ${refusal}`,
					);
			}
			const isTold = items.length > 0 || error !== '' || hints.some((hint) => /sent/.test(hint));
			if (left.length === 0 && !isTold && keysOf(run).length > 0)
				yield violation(NOBODY_IS_SILENT, where);
		}
	}
}

const normalised = (word: unknown) =>
	String(word)
		.replace(/[^a-z0-9]/gi, '')
		.toUpperCase();

const SHOWN_AS_SENT = 'an item that is shown as accepted was accepted, and one as failed was not';

function* shownAsSent(seen: Seen, world: World): Violations {
	for (const each of seen.tries) {
		if (each.end === 'killed') continue;
		const family = seen.tries.filter((other) => firstOf(other) === firstOf(each));
		const jobs = new Set<unknown>(family.map(({ job }) => job));
		for (const run of seen.lastRuns(each).filter((other) => !isDry(other))) {
			const accepted = world.service.accepted.filter(
				({ owner, run: of }) =>
					jobs.has(owner) && of?.node.name === run.node.name && of.index === run.index,
			);
			const own = accepted.filter(({ owner }) => owner === each.job);
			const items = seen.readingOf(each, run)?.items ?? [];
			for (const { json } of items) {
				const digits = digitsOf(json.to);
				// Of two rows with one number, one may be refused.
				const isOnce = items.filter((other) => digitsOf(other.json.to) === digits).length === 1;
				const has = (messages: Accepted[]) => messages.some((other) => other.digits === digits);
				const isWrong =
					json.status === 'accepted'
						? !has(accepted)
						: json.status === 'failed' && digits !== '' && isOnce && has(own);
				if (isWrong)
					yield violation(
						SHOWN_AS_SENT,
						`execution ${each.id}, ${run.node.name}: ${JSON.stringify(json)}`,
					);
			}
		}
	}
}

const RIGHT_CODE_SENDS =
	'while nothing goes wrong, a code sends what it is for, also when it has reached nobody before';

/** An execution that says that it has reached nobody. */
const hasReachedNobody = (seen: Seen, each: HandTry): boolean =>
	seen.lastRuns(each).every((run) => {
		const reading = seen.readingOf(each, run);
		if (!reading || isDry(run)) return reading !== undefined;
		const { error, items } = reading;
		if (error !== '') return error.startsWith('Nothing was sent.');
		return items.length > 0 && items.every(({ json }) => json.status === 'failed');
	});

function* rightCodeSends(seen: Seen, world: World): Violations {
	if (!seen.isSteady) return;
	for (const each of seen.tries) {
		if (each.retryOf || each.end !== 'ended') continue;
		const isUndisturbed = world.exchanges
			.filter(({ owner }) => owner === each.job)
			.every(({ hasTrouble }) => !hasTrouble);
		const others = seen.tries.filter((other) => other !== each);
		const isAlone = others.every(
			({ beganAt, endedAt }) => endedAt < each.beganAt || beganAt > each.endedAt,
		);
		if (!isUndisturbed || !isAlone) continue;
		const earlier = others.filter(({ endedAt }) => endedAt < each.beganAt);
		for (const [name, runs] of Map.groupBy(seen.lastRuns(each), ({ node }) => node.name)) {
			const [run] = runs;
			const code = isDry(run) ? undefined : seen.codeIn(each, run);
			if (!code) continue;
			const keys = runs.flatMap(keysOf);
			const isBad = keys.length < sum(runs.map(({ items }) => items.length));
			const usedBy = earlier.filter(({ job }) =>
				job.runs.some((other) => normalised(other.node.parameters.code) === code.code),
			);
			const isUsed = usedBy.some((other) => !hasReachedNobody(seen, other));
			const before = new Set(
				earlier
					.filter((other) => !hasReachedNobody(seen, other))
					.flatMap((other) => other.job.runs.filter((of) => seen.isAsked(other, of)))
					.flatMap(keysOf),
			);
			const again = keys.filter((key) => before.has(key)).length;
			const repeats = keys.length - new Set(keys).size;
			if (isBad || isUsed || keys.length > most(code)) continue;
			if (again > saidIn(code.hint) || (repeats > 0 && !saysRepeats(code.hint))) continue;
			const sent = seen.sent.filter(({ by, run: of }) => by === each && of.node.name === name);
			const rows = runs.filter((of) => seen.isAsked(each, of)).flatMap(keysOf).length;
			if (sent.length >= rows) continue;
			const says = runs.map((of) => seen.readingOf(each, of)?.error).join(' / ');
			yield violation(
				RIGHT_CODE_SENDS,
				`execution ${each.id}, ${name}, ${code.code}: ${sent.length} of ${rows}; it says: ${says}`,
			);
		}
	}
}

export function brokenByHand(world: World, facts: Facts): Violation[] {
	const seen = new Seen(world, facts);
	return [
		...onlyWithCode(seen),
		...worksOnce(seen),
		...againOnlyIfSaid(seen),
		...onceInAnExecution(seen),
		...dryRunTells(seen),
		...refusedSaysSo(seen, world, facts.codes),
		...shownAsSent(seen, world),
		...rightCodeSends(seen, world),
	];
}
