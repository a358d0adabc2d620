import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import { EPOCH } from './clock.mts';
import { Job, type Running } from './n8n.mts';
import { type Accepted, type Attempt, digitsOf } from './service.mts';
import type { Violation, World } from './world.mts';
import { promise, violation } from './promises.mts';

/*
 * Checks of the promises about sending (invariants.mts). They use only what the service has, what a person is shown, and
 * the input of the nodes behind ours.
 */

/** A message that somebody wants to send. */
export interface Intent {
	/** A text that is in this message only; '' if its template has no placeholders. */
	tag: string;
	digits: string;
	/** The text that the recipient should read; undefined if the provider's rule for the format is unknown. */
	text: string | undefined;
	/** The user's own identifier; '' if the node generates one. */
	identifier: string;
	/**
	 * Set if the message must not be sent while an earlier one is in the list: skipped or refused as a duplicate recipient, or
	 * refused because of a duplicate identifier.
	 */
	leftOut?: 'skipped' | 'refused';
	/** Set if this is a test of that message: the same text, to *My Number*. */
	testOf?: Intent;
}

/** The number in *My Number*. */
export const TEST_NUMBER = '385955550100';

/** One try of an execution: the first, or a *Retry*. */
export interface Try {
	/** The execution's id. */
	id: string;
	/** The messages that it should send, one per recipient, in order. */
	intents: Intent[];
	end: 'ended' | 'killed';
	job: Job;
	/** The try that this one retries. */
	retryOf: Try | undefined;
	beganAt: number;
	endedAt: number;
	mayResend: boolean;
	/** The size of requests was changed since the first try. */
	isEdited: boolean;
	isDryRun: boolean;
	/** The mode is *Test*. */
	isTest: boolean;
	/** Of the second node, which reminds the recipients. */
	isReminder: boolean;
}

/** An execution and its retries, in the order in which they began. */
export interface Family {
	name: string;
	/** The node that sends. */
	node: string;
	tries: Try[];
	/** *Retry On Fail*: n8n runs the node again, so a refused message may leave after a later one. */
	isRetriedByN8n: boolean;
	/** Each recipient is a round of a loop, and so a run of the node of its own. */
	isLoop: boolean;
	/** *Execute step* of the node in a loop: n8n stops after its first round. */
	isOneRound: boolean;
	/** The recipients are a list in the node: all outputs are paired with the same item. */
	isList: boolean;
	/** *Output*: one item per campaign. */
	isPerCampaign: boolean;
	/** *On Error* is set to stop: with one invalid recipient, nothing is sent. */
	stopsOnError: boolean;
	/** Another node of the workflow sends, too: an error may be about that one. */
	isOneOfTwo: boolean;
}

/** What all executions of a world have in common. */
export interface Settings {
	/** *Batch Size*. */
	batchSize: number;
	/** Nothing goes wrong in this world. */
	isCalm: boolean;
}

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
	counts?: { accepted: number; unknown: number; notSent: number };
	error?: string;
}

/** Returns the intent of a message. */
function intentOf(message: Attempt, intents: Intent[]): Intent | undefined {
	const known = byTag(intents);
	const [tag] = /N\d+-\d+\./.exec(message.sent) ?? [message.sent];
	const isTest = message.digits === TEST_NUMBER;
	return known.get(keyOf(tag, isTest)) ?? known.get(keyOf(message.digits, isTest));
}

const keyOf = (tag: string, isTest: boolean) => (isTest ? `test of ${tag}` : tag);

const senderOf = ({ owner }: Attempt) => (owner as Job).name.replace('execution ', '');

/** Returns the messages of some tries that the service accepted. */
function takenOf(world: World, tries: Try[]): Accepted[] {
	const ids = new Set(tries.map(({ id, isReminder }) => `${id} ${isReminder}`));
	return world.service.accepted.filter((message) =>
		ids.has(`${senderOf(message)} ${isReminder(message)}`),
	);
}

/** The families of messages of a second node, which reminds the recipients, begin with this number. */
export const REMINDERS = 500;

const isReminder = ({ sent }: Attempt) => Number(/N(\d+)-\d+\./.exec(sent)?.[1]) > REMINDERS;

const takenBy = (world: World, { tries }: Family) => takenOf(world, tries);

/**
 * docs/when-something-fails.md#limits: n8n keeps the notes of a node in one row, which another process may overwrite. If a
 * process is killed before it writes its note again, the note is lost.
 */
const hasLostNotes = ({ n8n }: World, { end, job }: Try): boolean =>
	end === 'killed' && n8n.processes.length > 1 && job.hasLostNotes;

/** Returns a try, the try that it retries, and so on: it has the data of all of them. */
function lineOf(last: Try): Try[] {
	const line: Try[] = [];
	for (let each: Try | undefined = last; each; each = each.retryOf) line.push(each);
	return line;
}

const isAtTheSameTime = (one: Try, other: Try) =>
	one.beganAt < other.endedAt && other.beganAt < one.endedAt;

/**
 * Returns the messages that a try must know about: its own, and those of earlier tries. Of
 * two retries at the same time with *Resend Unknown* (docs/when-something-fails.md#limits), each knows only its own messages,
 * and so do their retries.
 */
function takenUpTo(world: World, { tries }: Family, last: Try): Accepted[] {
	const line = lineOf(last);
	return takenOf(
		world,
		tries
			.slice(0, tries.indexOf(last) + 1)
			.filter(
				(each) =>
					line.includes(each) ||
					!each.mayResend ||
					!line.some((mine) => isAtTheSameTime(mine, each)),
			)
			.filter((each) => !hasLostNotes(world, each)),
	);
}

/**
 * Returns the messages that a try must know about if it fails before it sends: its own, and those of the tries whose data it
 * has. It has not checked yet whether another retry has sent, or is sending.
 */
function takenInData(
	world: World,
	last: Try,
	isSaved: (each: Try) => boolean = () => true,
): Accepted[] {
	return takenOf(
		world,
		lineOf(last).filter((each) => !hasLostNotes(world, each) && isSaved(each)),
	);
}

