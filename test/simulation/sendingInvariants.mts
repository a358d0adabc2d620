import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import { EPOCH } from './clock.mts';
import type { Job, Running } from './n8n.mts';
import { type Accepted, type Attempt, digitsOf } from './service.mts';
import { type Violation, violation, type World } from './world.mts';

/*
 * The promises about sending, each beside its check. The checks use only what the service has, what a person is shown, and
 * the input of the nodes behind ours. An exception links the heading in docs/ that tells users of it.
 */

/** The node that sends. */
export const NODE = 'Messaging';

/** The node that gets what has failed, where there is one. */
export const OTHER = 'Other';

/** The node that sends what it gets from the first one, where there is one. */
export const SECOND = 'Second';

/** A message that somebody wants to send. */
export interface Intent {
	/** A text that is in this message only; '' if its template has no placeholders. */
	tag: string;
	digits: string;
	/** The text that the recipient should read; undefined if the provider's rule for the format is unknown. */
	text: string | undefined;
	/** The user's own identifier; '' if the node generates one. */
	identifier: string;
}

/** One try of an execution: the first, or a *Retry*. */
export interface Try {
	/** The execution's id. */
	id: string;
	end: 'ended' | 'killed';
	job: Job;
	/** The try that this one retries. */
	retryOf: Try | undefined;
	beganAt: number;
	endedAt: number;
	/** The size of requests was changed since the first try. */
	isEdited: boolean;
	/** A recipient has lost their number since the first try. */
	isSpoiled: boolean;
}

/** Returns a try that begins now. */
export const tryOf = (
	{ time }: World,
	{ id, job }: Running,
	more: Pick<Try, 'retryOf'> & Partial<Try>,
): Try => ({
	id,
	job,
	end: 'ended',
	beganAt: time,
	endedAt: Infinity,
	isEdited: false,
	isSpoiled: false,
	...more,
});

/** An execution and its retries, in the order in which they began: what one of its nodes sends. */
export interface Family {
	name: string;
	/** The node that sends, and the one that sends what has failed in it. */
	nodes: string[];
	/** The outputs of another node that it gets; undefined if it gets the recipients themselves. */
	from?: { node: string; outputs: number[] };
	/** The nodes behind it. */
	behind: string[];
	/** The messages that it should send, one for each recipient, in order. */
	intents: Intent[];
	tries: Try[];
	/** *Retry On Fail*: n8n runs the node again. */
	isRetriedByN8n: boolean;
	/** The node has several runs: each recipient is a round of a loop, or what has failed is led back to it, or to another one. */
	isLoop: boolean;
	/** *On Error* is set to stop: with one invalid recipient, nothing is sent. */
	stopsOnError: boolean;
}

/** What all executions of a world have in common. */
export interface Settings {
	/** Nothing goes wrong in this world. */
	isCalm: boolean;
}

type Violations = Generator<Violation>;

type Outcome = 'accepted' | 'unknown' | 'rejected' | 'notSent';

/** What an execution says about one message. */
interface Claim {
	intent: Intent | undefined;
	outcome: Outcome;
	item: INodeExecutionData;
}

/** Everything that an execution says. */
interface Report {
	claims: Claim[];
	/** The counts in the error that ended it. */
	counts?: { accepted: number; unknown: number };
	error?: string;
}

/** Returns the intent of a message. */
function intentOf(message: Attempt, intents: Intent[]): Intent | undefined {
	const known = byTag(intents);
	const [tag] = /N\d+-\d+\./.exec(message.sent) ?? [message.sent];
	return known.get(tag) ?? known.get(message.digits);
}

const name = (intent: Intent | undefined) => intent?.tag || intent?.digits || 'nobody';

const senderOf = ({ owner }: Attempt) => (owner as Job).name.replace('execution ', '');

/** Returns the messages of some tries that the service accepted, from all nodes or from some. */
function acceptedIn({ service }: World, tries: Try[], nodes?: string[]): Accepted[] {
	const ids = new Set(tries.map(({ id }) => id));
	return service.accepted.filter(
		(message) => ids.has(senderOf(message)) && (!nodes || nodes.includes(message.run!.node.name)),
	);
}

/**
 * docs/limits.md#sending: n8n keeps the notes of a node in one row, which another process may overwrite. If a
 * process is killed then, its Retry does not find the note; nor does it after *Stop*, which works as a crash. A second Retry does not
 * find that of the first one.
 */
const hasLostNotes = ({ n8n }: World, { id, end, job, retryOf }: Try): boolean =>
	job.hasLostNotes &&
	(end === 'killed' ||
		n8n.database.executions.get(id)?.status === 'canceled' ||
		retryOf !== undefined);

/** Returns a try, the try that it retries, and so on: it has the data of all of them. */
function lineOf(last: Try): Try[] {
	const line: Try[] = [];
	for (let each: Try | undefined = last; each; each = each.retryOf) line.push(each);
	return line;
}

/** Returns the messages that a try must know about: its own, and those of earlier tries. */
const mustKnow = (world: World, { tries, nodes }: Family, last: Try): Accepted[] =>
	acceptedIn(
		world,
		tries.slice(0, tries.indexOf(last) + 1).filter((each) => !hasLostNotes(world, each)),
		nodes,
	);

/**
 * Returns the messages that a try must know about if it fails before it sends: its own, and those of the tries whose data it
 * has. It has not checked yet whether another retry has sent, or is sending.
 */
const mustKnowBeforeSending = (
	world: World,
	{ nodes }: Pick<Family, 'nodes'>,
	last: Try,
	isSaved = (_: Try) => true,
): Accepted[] =>
	acceptedIn(
		world,
		lineOf(last).filter((each) => !hasLostNotes(world, each) && isSaved(each)),
		nodes,
	);

/** Returns the messages that a try may know about: also those of tries at the same time. */
const mayKnow = (world: World, { tries, nodes }: Family, last: Try) =>
	acceptedIn(
		world,
		tries.filter(({ beganAt }) => beganAt <= last.endedAt),
		nodes,
	);

/** Caches a function whose result does not change once a world is over. */
function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
	const known = new WeakMap<Key, Value>();
	return (key) => {
		if (!known.has(key)) known.set(key, make(key));
		return known.get(key)!;
	};
}

/** Intents by their tags, or by their numbers if they have none. */
const byTag = once(
	(intents: Intent[]) =>
		new Map([...intents].reverse().map((intent) => [intent.tag || intent.digits, intent])),
);

/** The tries that have ended, and so have something to say. */
const ended = ({ tries }: Family) => tries.filter(({ end }) => end === 'ended');

/** The recipient in an item; that of an answer is in `data`. */
const toOf = ({ json }: INodeExecutionData) =>
	json.to ||
	(json.details as IDataObject | undefined)?.recipient ||
	(json.data as IDataObject | undefined)?.to;

/** Messages by their message ids and campaign ids. */
const byId = once((accepted: Accepted[]) => {
	const found = new Map<unknown, Accepted[]>();
	for (const message of accepted) {
		for (const id of [message.externalId, message.campaignId]) {
			if (found.has(id)) found.get(id)!.push(message);
			else found.set(id, [message]);
		}
	}
	return found;
});

/** Returns the messages that an output item is about, by the service's ids in it. */
function messagesShown({ json }: INodeExecutionData, accepted: Accepted[]): Accepted[] {
	const { externalId, response, campaign_id: campaign, identifier, to } = json as any;
	const id = externalId || response;
	if (id) return byId(accepted).get(id) ?? [];
	if (!campaign) return [];
	return (byId(accepted).get(campaign) ?? []).filter(
		(message) =>
			(!identifier || message.identifier === identifier) &&
			(!to || digitsOf(to) === message.digits),
	);
}