/** Returns the messages that a try may know about: also those of tries at the same time. */
const takenUntil = (world: World, family: Family, last: Try) =>
	takenOf(
		world,
		family.tries.filter(({ beganAt }) => beganAt <= last.endedAt),
	);

/** Caches a function whose result does not change once a world is over. */
function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
	const known = new WeakMap<Key, Value>();
	return (key) => {
		if (!known.has(key)) known.set(key, make(key));
		return known.get(key)!;
	};
}

/** Whether the list was edited between two tries. */
const isChanged = (family: Family) =>
	family.tries.some(
		({ intents }) => intents.map(name).join() !== family.tries[0].intents.map(name).join(),
	);

/** Intents by their tags, or by their numbers if they have none. */
const byTag = once(
	(intents: Intent[]) =>
		new Map(
			[...intents]
				.reverse()
				.map((intent) => [keyOf(intent.tag || intent.digits, !!intent.testOf), intent]),
		),
);

/** Returns the test of a message. */
const testOf = once(
	(intent: Intent): Intent => ({
		tag: intent.tag,
		digits: TEST_NUMBER,
		text: intent.text,
		identifier: '',
		testOf: intent,
	}),
);

/** Returns the messages to the recipients of all tries, without tests. */
const meantFor = once(({ tries }: Family) => [...new Set(tries.flatMap(({ intents }) => intents))]);

const withTests = once((intents: Intent[]) => [...intents, ...intents.map(testOf)]);

/** Returns the tests that a try may send. */
const testsIn = ({ isTest, intents }: Try) => (isTest ? intents.map(testOf) : []);

/** Returns all messages that the tries of an execution may send, tests, too. */
const allIntents = once((family: Family) => [
	...meantFor(family),
	...(family.tries.some(({ isTest }) => isTest) ? meantFor(family).map(testOf) : []),
]);

/*
 * A field that an item has no value for is missing, or `false` where other items have it.
 */

/** Returns the message that an item at an input's place is about. */
const intentShown = (intent: Intent | undefined, { json }: INodeExecutionData) => {
	const to = json.to || (json.details as IDataObject | undefined)?.recipient;
	const isTest = json.test === true || digitsOf(to ?? '') === TEST_NUMBER;
	return isTest && intent ? testOf(intent) : intent;
};

/** Messages by their message ids and campaign ids. */
const byId = once((taken: Accepted[]) => {
	const found = new Map<unknown, Accepted[]>();
	for (const message of taken) {
		for (const id of [message.externalId, message.campaignId]) {
			if (found.has(id)) found.get(id)!.push(message);
			else found.set(id, [message]);
		}
	}
	return found;
});