function outcomeOf({ json }: INodeExecutionData): Outcome {
	if (!json.error) return 'accepted';
	const { outcome } = (json.details ?? {}) as { outcome?: Outcome };
	// After a crash, an item may have only the sentence: its input is lost.
	return outcome ?? (String(json.error).startsWith('May have been sent') ? 'unknown' : 'notSent');
}

const number = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''));

const placesOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((each) => (typeof each === 'number' ? each : each!.item));

function recipientOf(item: INodeExecutionData, intents: Intent[], accepted: Accepted[]) {
	const to = toOf(item);
	// A run that failed as a whole shows a number as its row has it, perhaps without its country code.
	if (to) return intents.find(({ digits }) => digits === digitsOf(to).replace(/^0/, '385'));
	const [message] = messagesShown(item, accepted);
	return message && intentOf(message, intents);
}

/**
 * Whether n8n has made a run: for what its event log knows of a crashed execution, or for the next node of an execution that it could
 * not begin, with the node's input as its output.
 */
const isMadeUp = ({ data, executionStatus, error }: ITaskData) =>
	data?.main[0]?.[0]?.json.isArtificialRecoveredEventItem === true ||
	(executionStatus === 'error' && !error);

/** Whether n8n could not begin an execution: nothing has run in it, and n8n drops what had run before. */
function neverBegan({ n8n }: World, { id }: Try): boolean {
	const { error, lastNodeExecuted, runData } = n8n.shown(id).data.resultData;
	const last = runData[lastNodeExecuted!]?.at(-1);
	return error !== undefined && last !== undefined && isMadeUp(last);
}

/** Returns the runs of the node that n8n shows. */
function runsOf({ n8n }: World, { nodes }: Pick<Family, 'nodes'>, { id }: Try) {
	const { runData } = n8n.shown(id).data.resultData;
	return nodes.flatMap((each) => runData[each] ?? []).filter((run) => !isMadeUp(run));
}

/** Returns the output items of the node; of a loop, those of all rounds. */
function itemsOf(world: World, family: Pick<Family, 'isLoop' | 'nodes'>, each: Try) {
	const runs = runsOf(world, family, each);
	return (family.isLoop ? runs : runs.slice(-1)).flatMap((run) =>
		(run.data?.main ?? []).flatMap((output) => output ?? []),
	);
}

/** Returns the messages that the node should have sent, by what n8n shows of the node before it. */
function intentsGiven(world: World, { intents, from, tries }: Family, each: Try): Intent[] {
	if (!from) return intents;
	const accepted = acceptedIn(world, tries, [from.node]);
	const given = runsOf(world, { nodes: [from.node] }, each)
		.flatMap((run) => from.outputs.flatMap((output) => run.data?.main[output] ?? []))
		.map((item) => recipientOf(item, intents, accepted));
	return intents.filter((intent) => given.includes(intent));
}

function claimsOf(world: World, family: Family, each: Try): Claim[] {
	const { intents, isLoop, nodes } = family;
	const accepted = acceptedIn(world, family.tries, nodes);
	const claims = itemsOf(world, family, each).map((item) => {
		const intent = isLoop ? recipientOf(item, intents, accepted) : intents[placesOf(item)[0]];
		return { intent, outcome: outcomeOf(item), item };
	});
	// Of what was led back, the last run says what became of it.
	const last = new Map(claims.map((claim) => [claim.intent, claim]));
	return isLoop
		? claims.filter((claim) => claim.intent === undefined || claim === last.get(claim.intent))
		: claims;
}

/** Reads an execution as a person does: its output items and its error. */
function reportOf(world: World, family: Family, each: Try): Report {
	const claims = claimsOf(world, family, each);
	const { data } = world.n8n.shown(each.id);
	const { error } = data.resultData;
	if (!error || isInherited(data, each.job) || isOfOther(data, family)) return { claims };
	const text = `${error.message}\n${(error as { description?: string }).description ?? ''}`;
	const countOf = (outcome: string) => new RegExp(`([\\d,]+) ${outcome}`).exec(text)?.[1];
	const accepted = countOf('accepted');
	// What may have been sent to all is not counted besides.
	const [all, ofAll] =
		/^Do not execute again\. May have been sent to (?:([\d,]+) recipients)?/.exec(text) ?? [];
	const unknown = countOf('may have been sent') ?? (all && (ofAll ?? '1'));
	const hasCounts = accepted ?? unknown ?? countOf('not sent');
	const counts = hasCounts && { accepted: number(accepted), unknown: number(unknown) };
	return { claims, error: text, ...(counts && { counts }) };
}

/**
 * Whether the error of an execution is that of the execution it retries (docs/when-it-fails.md#after-stop-or-a-time-out):
 * n8n's `executions/execution.service.js`, `retry`, deletes the error only when a node had ended.
 */
const isInherited = ({ resultData }: IRunExecutionData, { inheritedError }: Job) =>
	inheritedError !== undefined && resultData.error?.message === inheritedError.message;

/** Whether the error of an execution is that of another node. */
const isOfOther = ({ resultData }: IRunExecutionData, { nodes }: Pick<Family, 'nodes'>) =>
	!nodes.includes(resultData.lastNodeExecuted!);

/** Returns the status of an execution; an error that it only inherited does not count, nor does one of another node. */
function statusOf({ n8n }: World, family: Pick<Family, 'nodes'>, { id, job }: Try) {
	const { status, data } = n8n.shown(id);
	const isDone = status === 'error' && (isInherited(data, job) || isOfOther(data, family));
	return isDone ? 'success' : status;
}

/** Whether a try has succeeded, and n8n shows what the node did. */
function isShownAsDone(world: World, family: Family, each: Try): boolean {
	if (statusOf(world, family, each) !== 'success') return false;
	const isDropped = lineOf(each).some((one) => neverBegan(world, one));
	if (isDropped && runsOf(world, family, each).length === 0) return false;
	if (isForgotten(world, family, each)) return false;
	// With *Retry On Fail*, n8n throws an inherited error in place of a second try of the node (`workflow-execute.js`,
	// `rethrowLastNodeError`).
	const { inheritedError } = each.job;
	const isMasked =
		inheritedError && runsOf(world, family, each).at(-1)?.error?.message === inheritedError.message;
	return !family.isRetriedByN8n || !isMasked;
}

/**
 * Whether n8n has forgotten to run the node (docs/when-it-fails.md#after-stop-or-a-time-out): a time-out came in the pause
 * between two tries of *Retry On Fail*, and the retry does nothing. Of several runs, it does the others.
 */
function isForgotten(world: World, family: Family, each: Try): boolean {
	const before = lineOf(each).slice(1);
	if (family.isLoop) return before.some(({ job }) => job.hasForgottenNode);
	// A retry that was killed before it ran the node has changed nothing.
	const earlier = before.find(({ job }) => job.hasForgottenNode || job.hasWorked);
	if (!earlier?.job.hasForgottenNode) return false;
	if (acceptedIn(world, [each], family.nodes).length > 0) return false;
	const runs = (one: Try) => runsOf(world, family, one).length;
	return runs(each) <= runs(earlier);
}

/**
 * Whether n8n does not show a run of the node (docs/when-it-fails.md#after-stop-or-a-time-out): a time-out came while *Retry On Fail*
 * tried it again. Of what was led back, it shows the run before.
 */
function hasUnseenRun({ n8n }: World, { id, job }: Try): boolean {
	const { runData } = n8n.shown(id).data.resultData;
	return job.runs.some(({ node, index }) => runData[node.name]?.[index] === undefined);
}

/** Returns messages by the intents that they belong to. */
function byIntent(messages: Accepted[], intents: Intent[]): Map<Intent | undefined, Accepted[]> {
	const found = new Map<Intent | undefined, Accepted[]>();
	for (const message of messages) {
		const intent = intentOf(message, intents);
		found.set(intent, [...(found.get(intent) ?? []), message]);
	}
	return found;
}