/** Returns the messages that an output item is about, by the service's ids in it. */
function messagesShown({ json }: INodeExecutionData, taken: Accepted[]): Accepted[] {
	const { externalId, response, responses, campaign_id: campaign, identifier, to } = json as any;
	if (Array.isArray(responses)) {
		const ids = responses.map((each: IDataObject) => each.response);
		return taken.filter((message) => ids.includes(message.externalId));
	}
	const id = externalId || response;
	if (id) return byId(taken).get(id) ?? [];
	if (!campaign) return [];
	return (byId(taken).get(campaign) ?? []).filter(
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

/** Whether n8n has made up this run, in place of one that was lost in a crash. */
const isRecovered = ({ data }: ITaskData) =>
	data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;

const placesOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((each) => (typeof each === 'number' ? each : each!.item));

const placeOf = (item: INodeExecutionData) => placesOf(item)[0];

/** Whether a failed item is about a whole list, which could not be read or prepared. */
const isAboutAll = ({ json }: INodeExecutionData) =>
	Boolean(json.error) && (json.details as IDataObject | undefined)?.recipient === undefined;

function recipientOf(item: INodeExecutionData, intents: Intent[], taken: Accepted[]) {
	const { json } = item;
	const to = json.to || (json.details as IDataObject | undefined)?.recipient;
	if (to && digitsOf(to) !== TEST_NUMBER)
		return intents.find(({ digits }) => digits === digitsOf(to));
	const [message] = messagesShown(item, taken);
	return message && intentOf(message, withTests(intents));
}

/** Whether an item is one for a whole campaign. */
const isOfCampaign = ({ json }: INodeExecutionData) =>
	Boolean(json.campaign_id && !json.to && json.recipients);

/** Returns a claim for each recipient of such an item: those it is paired with, or, for a list, those in the campaign. */
function claimsOfCampaign(
	item: INodeExecutionData,
	{ isList, isLoop }: Family,
	intents: Intent[],
	taken: Accepted[],
): Claim[] {
	const mine =
		isList || isLoop
			? messagesShown(item, taken).map((message) => intentOf(message, withTests(intents)))
			: placesOf(item).map((place) => intentShown(intents[place], item));
	return [...new Set(mine)]
		.filter((intent) => intent !== undefined)
		.map((intent) => ({ intent, outcome: 'accepted', item }));
}

/** Reads an execution as a person does: its output items and its error. */
function reportOf(world: World, family: Family, each: Try): Report {
	const { id, intents, job } = each;
	const { data } = world.n8n.shown(id);
	const runs = (data.resultData.runData[family.node] ?? []).filter((run) => !isRecovered(run));
	const items = (family.isLoop ? runs : runs.slice(-1)).flatMap((run) =>
		(run.data?.main ?? []).flatMap((output) => output ?? []),
	);
	const taken = takenBy(world, family);
	const claims =
		family.isList && items.length === 1 && isAboutAll(items[0])
			? intents.map((intent): Claim => ({ intent, outcome: outcomeOf(items[0]), item: items[0] }))
			: items.flatMap((item, index): Claim | Claim[] => {
					if (isOfCampaign(item)) return claimsOfCampaign(item, family, intents, taken);
					const intent = family.isLoop
						? recipientOf(item, intents, taken)
						: family.isPerCampaign && family.isList
							? recipientOf(item, intents, taken)
							: intentShown(intents[family.isList ? index : placeOf(item)], item);
					return { intent, outcome: outcomeOf(item), item };
				});
	const { error } = data.resultData;
	if (!error || isInherited(data, job) || statusOf(world, family, each) === 'other')
		return { claims };
	const text = `${error.message}\n${(error as { description?: string }).description ?? ''}`;
	const counted = /([\d,]+) of [\d,]+ messages? (?:was|were) accepted/.exec(text);
	const [earlier] = /In an earlier attempt, .*/.exec(text) ?? [];
	const isUnknownTest = /^May have been sent to .*This was a test: only /s.test(text);
	return {
		claims,
		error: text,
		counts:
			counted || earlier
				? {
						accepted: number(
							counted?.[1] ?? /([\d,]+) messages? (?:was|were) accepted/.exec(earlier!)?.[1],
						),
						unknown: number(/([\d,]+)(?: messages?)? may have been sent/.exec(text)?.[1]),
						notSent: number(/([\d,]+) (?:was|were) not sent/.exec(text)?.[1]),
					}
				: isUnknownTest
					? { accepted: 0, unknown: 1, notSent: 0 }
					: undefined,
	};
}

/**
 * Whether the error of an execution is that of the execution it retries (docs/when-something-fails.md#after-stop-or-a-time-out):
 * n8n's `executions/execution.service.js`, `retry`, deletes the error only when a node had ended.
 */
const isInherited = ({ resultData }: IRunExecutionData, { inheritedError }: Job) =>
	inheritedError !== undefined && resultData.error?.message === inheritedError.message;

/**
 * Whether n8n shows nothing of what the node did: with *Retry On Fail*, it throws such an error in place of a second try of
 * the node (`workflow-execute.js`, `rethrowLastNodeError`).
 */
function isMasked({ n8n }: World, { node, isRetriedByN8n }: Family, { id, job }: Try): boolean {
	const { data } = n8n.shown(id);
	const error = data.resultData.runData[node]?.at(-1)?.error;
	return isRetriedByN8n && isInherited(data, job) && error?.message === job.inheritedError!.message;
}

/** Returns the status of an execution; an error that it only inherited does not count. `other` if it is about another node. */
function statusOf(world: World, { isOneOfTwo, node }: Family, { id, job }: Try) {
	const { status, data } = world.n8n.shown(id);
	const { lastNodeExecuted, runData } = data.resultData;
	if (isOneOfTwo && (!runData[node]?.length || lastNodeExecuted !== node)) return 'other';
	return status === 'error' && isInherited(data, job) ? 'success' : status;
}

/**
 * Whether n8n has forgotten to run the node (docs/when-something-fails.md#after-stop-or-a-time-out): a time-out came in the pause
 * between two tries of *Retry On Fail*, and the retry does nothing.
 */
function isForgotten(world: World, { node }: Family, each: Try): boolean {
	let earlier = each.retryOf;
	// A retry that was killed before it ran the node has changed nothing.
	while (earlier && !earlier.job.hasForgottenNode && !earlier.job.hasWorked)
		earlier = earlier.retryOf;
	if (!earlier?.job.hasForgottenNode || takenOf(world, [each]).length > 0) return false;
	const runs = ({ id }: Try) => world.n8n.shown(id).data.resultData.runData[node]?.length ?? 0;
	return runs(each) <= runs(earlier);
}

const name = (intent: Intent | undefined) => intent?.tag || intent?.digits || 'nobody';

const SENT_ONCE = promise(
	'no message is sent twice',
	'The service accepts no message twice, unless Resend Unknown allowed it.',
);

export function neverTwice(world: World, family: Family): Violation[] {
	const intents = allIntents(family);
	// With *Retry On Fail*, each of n8n's tries may resend.
	const triesOfN8n = family.isRetriedByN8n ? 3 : 1;
	const again = family.tries.filter((each) => each.mayResend || hasLostNotes(world, each));
	const most = (intent: Intent | undefined) =>
		(intent?.testOf ? triesOfN8n : 1) + again.length * triesOfN8n;
	const times = new Map<Intent | undefined, Accepted[]>();
	for (const message of takenBy(world, family)) {
		const intent = intentOf(message, intents);
		times.set(intent, [...(times.get(intent) ?? []), message]);
	}
	return [...times]
		.filter(([intent, messages]) => messages.length > most(intent))
		.map(([intent, messages]) =>
			violation(
				SENT_ONCE,
				`${family.name}: ${name(intent)} was accepted ${messages.length} times, in requests ${messages.map(({ request }) => request).join(' and ')}`,
			),
		);
}

/** The reason of an item that is left out of a test. */
const LEFT_OUT = /^Not sent: this was a test/;

const ACCEPTED_IS_ACCEPTED = promise(
	'reported as accepted ⊆ accepted by the service',
	'Whoever is reported as accepted was accepted by the service.',
);
const NO_ACCEPTED_IS_DENIED = promise(
	'no accepted message is reported as rejected or not sent',
	'Whoever was accepted by the service is reported as accepted or unknown, never as rejected or not sent.',
);
const ERROR_COUNTS_RIGHT = promise(
	'what an error counts is what happened',
	'An error that ends an execution counts as accepted or unknown all whom the service accepted, and nobody else as accepted.',
);
const NO_COUNTS_NOTHING_ACCEPTED = promise(
	'an error without counts means that nothing was accepted',
	'An error that counts nobody means that the service accepted nobody.',
);
const EVERYBODY_ACCOUNTED_FOR = promise(
	'every recipient is accounted for',
	'A successful execution outputs something about every recipient.',
);

/** Compares what an execution says about each recipient with what the service accepted. */
export function reportedAsItIs(world: World, family: Family): Violation[] {
	const found: Violation[] = [];
	for (const each of family.tries) {
		if (each.end === 'killed' || each.isDryRun) continue;
		const status = statusOf(world, family, each);
		const report = reportOf(world, family, each);
		const intents = allIntents(family);
		const asIntents = (messages: Accepted[]) =>
			new Set(messages.map((message) => intentOf(message, intents)));
		const isBeforeSending =
			/In an earlier attempt/.test(report.error ?? '') ||
			(report.claims.length > 0 && report.claims.every(({ item }) => isAboutAll(item)));
		// A test knows nothing but itself: it is refused in a Retry.
		const knowsData = isBeforeSending || each.isTest;
		const taken = knowsData ? takenInData(world, each) : takenUpTo(world, family, each);
		const isTaken = asIntents(taken);
		const mayBeTaken = asIntents(takenUntil(world, family, each));
		const where = `${family.name}, execution ${each.id} (${status})`;
		for (const { intent, outcome, item } of report.claims) {
			if (outcome === 'accepted' && item.json.skipped !== true && !mayBeTaken.has(intent)) {
				found.push(
					violation(
						ACCEPTED_IS_ACCEPTED,
						`${where}: ${name(intent)} is shown as ${JSON.stringify(item.json)}`,
					),
				);
			}
			// docs/operations.md#mode: Retry On Fail may repeat a test. The report is about the last one.
			const isRepeatedTest = intent?.testOf && family.isRetriedByN8n;
			if (
				(outcome === 'rejected' || outcome === 'notSent') &&
				isTaken.has(intent) &&
				!isRepeatedTest
			) {
				found.push(
					violation(NO_ACCEPTED_IS_DENIED, `${where}: ${name(intent)}: ${String(item.json.error)}`),
				);
			}
		}
		if (status === 'error' && report.counts) {
			const { accepted, unknown } = report.counts;
			// A try that fails before it sends has not checked for crashed tries, so it cannot count those.
			const isCounted = isBeforeSending
				? asIntents(takenInData(world, each, ({ end }) => end !== 'killed'))
				: isTaken;
			const sentHere = asIntents(takenOf(world, [each]));
			// A skipped duplicate is not sent, although the service took the same message to the same number.
			const here = each.intents.filter(
				(intent) => !intent.leftOut && (isCounted.has(intent) || sentHere.has(testOf(intent))),
			).length;
			// An earlier try may have sent to somebody who was removed from the list since.
			// In a loop, a person may end the test between two rounds.
			// Tests are to one number, so the test of an earlier try counts even when its recipient was removed since.
			const tests = each.isTest ? family.tries.flatMap(testsIn) : [];
			const counted = isBeforeSending || family.isLoop ? intents : [...each.intents, ...tests];
			const most = [...new Set(counted)].filter((intent) => mayBeTaken.has(intent)).length;
			// In a loop, the error is about one round, and the earlier rounds have items.
			const earlier = family.isLoop
				? report.claims.filter(({ outcome }) => outcome === 'accepted').length
				: 0;
			const isTooFew = !family.isLoop && here > accepted + unknown;
			if (earlier + accepted > most || isTooFew) {
				found.push(
					violation(
						ERROR_COUNTS_RIGHT,
						`${where}: the service took ${here} of ${each.intents.length}; it says: ${report.error}`,
					),
				);
			}
		} else if (status === 'error') {
			// An error without counts means that this try sent nothing; in a loop, that this round sent nothing.
			const hasItem = new Set(report.claims.map(({ intent }) => intent));
			const mine = taken
				.filter((message) => senderOf(message) === each.id)
				// "Retry On Fail may repeat a test": the report is about the last one.
				.filter(({ digits }) => digits !== TEST_NUMBER || !family.isRetriedByN8n)
				.filter((message) => !family.isLoop || !hasItem.has(intentOf(message, intents)));
			if (mine.length > 0)
				found.push(
					violation(
						NO_COUNTS_NOTHING_ACCEPTED,
						`${where}: the service took ${mine.length}; it says: ${report.error}`,
					),
				);
		}
		if (
			status === 'success' &&
			!isForgotten(world, family, each) &&
			!isMasked(world, family, each)
		) {
			const shown = new Set(report.claims.map(({ intent }) => intent?.testOf ?? intent));
			// In a loop, a round that could not be prepared has an item without a recipient.
			let nameless = report.claims.filter(({ intent }) => intent === undefined).length;
			for (const intent of each.intents) {
				if (!shown.has(intent) && nameless-- <= 0)
					found.push(
						violation(EVERYBODY_ACCOUNTED_FOR, `${where}: nothing is shown of ${name(intent)}`),
					);
			}
		}
	}
	return found;
}

const IDS_OF_THE_SERVICE = promise(
	'the ids in an output are those of the service',
	'The campaign id, the message id and the identifier in an output are those of that message in the service.',
);

/** The campaign ids, identifiers and message ids in the output are those of the service. */
export function shownIsWhatTheServiceHas(world: World, family: Family): Violation[] {
	const found: Violation[] = [];
	for (const each of family.tries) {
		if (each.end === 'killed' || each.isDryRun) continue;
		const taken = takenUntil(world, family, each);
		for (const { intent, outcome, item } of reportOf(world, family, each).claims) {
			if (outcome !== 'accepted' || item.json.skipped === true) continue;
			const shown = messagesShown(item, taken);
			const belongs = shown.some((message) => intentOf(message, allIntents(family)) === intent);
			if (!belongs) {
				found.push(
					violation(
						IDS_OF_THE_SERVICE,
						`${family.name}, execution ${each.id}: of ${name(intent)} it shows ${JSON.stringify(item.json)}, which is ${shown.map((message) => `of ${name(intentOf(message, allIntents(family)))}`).join() || 'nobody’s in this execution'}`,
					),
				);
			}
		}
	}
	return found;
}

/** The sentence about messages of a crashed try that may have been sent. */
const CUT_OFF = /was cut off while it was sending/;

const IDENTIFIER_THAT_LEFT = promise(
	'the identifier of a message that may have been sent is the one that left',
	'The identifier of an unknown message can be looked up: it is one that a request carried.',
);
const LOGS_PROVE_AFTER_A_CRASH = promise(
	'after a crash, whoever is in the logs is reported as accepted',
	'The retry of a crashed campaign reports as accepted everyone whom the logs know under its identifiers.',
);

/** docs/when-something-fails.md#after-a-crash; and the identifier in a failed item is one that left. */
export function identifiersAreThoseThatLeft(world: World, family: Family): Violation[] {
	const found: Violation[] = [];
	const intents = allIntents(family);
	for (const each of family.tries) {
		if (each.end === 'killed' || each.isDryRun) continue;
		const taken = takenUpTo(world, family, each).filter(
			({ endpoint }) => endpoint === 'sendCampaign',
		);
		if (taken.length === 0) continue;
		const left = new Map<Intent | undefined, Accepted[]>();
		for (const message of taken) {
			const intent = intentOf(message, intents);
			left.set(intent, [...(left.get(intent) ?? []), message]);
		}
		const where = `${family.name}, execution ${each.id}`;
		for (const { intent, outcome, item } of reportOf(world, family, each).claims) {
			const messages = left.get(intent) ?? [];
			const details = item.json.details as IDataObject | undefined;
			if (outcome !== 'unknown' || messages.length === 0 || !details?.identifier) continue;
			if (!messages.some(({ identifier }) => identifier === details.identifier))
				found.push(
					violation(
						IDENTIFIER_THAT_LEFT,
						`${where}: ${name(intent)} left as ${messages.map(({ identifier }) => identifier).join()}; it says ${details.identifier}`,
					),
				);
		}
		// After a time-out, n8n keeps the node's output and does not run the node again.
		if (!each.job.hasWorked) continue;
		if (world.service.hasTroubled || each.isTest || family.isLoop) continue;
		// After a change of the list, or of the size of requests, nothing shows which messages left.
		if (isChanged(family) || family.tries.some((other) => other.isEdited || other.mayResend))
			continue;
		const { error, claims } = reportOf(world, family, each);
		const unknown = claims.filter(
			({ outcome, item }) => outcome === 'unknown' && CUT_OFF.test(String(item.json.error)),
		);
		const isError = CUT_OFF.test(error ?? '');
		const inLogs = each.intents.filter(
			(intent) =>
				intent.identifier === '' &&
				left.get(intent)?.some(({ loggedAt }) => loggedAt <= EPOCH + each.beganAt) &&
				(isError || unknown.some((claim) => claim.intent === intent)),
		);
		const accepted = isError ? (reportOf(world, family, each).counts?.accepted ?? 0) : 0;
		if (inLogs.length > accepted)
			found.push(
				violation(
					LOGS_PROVE_AFTER_A_CRASH,
					`${where}: the logs know ${inLogs.map(name).join(', ')}; it says: ${error ?? String(unknown[0].item.json.error)}`,
				),
			);
	}
	return found;
}

/** What a skipped item says about the message that was kept, unless that was accepted. */
const FATES = ['was not sent', 'may have been sent'];

const ONE_OF_DUPLICATES = promise(
	'of duplicates, one is sent',
	'On Duplicate Recipient can skip or refuse a second message to the same number: only the first one is sent.',
);
const INVALID_SENDS_NOTHING = promise(
	'with one invalid recipient, nothing is sent',
	'When one recipient is invalid, nothing is sent, unless On Error is set to continue.',
);
const DUPLICATE_IS_ERROR = promise(
	'a duplicate is an error if the option says so',
	'With On Duplicate Recipient set to error, no duplicate is output as skipped.',
);
const SKIPPED_NAMES_THE_FIRST = promise(
	'a skipped duplicate says what happened to the first',
	'The output of a skipped message names the message that was kept, and says what happened to it.',
);

/**
 * *On Duplicate Recipient* skips or refuses a second message to a number. A skipped item names the message that was kept, and
 * says what happened to it.
 */
export function duplicatesAsAsked(world: World, family: Family): Violation[] {
	const found: Violation[] = [];
	const promise = ONE_OF_DUPLICATES;
	const intents = allIntents(family);
	// Once the first message is removed from the list, the second one is sent.
	const isAsked = !isChanged(family) && intents.some(({ leftOut }) => leftOut);
	const mayResend = family.tries.some((each) => each.mayResend || hasLostNotes(world, each));
	if (isAsked && !mayResend && !family.isLoop) {
		const sent = takenBy(world, family);
		for (const intent of intents.filter(({ leftOut }) => leftOut)) {
			const of = ({ digits, identifier }: Intent) =>
				digits === intent.digits || (identifier !== '' && identifier === intent.identifier);
			const reached = new Set(sent.map((message) => intentOf(message, intents)));
			const both = intents.filter((other) => of(other) && reached.has(other));
			// It may be the duplicate of two others: of one by its number, of another by its identifier.
			if (both.length > 1 && reached.has(intent))
				found.push(violation(promise, `${family.name}: ${both.map(name).join(' and ')} were sent`));
		}
	}
	for (const each of family.tries) {
		const isRefused = isAsked && each.intents.some(({ leftOut }) => leftOut === 'refused');
		if (isRefused && family.stopsOnError && takenOf(world, [each]).length > 0)
			found.push(violation(INVALID_SENDS_NOTHING, `${family.name}: ${each.id}`));
		if (each.end === 'killed' || each.isDryRun) continue;
		const { claims } = reportOf(world, family, each);
		const taken = new Set(
			takenUpTo(world, family, each).map((message) => intentOf(message, intents)),
		);
		for (const { intent, item } of claims) {
			if (item.json.skipped !== true || LEFT_OUT.test(String(item.json.reason))) continue;
			if (intent?.leftOut === 'refused')
				found.push(violation(DUPLICATE_IS_ERROR, JSON.stringify(item.json)));
			const where = `${family.name}, execution ${each.id}: ${name(intent)}: ${String(item.json.reason)}`;
			const [, place] =
				/The same recipient is also in (?:item|recipient) (\d+)\./.exec(String(item.json.reason)) ??
				[];
			const first = each.intents[Number(place) - 1];
			const wanted = each.intents.find(({ digits }) => digits === intent?.digits);
			if (!intent || first !== wanted || first === intent) {
				found.push(violation(promise, where));
				continue;
			}
			const told = FATES.find((words) => String(item.json.reason).includes(words));
			const ofFirst = claims.find(
				(claim) => (claim.intent?.testOf ?? claim.intent) === first,
			)?.outcome;
			const isTrue =
				told === undefined
					? ofFirst === 'accepted'
					: told === 'was not sent'
						? !taken.has(first) && ofFirst !== 'accepted' && ofFirst !== 'unknown'
						: ofFirst === 'unknown';
			if (!isTrue) found.push(violation(SKIPPED_NAMES_THE_FIRST, where));
		}
	}
	return found;
}

const CAMPAIGN_COUNTS_RECIPIENTS = promise(
	'an item per campaign counts its recipients',
	'With one item per campaign, the item counts the recipients whom the service has in that campaign.',
);

/** An item for a campaign counts the recipients whom the service has in it. An unknown recipient has an item of their own. */
export function campaignsCountRecipients(world: World, family: Family): Violation[] {
	const intents = allIntents(family);
	return family.tries
		.filter(({ end, isDryRun }) => end === 'ended' && !isDryRun)
		.flatMap((each) => {
			const { data } = world.n8n.shown(each.id);
			const items = (data.resultData.runData[family.node] ?? [])
				.filter((run) => !isRecovered(run))
				.flatMap((run) => (run.data?.main ?? []).flatMap((output) => output ?? []))
				.filter(isOfCampaign);
			const { claims } = reportOf(world, family, each);
			const inDoubt = new Set(
				claims.filter(({ outcome }) => outcome === 'unknown').map(({ intent }) => intent),
			);
			const taken = takenUntil(world, family, each);
			return items.flatMap((item) => {
				const there = messagesShown(item, taken);
				const mine = new Set(there.map((message) => intentOf(message, intents)));
				// The rounds of a loop that ended in an earlier try keep their items, also those of a test.
				const tests = family.isLoop ? family.tries.flatMap(testsIn) : testsIn(each);
				const count = [...new Set([...each.intents, ...tests])].filter(
					(intent) => mine.has(intent) && !inDoubt.has(intent),
				).length;
				// With *Resend Unknown*, a recipient may be in two campaigns, and counts in one of them.
				const isResent = family.tries.some(({ mayResend }) => mayResend);
				const shown = item.json.recipients as number;
				return (isResent ? shown > 0 && shown <= count : shown === count)
					? []
					: [
							violation(
								CAMPAIGN_COUNTS_RECIPIENTS,
								`${family.name}, execution ${each.id}: ${count} in ${JSON.stringify(item.json)}`,
							),
						];
			});
		});
}

const IDENTIFIER_NAMES_ONE_REQUEST = promise(
	'a generated identifier names one request',
	'A generated identifier is in one request only, or in a request with the same recipients in the same order.',
);

/** A generated identifier names one request: the same sender, and the same recipients in the same order. */
export function identifiersNameRequests(world: World, families: Family[]): Violation[] {
	const found: Violation[] = [];
	const owners = new Map<string, string>();
	const requests = new Map<number, Attempt[]>();
	for (const attempt of world.service.attempts) {
		if (attempt.identifier === undefined) continue;
		requests.set(attempt.request, [...(requests.get(attempt.request) ?? []), attempt]);
	}
	const familyOf = (attempt: Attempt) =>
		families.find(
			(family) =>
				family.tries.some(({ id }) => id === senderOf(attempt)) &&
				intentOf(attempt, allIntents(family)),
		)?.name;
	for (const attempts of requests.values()) {
		const all = attempts.map(({ digits }) => digits).join();
		for (const [index, attempt] of attempts.entries()) {
			const { identifier = '' } = attempt;
			if (identifier !== '' && !identifier.startsWith('n8n-')) continue;
			const owner = `${familyOf(attempt)}: number ${index + 1} of ${all}`;
			const other = owners.get(identifier) ?? owner;
			owners.set(identifier, other);
			if (other !== owner || identifier === '')
				found.push(
					violation(IDENTIFIER_NAMES_ONE_REQUEST, `${identifier} names ${other}, and ${owner}`),
				);
		}
	}
	return found;
}

const ONLY_THE_RECIPIENT = promise(
	'nobody else is sent to',
	'Every message goes to the recipient that it was meant for.',
);
const OWN_IDENTIFIER_LEAVES = promise(
	'a message carries its identifier',
	'A message leaves with the identifier that the user gave it.',
);
const READ_AS_MEANT = promise(
	'the recipient reads what was meant',
	'Each recipient reads the text that was meant for them, with the right values in the right places.',
);

/** Each recipient reads the text that was meant for them. */
export function readAsMeant(world: World, family: Family): Violation[] {
	const intents = allIntents(family);
	return takenBy(world, family).flatMap((message) => {
		const intent = intentOf(message, intents);
		if (!intent)
			return [
				violation(ONLY_THE_RECIPIENT, `${family.name}: ${message.to} was not among the recipients`),
			];
		if (intent.digits !== message.digits)
			return [
				violation(ONLY_THE_RECIPIENT, `${family.name}: ${name(intent)} went to ${message.to}`),
			];
		if (intent.identifier && message.identifier !== intent.identifier)
			return [
				violation(
					OWN_IDENTIFIER_LEAVES,
					`${family.name}: ${name(intent)} went out as ${message.identifier}`,
				),
			];
		return intent.text !== undefined && message.text !== undefined && message.text !== intent.text
			? [violation(READ_AS_MEANT, `${family.name}: "${message.text}" instead of "${intent.text}"`)]
			: [];
	});
}

const PAIRED_IN_ORDER = promise(
	'every input item has one output item, paired, in order',
	'Every input item has exactly one output item, paired with it, in the order of the input.',
);

/** Every output item is paired with its input item, in order. */
export function pairedInOrder(world: World, family: Family): Violation[] {
	return family.tries.flatMap((each) => {
		if (each.end === 'killed' || family.isLoop || each.isDryRun) return [];
		if (statusOf(world, family, each) !== 'success') return [];
		if (isForgotten(world, family, each) || isMasked(world, family, each)) return [];
		const { data } = world.n8n.shown(each.id);
		const outputs = data.resultData.runData[family.node]?.at(-1)?.data?.main ?? [];
		const places = outputs.map((items) => (items ?? []).map(placeOf));
		const isInOrder = places.every((list) =>
			list.every((place, index) => index === 0 || list[index - 1] <= place),
		);
		const all = outputs.flatMap((items) => (items ?? []).flatMap(placesOf)).sort((a, b) => a - b);
		const [first] = outputs.flatMap((items) => items ?? []);
		if (family.isList && family.isPerCampaign) return [];
		const isOne = family.isList && all.length === 1 && isAboutAll(first);
		const wanted = isOne ? [0] : each.intents.map((_, index) => (family.isList ? 0 : index));
		return isInOrder && all.join() === wanted.join()
			? []
			: [
					violation(
						PAIRED_IN_ORDER,
						`${family.name}, execution ${each.id}: paired with ${JSON.stringify(places)}`,
					),
				];
	});
}

const NEXT_NODE_GETS_ACCEPTED = promise(
	'the next node gets as sent only what was accepted',
	'The next node gets an item as sent only if the service accepted its message.',
);

/** The next node gets no item as sent whose message was not accepted. */
export function downstreamIsTrue(world: World, family: Family): Violation[] {
	// Only the second node is followed by another one.
	if (family.isOneOfTwo && !family.tries[0]?.isReminder) return [];
	const ids = new Set(
		family.tries.filter(({ isDryRun }) => !isDryRun).map(({ id }) => `execution ${id}`),
	);
	const taken = takenBy(world, family);
	return world.n8n.outputs
		.filter(({ execution }) => ids.has(execution))
		.flatMap(({ execution, node, items }) =>
			items
				.filter(({ json }) => !json.error && json.skipped !== true)
				.filter((item) => messagesShown(item, taken).length === 0)
				.map(({ json }) =>
					violation(
						NEXT_NODE_GETS_ACCEPTED,
						`${family.name}, ${execution}: ${node} was given ${JSON.stringify(json)}`,
					),
				),
		);
}

const DRY_RUN_SENDS_NOTHING = promise('a dry run sends nothing', 'Dry Run sends nothing.');
const DRY_RUN_SHOWS_THE_TEXT = promise(
	'the text of a dry run is what the recipient will read',
	'The text that Dry Run shows is the text that the recipient will read.',
);

/** A dry run sends nothing, and shows the text that the recipient will read. */
export function dryRunIsTrue(world: World, family: Family): Violation[] {
	return family.tries
		.filter(({ isDryRun, end }) => isDryRun && end === 'ended')
		.flatMap((each) => {
			const sent = world.service.accepted.filter((message) => senderOf(message) === each.id);
			const { data } = world.n8n.shown(each.id);
			const items = (data.resultData.runData[family.node] ?? []).flatMap(
				(run) => run.data?.main?.[0] ?? [],
			);
			const recipients = items.flatMap(({ json }) =>
				json.dryRun === true && json.to && !json.error && !json.skipped
					? [json as unknown as { to: string; text?: string }]
					: [],
			);
			const wrong = recipients.filter(({ to, text }) => {
				const meant = [...each.intents, ...testsIn(each)].filter(
					({ digits }) => digits === digitsOf(to),
				);
				return (
					typeof text === 'string' &&
					meant.every((intent) => intent.text !== undefined) &&
					!meant.some((intent) => intent.text === text)
				);
			});
			return [
				...(sent.length > 0
					? [violation(DRY_RUN_SENDS_NOTHING, `${family.name}: the service took ${sent.length}`)]
					: []),
				...wrong.map(({ to, text }) =>
					violation(DRY_RUN_SHOWS_THE_TEXT, `${family.name}: "${text}" for ${to}`),
				),
			];
		});
}

const TEST_ONLY_TO_THE_TESTER = promise(
	'in a test, nobody else is sent to',
	'In a test, only My Number is sent to.',
);
const TEST_SENDS_ONE = promise(
	'a test sends one message, and none in a Retry',
	'In a test, a run of the node sends one message (with Retry On Fail, each try may), and a Retry sends none.',
);
const TEST_HAS_OWN_IDENTIFIER = promise(
	'a test has an identifier of its own',
	'A test has an identifier of its own, never one that the user gave to a message.',
);

/** A test: only that number is sent to, one message in each run of the node, with an identifier of its own. */
export function testsSendOneMessage(world: World, family: Family): Violation[] {
	const { accepted, attempts } = world.service;
	const users = new Set(allIntents(family).map(({ identifier }) => identifier));
	users.delete('');
	return family.tries
		.filter(({ isTest }) => isTest)
		.flatMap((each) => {
			const where = `${family.name}, execution ${each.id}`;
			const mine = [...accepted, ...attempts].filter((message) => senderOf(message) === each.id);
			// In a loop, each round is a run of the node. docs/operations.md#mode: Retry On Fail may repeat a test.
			const runs = (family.isLoop ? each.intents.length : 1) * (family.isRetriedByN8n ? 3 : 1);
			const most = each.retryOf ? 0 : runs;
			const count = takenOf(world, [each]).length;
			return [
				...mine
					.filter(({ digits }) => digits !== TEST_NUMBER)
					.map(({ digits }) => violation(TEST_ONLY_TO_THE_TESTER, `${where}: ${digits}`)),
				...mine
					.filter(({ identifier = '' }) => users.has(identifier))
					.map(({ identifier }) => violation(TEST_HAS_OWN_IDENTIFIER, `${where}: ${identifier}`)),
				...(count > most ? [violation(TEST_SENDS_ONE, `${where}: ${count}`)] : []),
			];
		});
}

const ORDER_PER_RECIPIENT = promise(
	'two messages to one recipient keep their order',
	'Two messages to the same recipient leave in the order of the input.',
);

/** Two messages to the same recipient keep their order. */
export function keptInOrder(world: World, family: Family): Violation[] {
	if (family.isRetriedByN8n) return [];
	return family.tries.flatMap((each) => {
		const sent = takenOf(world, [each]);
		return sent.flatMap((message, index) => {
			const place = each.intents.indexOf(intentOf(message, each.intents)!);
			const overtaken = sent
				.slice(0, index)
				.filter(({ digits }) => digits === message.digits)
				.find((other) => each.intents.indexOf(intentOf(other, each.intents)!) > place);
			return overtaken
				? [
						violation(
							ORDER_PER_RECIPIENT,
							`${family.name}, execution ${each.id}: request ${message.request} was for an earlier message than request ${overtaken.request}`,
						),
					]
				: [];
		});
	});
}

const BATCH_SIZE_HOLDS = promise(
	'never more than Batch Size requests at once',
	'Never more requests are in flight at once than Batch Size allows.',
);

/** Never more than *Batch Size* requests are in flight at once. */
export function neverTooManyAtOnce(
	{ exchanges }: World,
	{ tries }: Family,
	{ batchSize }: Settings,
): Violation[] {
	return tries.flatMap(({ id }) => {
		const mine = exchanges.filter(
			({ owner, method }) => String(owner) === `execution ${id}` && method === 'POST',
		);
		const most = Math.max(
			0,
			...mine.map(
				({ startedAt }) =>
					mine.filter(
						(other) => other.startedAt <= startedAt && (other.endedAt ?? Infinity) > startedAt,
					).length,
			),
		);
		return most > batchSize ? [violation(BATCH_SIZE_HOLDS, `execution ${id}: ${most}`)] : [];
	});
}

/** The precision of the service's `Date` header, in ms. */
const DATE_IS_EXACT_TO = 1000;

/** The longest `Retry-After` for which the node waits, in ms. A longer one ends the run. */
const LONGEST_RETRY_AFTER = 300_000;

/** Reads a `Retry-After` as RFC 9110, section 10.2.3, defines it, in ms. ISO 8601 is understood, too. */
function waitAskedFor(retryAfter: string | undefined, now: number): number {
	if (retryAfter === undefined || /^-|^[a-z]+$/i.test(retryAfter)) return 0;
	const wait = /^[\d.]+$/.test(retryAfter)
		? Number(retryAfter) * 1000
		: Date.parse(retryAfter) - now;
	return wait > LONGEST_RETRY_AFTER ? Infinity : wait;
}

const WAITS_AS_ASKED = promise(
	'no request leaves earlier than the service allows',
	'After a 429, all requests wait as long as Retry-After says. After a 401 or 403, none follows.',
);

/** After a 429, all requests wait as long as the service asks. A refused key stops all. */
export function waitsAsAsked({ exchanges }: World, family: Family): Violation[] {
	// The rounds of a loop, the tries of *Retry On Fail*, and two nodes do not know each other's answers.
	if (family.isLoop || family.isRetriedByN8n || family.isOneOfTwo) return [];
	return family.tries.flatMap(({ id }) => {
		const mine = exchanges.filter(
			({ owner, method }) => String(owner) === `execution ${id}` && method === 'POST',
		);
		return mine.flatMap(({ answered, owner }) => {
			if (!answered) return [];
			const { at, status, retryAfter, date } = answered;
			// A date counts from the service's `Date` header; without one, from n8n's clock.
			const now = date === undefined ? at + owner!.skew : Date.parse(date);
			const wait =
				status === 429
					? waitAskedFor(retryAfter, now)
					: status === 401 || status === 403
						? Infinity
						: 0;
			// Dates have whole seconds.
			const isDate = /[a-z]/i.test(retryAfter ?? '');
			const least = isDate ? wait - DATE_IS_EXACT_TO : wait;
			const early = mine.find(({ startedAt }) => startedAt > at && startedAt < at + least);
			return early
				? [
						violation(
							WAITS_AS_ASKED,
							`execution ${id}: a request left ${early.startedAt - at} ms after a ${status}${retryAfter ? ` with Retry-After ${retryAfter}` : ''}`,
						),
					]
				: [];
		});
	});
}

const CALM_SENDS_ALL = promise(
	'when nothing goes wrong, everything is sent',
	'When nothing goes wrong, the service accepts every message.',
);

/** When nothing goes wrong, everything is sent. */
export function calmWorldSendsAll(world: World, family: Family, { isCalm }: Settings): Violation[] {
	if (!isCalm || family.isOneOfTwo) return [];
	const sent = new Set(
		takenBy(world, family).map((message) => intentOf(message, allIntents(family))),
	);
	const intents = allIntents(family);
	if (family.stopsOnError && intents.some(({ leftOut }) => leftOut === 'refused')) return [];
	const isOnlyTest = family.tries.every(({ isTest }) => isTest);
	if (isOnlyTest) {
		const testsSent = intents.filter((intent) => intent.testOf && sent.has(intent)).length;
		return testsSent > 0 ? [] : [violation(CALM_SENDS_ALL, `${family.name}: no test`)];
	}
	return intents
		.filter((intent) => !sent.has(intent) && !intent.leftOut && !intent.testOf)
		.map((intent) => violation(CALM_SENDS_ALL, `${family.name}: ${name(intent)}`));
}

/** *Execute step* in the editor, which shows an earlier execution. */
export interface EditorStep {
	name: string;
	running: Running;
	/** The node that sends must run: it was changed, it failed, or it is the step itself; and it is not pinned. */
	runsNode: boolean;
	/**
	 * docs/when-something-fails.md#limits: n8n was killed just as it started a manual execution, and runs the whole workflow at its
	 * next start, without pinned outputs.
	 */
	isWholeWorkflow?: true;
}

const LATER_NODE_SENDS_NOT_AGAIN = promise(
	'executing a later node sends again only after a change or a failure',
	'Executing a later node in the editor sends again only if the Messaging node was changed or failed, and its output is not pinned.',
);

/** docs/first-campaign.md#before-you-press-execute-again: a changed node runs again; in all other cases it does not. */
export const stepsRunWhatTheyMust = (
	world: World,
	steps: EditorStep[],
	{ isCalm }: Settings,
): Violation[] =>
	steps.flatMap(({ name, running: { id, job }, runsNode, isWholeWorkflow }) => {
		const promise = LATER_NODE_SENDS_NOT_AGAIN;
		const taken = world.service.accepted.filter((message) => senderOf(message) === id);
		if (!runsNode && !isWholeWorkflow && taken.length > 0) {
			return [violation(promise, `${name}: the service took ${taken.length} messages`)];
		}
		return runsNode && isCalm && !job.hasWorked
			? [violation(promise, `${name}: the node did not run`)]
			: [];
	});