const SENT_ONCE = 'no message is sent twice';

function* neverTwice(world: World, family: Family): Violations {
	const again = family.tries.filter((each) => hasLostNotes(world, each));
	// With *Retry On Fail*, each of n8n's tries may send again.
	const most = 1 + again.length * (family.isRetriedByN8n ? 3 : 1);
	const accepted = acceptedIn(world, family.tries, family.nodes);
	for (const [intent, messages] of byIntent(accepted, family.intents)) {
		if (messages.length <= most) continue;
		const requests = messages.map(({ request }) => request).join(' and ');
		const times = `${messages.length} times, in requests ${requests}`;
		yield violation(SENT_ONCE, `${family.name}: ${name(intent)} was accepted ${times}`);
	}
}

const NOTHING_SENT_IS_TRUE =
	'"Nothing was sent" is said only while no node of the execution has sent';

function* nothingSentIsTrue(world: World, family: Family): Violations {
	for (const each of ended(family)) {
		const said = [{ sentence: reportOf(world, family, each).error ?? '', at: Infinity }];
		for (const { startTime, executionTime, data } of runsOf(world, family, each)) {
			const items = (data?.main ?? []).flatMap((output) => output ?? []);
			const at = startTime + executionTime;
			said.push(...items.map(({ json }) => ({ sentence: String(json.error ?? ''), at })));
		}
		const known = lineOf(each).filter((one) => !hasLostNotes(world, one));
		const accepted = acceptedIn(world, known);
		for (const { sentence, at } of said) {
			const before = accepted.filter((message) => message.at <= at);
			if (!sentence.startsWith('Nothing was sent') || before.length === 0) continue;
			const requests = before.map(({ request }) => request).join();
			const where = `${family.name}, execution ${each.id}`;
			yield violation(NOTHING_SENT_IS_TRUE, `${where}: requests ${requests}; it says: ${sentence}`);
		}
	}
}

const ONLY_SUB_WORKFLOW =
	'the error of a sub-workflow that has sent says to retry that, and not the workflow that called it';

function* subWorkflowIsRetried(world: World, family: Family): Violations {
	for (const each of ended(family)) {
		const { mode } = world.n8n.database.executions.get(each.id)!;
		const { error = '' } = reportOf(world, family, each);
		if (mode !== 'integrated' || !error.includes('Retry execution')) continue;
		const hasSent = acceptedIn(world, [each]).length > 0;
		if (hasSent && !error.includes('Retry the execution of this sub-workflow, not that'))
			yield violation(ONLY_SUB_WORKFLOW, `${family.name}, execution ${each.id}: ${error}`);
	}
}

const ACCEPTED_IS_ACCEPTED = 'whoever is reported as accepted was accepted by the service';
const NO_ACCEPTED_IS_DENIED = 'no accepted message is reported as rejected or not sent';
const ERROR_COUNTS_RIGHT =
	'an error counts all whom the service accepted as accepted or unknown, and nobody else as accepted';
const NO_COUNTS_NOTHING_ACCEPTED = 'an error without counts means that nothing was accepted';
const EVERYBODY_ACCOUNTED_FOR = 'a successful execution outputs something about every recipient';

/** Compares what an execution says about each recipient with what the service accepted. */
function* reportedAsItIs(world: World, family: Family): Violations {
	const intents = family.intents;
	const asIntents = (messages: Accepted[]) =>
		new Set(messages.map((message) => intentOf(message, intents)));
	for (const each of ended(family)) {
		const status = statusOf(world, family, each);
		const { claims, counts, error } = reportOf(world, family, each);
		const isBeforeSending = /In an earlier attempt/.test(error ?? '');
		const accepted = isBeforeSending
			? mustKnowBeforeSending(world, family, each)
			: mustKnow(world, family, each);
		const isAccepted = asIntents(accepted);
		const mayBeAccepted = asIntents(mayKnow(world, family, each));
		const where = `${family.name}, execution ${each.id} (${status})`;
		for (const { intent, outcome, item } of claims) {
			if (outcome === 'accepted' && !mayBeAccepted.has(intent)) {
				const shown = `${name(intent)} is shown as ${JSON.stringify(item.json)}`;
				yield violation(ACCEPTED_IS_ACCEPTED, `${where}: ${shown}`);
			}
			const isOfEarlierRun = family.isLoop && lineOf(each).some((one) => hasUnseenRun(world, one));
			const isDenied = (outcome === 'rejected' || outcome === 'notSent') && !isOfEarlierRun;
			if (isDenied && isAccepted.has(intent)) {
				yield violation(NO_ACCEPTED_IS_DENIED, `${where}: ${name(intent)}: ${item.json.error}`);
			}
		}
		if (status === 'error' && counts) {
			// A try that fails before it sends has not checked for crashed tries, so it cannot count those.
			const isCounted = isBeforeSending
				? asIntents(mustKnowBeforeSending(world, family, each, ({ end }) => end !== 'killed'))
				: isAccepted;
			const here = intents.filter((intent) => isCounted.has(intent)).length;
			const most = intents.filter((intent) => mayBeAccepted.has(intent)).length;
			// In a loop, the error is about one round, and the earlier rounds have items.
			const earlier = family.isLoop
				? claims.filter(({ outcome }) => outcome === 'accepted').length
				: 0;
			const isTooFew = !family.isLoop && here > counts.accepted + counts.unknown;
			if (earlier + counts.accepted > most || isTooFew) {
				const there = `the service accepted ${here} of ${intents.length}`;
				yield violation(ERROR_COUNTS_RIGHT, `${where}: ${there}; it says: ${error}`);
			}
		} else if (status === 'error') {
			// In a loop, the error means that this round sent nothing.
			const hasItem = new Set(claims.map(({ intent }) => intent));
			const mine = accepted
				.filter((message) => senderOf(message) === each.id)
				.filter((message) => !family.isLoop || !hasItem.has(intentOf(message, intents)));
			if (mine.length > 0) {
				const there = `the service accepted ${mine.length}; it says: ${error}`;
				yield violation(NO_COUNTS_NOTHING_ACCEPTED, `${where}: ${there}`);
			}
		} else if (isShownAsDone(world, family, each)) {
			const shown = new Set(claims.map(({ intent }) => intent));
			// In a loop, a round that could not be prepared has an item without a recipient.
			const nameless = claims.filter(({ intent }) => intent === undefined).length;
			const given = intentsGiven(world, family, each);
			const missing = given.filter((intent) => !shown.has(intent)).slice(nameless);
			for (const intent of missing)
				yield violation(EVERYBODY_ACCOUNTED_FOR, `${where}: nothing about ${name(intent)}`);
		}
	}
}

const IDS_OF_THE_SERVICE = 'the ids in an output are those of that message in the service';

/** The campaign id, the message id and the identifier. */
function* shownIsWhatTheServiceHas(world: World, family: Family): Violations {
	const intents = family.intents;
	for (const each of ended(family)) {
		const accepted = mayKnow(world, family, each);
		for (const { intent, outcome, item } of claimsOf(world, family, each)) {
			if (outcome !== 'accepted') continue;
			const whose = messagesShown(item, accepted).map((message) => intentOf(message, intents));
			if (whose.includes(intent)) continue;
			const shown = `of ${name(intent)} it shows ${JSON.stringify(item.json)}`;
			const is = whose.map((other) => `of ${name(other)}`).join() || 'nobody’s in this execution';
			yield violation(
				IDS_OF_THE_SERVICE,
				`${family.name}, execution ${each.id}: ${shown}, which is ${is}`,
			);
		}
	}
}

/** The sentence about messages of a crashed try that may have been sent. */
const CUT_OFF = /was cut off while it was sending/;

const IDENTIFIER_THAT_LEFT = 'the identifier of a message that may have been sent is one that left';
const LOGS_PROVE_AFTER_A_CRASH =
	'after a crash, whoever is in the logs under a generated identifier is reported as accepted';

/** docs/when-it-fails.md#after-a-crash */
function* identifiersAreThoseThatLeft(world: World, family: Family): Violations {
	for (const each of ended(family)) {
		const campaigns = mustKnow(world, family, each).filter(
			({ endpoint }) => endpoint === 'sendCampaign',
		);
		const left = byIntent(campaigns, family.intents);
		if (left.size === 0) continue;
		const where = `${family.name}, execution ${each.id}`;
		const { error, claims, counts } = reportOf(world, family, each);
		for (const { intent, outcome, item } of claims) {
			const identifiers = left.get(intent)?.map(({ identifier }) => identifier);
			const { identifier } = (item.json.details ?? {}) as { identifier?: string };
			if (outcome !== 'unknown' || !identifiers || !identifier) continue;
			if (identifiers.includes(identifier)) continue;
			const seen = `${name(intent)} left as ${identifiers.join()}; it says ${identifier}`;
			yield violation(IDENTIFIER_THAT_LEFT, `${where}: ${seen}`);
		}
		// After a time-out, n8n keeps the node's output and does not run the node again.
		const hasWorked = each.job.runs.some((run) => family.nodes.includes(run.node.name));
		if (!hasWorked || world.service.hasTroubled || family.isLoop) continue;
		// After a change of the numbers, or of the size of requests, no identifier is found.
		if (family.tries.some((other) => other.isEdited || other.isSpoiled)) continue;
		const unknown = claims.filter(
			({ outcome, item }) => outcome === 'unknown' && CUT_OFF.test(String(item.json.error)),
		);
		const isError = CUT_OFF.test(error ?? '');
		const inLogs = family.intents.filter(
			(intent) =>
				intent.identifier === '' &&
				left.get(intent)?.some(({ loggedAt }) => loggedAt <= EPOCH + each.beganAt) &&
				(isError || unknown.some((claim) => claim.intent === intent)),
		);
		if (inLogs.length > (isError ? (counts?.accepted ?? 0) : 0)) {
			const says = error ?? String(unknown[0].item.json.error);
			const seen = `the logs know ${inLogs.map(name).join(', ')}; it says: ${says}`;
			yield violation(LOGS_PROVE_AFTER_A_CRASH, `${where}: ${seen}`);
		}
	}
}

const INVALID_SENDS_NOTHING =
	'with one invalid recipient nothing is sent, unless On Error is set to continue';

function* nothingSentIfOneIsInvalid(world: World, family: Family): Violations {
	if (family.isLoop || !family.stopsOnError) return;
	for (const each of family.tries) {
		if (each.isSpoiled && acceptedIn(world, [each], family.nodes).length > 0)
			yield violation(INVALID_SENDS_NOTHING, `${family.name}: ${each.id}`);
	}
}

const IDENTIFIER_NAMES_ONE_REQUEST =
	'a generated identifier is in requests of one sender with the same recipients in the same order';

function* identifiersNameRequests(world: World, families: Family[]): Violations {
	const owners = new Map<string, string>();
	const requests = Map.groupBy(
		world.service.attempts.filter(({ identifier }) => identifier !== undefined),
		({ request }) => request,
	);
	const familyOf = (attempt: Attempt) =>
		families.find(
			(family) =>
				family.tries.some(({ id }) => id === senderOf(attempt)) &&
				family.nodes.includes(attempt.run!.node.name) &&
				intentOf(attempt, family.intents),
		)?.name;
	for (const attempts of requests.values()) {
		const all = attempts.map(({ digits }) => digits).join();
		for (const [index, attempt] of attempts.entries()) {
			const { identifier = '' } = attempt;
			if (identifier !== '' && !identifier.startsWith('n8n-')) continue;
			const owner = `${familyOf(attempt)}: number ${index + 1} of ${all}`;
			const other = owners.get(identifier) ?? owner;
			owners.set(identifier, other);
			if (other === owner && identifier !== '') continue;
			yield violation(IDENTIFIER_NAMES_ONE_REQUEST, `${identifier} names ${other}, and ${owner}`);
		}
	}
}

const ONLY_THE_RECIPIENT = 'every message goes to the recipient that it was meant for';
const OWN_IDENTIFIER_LEAVES = 'a message carries the identifier that the user gave it';
const READ_AS_MEANT = 'each recipient reads the text that was meant for them';

function* readAsMeant(world: World, family: Family): Violations {
	const intents = family.intents;
	for (const message of acceptedIn(world, family.tries, family.nodes)) {
		const intent = intentOf(message, intents);
		const { to, text, identifier } = message;
		if (intent?.digits !== message.digits)
			yield violation(ONLY_THE_RECIPIENT, `${family.name}: ${name(intent)} went to ${to}`);
		else if (intent.identifier && identifier !== intent.identifier)
			yield violation(OWN_IDENTIFIER_LEAVES, `${family.name}: ${name(intent)} as ${identifier}`);
		else if (intent.text !== undefined && text !== undefined && text !== intent.text)
			yield violation(READ_AS_MEANT, `${family.name}: "${text}" instead of "${intent.text}"`);
	}
}

const NEXT_NODE_GETS_ACCEPTED = 'the next node gets as sent only what the service accepted';

function* downstreamIsTrue(
	world: World,
	{ name: where, tries, nodes, behind }: Family,
): Violations {
	const ids = tries.map(({ id }) => `execution ${id}`);
	const accepted = acceptedIn(world, tries, nodes);
	const given = tries.flatMap(({ job }) =>
		job.runs.map(({ node, items }) => ({ execution: job.name, node: node.name, items })),
	);
	for (const { execution, node, items } of [...world.n8n.outputs, ...given]) {
		if (!ids.includes(execution) || !behind.includes(node)) continue;
		for (const item of items) {
			if (item.json.error) continue;
			if (messagesShown(item, accepted).length > 0) continue;
			const seen = `${execution}: ${node} was given ${JSON.stringify(item.json)}`;
			yield violation(NEXT_NODE_GETS_ACCEPTED, `${where}, ${seen}`);
		}
	}
}

const CALM_SENDS_ALL = 'when nothing goes wrong, everything is sent';

function* calmWorldSendsAll(world: World, family: Family, { isCalm }: Settings): Violations {
	if (!isCalm) return;
	const intents = family.intents;
	const sent = byIntent(acceptedIn(world, family.tries, family.nodes), intents);
	for (const intent of intents) {
		if (!sent.has(intent)) yield violation(CALM_SENDS_ALL, `${family.name}: ${name(intent)}`);
	}
}

/** The checks of an execution that sends, with its retries. */
const CHECKS = [
	neverTwice,
	nothingSentIsTrue,
	subWorkflowIsRetried,
	readAsMeant,
	reportedAsItIs,
	shownIsWhatTheServiceHas,
	identifiersAreThoseThatLeft,
	nothingSentIfOneIsInvalid,
	downstreamIsTrue,
	calmWorldSendsAll,
];

export const brokenInSending = (
	world: World,
	families: Family[],
	settings: Settings,
): Violation[] => [
	...families.flatMap((family) => CHECKS.flatMap((check) => [...check(world, family, settings)])),
	...identifiersNameRequests(world, families),
];

/** The checks of an execution that asks people, with its retries. */
const CHECKS_OF_QUESTIONS = [neverTwice, nothingSentIsTrue, reportedAsItIs];

export const brokenInAsking = (world: World, families: Family[]): Violation[] =>
	families.flatMap((family) => CHECKS_OF_QUESTIONS.flatMap((check) => [...check(world, family)]));
