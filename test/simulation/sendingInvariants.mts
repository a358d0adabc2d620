import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';
import { EPOCH } from './clock.mts';
import { Job } from './n8n.mts';
import { type Accepted, type Attempt, digitsOf } from './service.mts';
import { type Violation, violation, type World } from './world.mts';

/*
 * The promises about sending, each beside its check. The checks use only what the service has, what a person is shown, and
 * the input of the nodes behind ours. An exception links the heading in docs/ that tells users of it.
 */

/** The node that sends. */
export const NODE = 'Messaging';

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
	/** A recipient has lost their number since the first try. */
	isSpoiled: boolean;
	isDryRun: boolean;
	/** The mode is *Test*. */
	isTest: boolean;
}

/** An execution and its retries, in the order in which they began. */
export interface Family {
	name: string;
	tries: Try[];
	/** *Retry On Fail*: n8n runs the node again, so a refused message may leave after a later one. */
	isRetriedByN8n: boolean;
	/** Each recipient is a round of a loop, and so a run of the node of its own. Nobody tests in a loop. */
	isLoop: boolean;
	/** The recipients are a list in the node: all outputs are paired with the same item. */
	isList: boolean;
	/** *Output*: one item per campaign. */
	isPerCampaign: boolean;
	/** *On Error* is set to stop: with one invalid recipient, nothing is sent. */
	stopsOnError: boolean;
}

/** What all executions of a world have in common. */
export interface Settings {
	/** *Batch Size*. */
	batchSize: number;
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
	const isTest = message.digits === TEST_NUMBER;
	return known.get(keyOf(tag, isTest)) ?? known.get(keyOf(message.digits, isTest));
}

const keyOf = (tag: string, isTest: boolean) => (isTest ? `test of ${tag}` : tag);

const name = (intent: Intent | undefined) => intent?.tag || intent?.digits || 'nobody';

const senderOf = ({ owner }: Attempt) => (owner as Job).name.replace('execution ', '');

/** Returns the messages of some tries that the service accepted. */
function acceptedIn({ service }: World, tries: Try[]): Accepted[] {
	const ids = new Set(tries.map(({ id }) => id));
	return service.accepted.filter((message) => ids.has(senderOf(message)));
}

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
 * Returns the messages that a try must know about: its own, and those of earlier tries. Of two retries at the same time with
 * *Resend Unknown* (docs/when-something-fails.md#limits), each knows only its own messages, and so do their retries.
 */
function mustKnow(world: World, { tries }: Family, last: Try): Accepted[] {
	const line = lineOf(last);
	const isKnown = (each: Try) =>
		line.includes(each) || !each.mayResend || !line.some((mine) => isAtTheSameTime(mine, each));
	const before = tries.slice(0, tries.indexOf(last) + 1);
	return acceptedIn(
		world,
		before.filter((each) => isKnown(each) && !hasLostNotes(world, each)),
	);
}

/**
 * Returns the messages that a try must know about if it fails before it sends: its own, and those of the tries whose data it
 * has. It has not checked yet whether another retry has sent, or is sending.
 */
const mustKnowBeforeSending = (world: World, last: Try, isSaved = (_: Try) => true): Accepted[] =>
	acceptedIn(
		world,
		lineOf(last).filter((each) => !hasLostNotes(world, each) && isSaved(each)),
	);

/** Returns the messages that a try may know about: also those of tries at the same time. */
const mayKnow = (world: World, { tries }: Family, last: Try) =>
	acceptedIn(
		world,
		tries.filter(({ beganAt }) => beganAt <= last.endedAt),
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
const isChanged = ({ tries }: Family) =>
	tries.some(({ intents }) => intents.map(name).join() !== tries[0].intents.map(name).join());

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
const allIntents = once((family: Family) =>
	family.tries.some(({ isTest }) => isTest) ? withTests(meantFor(family)) : meantFor(family),
);

/** The tries that have ended, and so have something to say. */
const ended = ({ tries }: Family) =>
	tries.filter(({ end, isDryRun }) => end === 'ended' && !isDryRun);

/** The recipient in an item. A field that an item has no value for is missing, or `false` where other items have it. */
const toOf = ({ json }: INodeExecutionData) =>
	json.to || (json.details as IDataObject | undefined)?.recipient;

/** Returns the message that an item at an input's place is about. */
const intentShown = (intent: Intent | undefined, item: INodeExecutionData) => {
	const isTest = item.json.test === true || digitsOf(toOf(item) || '') === TEST_NUMBER;
	return isTest && intent ? testOf(intent) : intent;
};

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

/** Whether n8n has made up this run, in place of one that was lost in a crash. */
const isRecovered = ({ data }: ITaskData) =>
	data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;

const placesOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((each) => (typeof each === 'number' ? each : each!.item));

/** Whether a failed item is about a whole list, which could not be read or prepared. */
const isAboutAll = ({ json }: INodeExecutionData) =>
	Boolean(json.error) && (json.details as IDataObject | undefined)?.recipient === undefined;

function recipientOf(item: INodeExecutionData, intents: Intent[], accepted: Accepted[]) {
	const to = toOf(item);
	if (to && digitsOf(to) !== TEST_NUMBER)
		return intents.find(({ digits }) => digits === digitsOf(to));
	const [message] = messagesShown(item, accepted);
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
	accepted: Accepted[],
): Claim[] {
	const mine =
		isList || isLoop
			? messagesShown(item, accepted).map((message) => intentOf(message, withTests(intents)))
			: placesOf(item).map((place) => intentShown(intents[place], item));
	return [...new Set(mine)]
		.filter((intent) => intent !== undefined)
		.map((intent) => ({ intent, outcome: 'accepted', item }));
}

/** Returns the output items of the node; of a loop, those of all rounds. */
function itemsOf({ n8n }: World, { isLoop }: Pick<Family, 'isLoop'>, { id }: Try) {
	const { runData } = n8n.shown(id).data.resultData;
	const runs = (runData[NODE] ?? []).filter((run) => !isRecovered(run));
	return (isLoop ? runs : runs.slice(-1)).flatMap((run) =>
		(run.data?.main ?? []).flatMap((output) => output ?? []),
	);
}

function claimsOf(world: World, family: Family, each: Try): Claim[] {
	const { intents } = each;
	const items = itemsOf(world, family, each);
	const accepted = acceptedIn(world, family.tries);
	if (family.isList && items.length === 1 && isAboutAll(items[0])) {
		return intents.map((intent) => ({ intent, outcome: outcomeOf(items[0]), item: items[0] }));
	}
	return items.flatMap((item, index): Claim | Claim[] => {
		if (isOfCampaign(item)) return claimsOfCampaign(item, family, intents, accepted);
		const isByRecipient = family.isLoop || (family.isPerCampaign && family.isList);
		const intent = isByRecipient
			? recipientOf(item, intents, accepted)
			: intentShown(intents[family.isList ? index : placesOf(item)[0]], item);
		return { intent, outcome: outcomeOf(item), item };
	});
}

/** Reads an execution as a person does: its output items and its error. */
function reportOf(world: World, family: Family, each: Try): Report {
	const claims = claimsOf(world, family, each);
	const { data } = world.n8n.shown(each.id);
	const { error } = data.resultData;
	if (!error || isInherited(data, each.job)) return { claims };
	const text = `${error.message}\n${(error as { description?: string }).description ?? ''}`;
	/** Reads "3 of 10 messages were accepted", or in a later place of the counts "3 were accepted". */
	const countOf = (outcome: string) =>
		new RegExp(`([\\d,]+)(?: of [\\d,]+)?(?: messages?)? ${outcome}`).exec(text)?.[1];
	const accepted = countOf('(?:was|were) accepted');
	const unknown = countOf('may have been sent');
	const isUnknownTest = /^May have been sent to .*This was a test: only /s.test(text);
	if (isUnknownTest) return { claims, error: text, counts: { accepted: 0, unknown: 1 } };
	const hasCounts = accepted ?? unknown ?? countOf('(?:was|were) not sent');
	const counts = hasCounts && { accepted: number(accepted), unknown: number(unknown) };
	return { claims, error: text, ...(counts && { counts }) };
}

/**
 * Whether the error of an execution is that of the execution it retries (docs/when-something-fails.md#after-stop-or-a-time-out):
 * n8n's `executions/execution.service.js`, `retry`, deletes the error only when a node had ended.
 */
const isInherited = ({ resultData }: IRunExecutionData, { inheritedError }: Job) =>
	inheritedError !== undefined && resultData.error?.message === inheritedError.message;

/** Returns the status of an execution; an error that it only inherited does not count. */
function statusOf({ n8n }: World, { id, job }: Try) {
	const { status, data } = n8n.shown(id);
	return status === 'error' && isInherited(data, job) ? 'success' : status;
}

/** Whether a try has succeeded, and n8n shows what the node did. */
function isShownAsDone(world: World, family: Family, each: Try): boolean {
	if (statusOf(world, each) !== 'success' || isForgotten(world, each)) return false;
	// With *Retry On Fail*, n8n throws an inherited error in place of a second try of the node (`workflow-execute.js`,
	// `rethrowLastNodeError`).
	const { inheritedError } = each.job;
	const { runData } = world.n8n.shown(each.id).data.resultData;
	const isMasked =
		inheritedError && runData[NODE]?.at(-1)?.error?.message === inheritedError.message;
	return !family.isRetriedByN8n || !isMasked;
}

/**
 * Whether n8n has forgotten to run the node (docs/when-something-fails.md#after-stop-or-a-time-out): a time-out came in the pause
 * between two tries of *Retry On Fail*, and the retry does nothing.
 */
function isForgotten(world: World, each: Try): boolean {
	let earlier = each.retryOf;
	// A retry that was killed before it ran the node has changed nothing.
	while (earlier && !earlier.job.hasForgottenNode && !earlier.job.hasWorked)
		earlier = earlier.retryOf;
	if (!earlier?.job.hasForgottenNode || acceptedIn(world, [each]).length > 0) return false;
	const runs = ({ id }: Try) => world.n8n.shown(id).data.resultData.runData[NODE]?.length ?? 0;
	return runs(each) <= runs(earlier);
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

const SENT_ONCE = 'no message is sent twice, unless Resend Unknown allowed it';

export function* neverTwice(world: World, family: Family): Violations {
	// With *Retry On Fail*, each of n8n's tries may resend. docs/operations.md#mode: it may repeat a test.
	const triesOfN8n = family.isRetriedByN8n ? 3 : 1;
	const again = family.tries.filter((each) => each.mayResend || hasLostNotes(world, each));
	for (const [intent, messages] of byIntent(acceptedIn(world, family.tries), allIntents(family))) {
		const most = (intent?.testOf ? triesOfN8n : 1) + again.length * triesOfN8n;
		if (messages.length <= most) continue;
		const requests = messages.map(({ request }) => request).join(' and ');
		const times = `${messages.length} times, in requests ${requests}`;
		yield violation(SENT_ONCE, `${family.name}: ${name(intent)} was accepted ${times}`);
	}
}

/** The reason of an item that is left out of a test. */
const LEFT_OUT = /^Not sent: this was a test/;

const ACCEPTED_IS_ACCEPTED = 'whoever is reported as accepted was accepted by the service';
const NO_ACCEPTED_IS_DENIED = 'no accepted message is reported as rejected or not sent';
const ERROR_COUNTS_RIGHT =
	'an error counts all whom the service accepted as accepted or unknown, and nobody else as accepted';
const NO_COUNTS_NOTHING_ACCEPTED = 'an error without counts means that nothing was accepted';
const EVERYBODY_ACCOUNTED_FOR = 'a successful execution outputs something about every recipient';

/** Compares what an execution says about each recipient with what the service accepted. */
export function* reportedAsItIs(world: World, family: Family): Violations {
	const intents = allIntents(family);
	const asIntents = (messages: Accepted[]) =>
		new Set(messages.map((message) => intentOf(message, intents)));
	for (const each of ended(family)) {
		const status = statusOf(world, each);
		const { claims, counts, error } = reportOf(world, family, each);
		const isBeforeSending =
			/In an earlier attempt/.test(error ?? '') ||
			(claims.length > 0 && claims.every(({ item }) => isAboutAll(item)));
		// A test knows nothing but itself: it is refused in a Retry.
		const accepted =
			isBeforeSending || each.isTest
				? mustKnowBeforeSending(world, each)
				: mustKnow(world, family, each);
		const isAccepted = asIntents(accepted);
		const mayBeAccepted = asIntents(mayKnow(world, family, each));
		const where = `${family.name}, execution ${each.id} (${status})`;
		for (const { intent, outcome, item } of claims) {
			const isShown = outcome === 'accepted' && item.json.skipped !== true;
			if (isShown && !mayBeAccepted.has(intent)) {
				const shown = `${name(intent)} is shown as ${JSON.stringify(item.json)}`;
				yield violation(ACCEPTED_IS_ACCEPTED, `${where}: ${shown}`);
			}
			const isDenied = outcome === 'rejected' || outcome === 'notSent';
			// docs/operations.md#mode: Retry On Fail may repeat a test. The report is about the last one.
			const isRepeatedTest = intent?.testOf && family.isRetriedByN8n;
			if (isDenied && isAccepted.has(intent) && !isRepeatedTest) {
				yield violation(NO_ACCEPTED_IS_DENIED, `${where}: ${name(intent)}: ${item.json.error}`);
			}
		}
		if (status === 'error' && counts) {
			// A try that fails before it sends has not checked for crashed tries, so it cannot count those.
			const isCounted = isBeforeSending
				? asIntents(mustKnowBeforeSending(world, each, ({ end }) => end !== 'killed'))
				: isAccepted;
			const sentHere = asIntents(acceptedIn(world, [each]));
			// A skipped duplicate is not sent, although the service accepted the same message to the same number.
			const here = each.intents.filter(
				(intent) => !intent.leftOut && (isCounted.has(intent) || sentHere.has(testOf(intent))),
			).length;
			// An earlier try may have sent to somebody who was removed from the list since.
			const counted =
				isBeforeSending || family.isLoop ? intents : [...each.intents, ...testsIn(each)];
			const most = [...new Set(counted)].filter((intent) => mayBeAccepted.has(intent)).length;
			// In a loop, the error is about one round, and the earlier rounds have items.
			const earlier = family.isLoop
				? claims.filter(({ outcome }) => outcome === 'accepted').length
				: 0;
			const isTooFew = !family.isLoop && here > counts.accepted + counts.unknown;
			if (earlier + counts.accepted > most || isTooFew) {
				const there = `the service accepted ${here} of ${each.intents.length}`;
				yield violation(ERROR_COUNTS_RIGHT, `${where}: ${there}; it says: ${error}`);
			}
		} else if (status === 'error') {
			// In a loop, the error means that this round sent nothing.
			const hasItem = new Set(claims.map(({ intent }) => intent));
			const mine = accepted
				.filter((message) => senderOf(message) === each.id)
				.filter(({ digits }) => digits !== TEST_NUMBER || !family.isRetriedByN8n)
				.filter((message) => !family.isLoop || !hasItem.has(intentOf(message, intents)));
			if (mine.length > 0) {
				const there = `the service accepted ${mine.length}; it says: ${error}`;
				yield violation(NO_COUNTS_NOTHING_ACCEPTED, `${where}: ${there}`);
			}
		} else if (isShownAsDone(world, family, each)) {
			const shown = new Set(claims.map(({ intent }) => intent?.testOf ?? intent));
			// In a loop, a round that could not be prepared has an item without a recipient.
			const nameless = claims.filter(({ intent }) => intent === undefined).length;
			const missing = each.intents.filter((intent) => !shown.has(intent)).slice(nameless);
			for (const intent of missing)
				yield violation(EVERYBODY_ACCOUNTED_FOR, `${where}: nothing about ${name(intent)}`);
		}
	}
}

const IDS_OF_THE_SERVICE = 'the ids in an output are those of that message in the service';

/** The campaign id, the message id and the identifier. */
export function* shownIsWhatTheServiceHas(world: World, family: Family): Violations {
	const intents = allIntents(family);
	for (const each of ended(family)) {
		const accepted = mayKnow(world, family, each);
		for (const { intent, outcome, item } of claimsOf(world, family, each)) {
			if (outcome !== 'accepted' || item.json.skipped === true) continue;
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

/** docs/when-something-fails.md#after-a-crash */
export function* identifiersAreThoseThatLeft(world: World, family: Family): Violations {
	for (const each of ended(family)) {
		// A message that was resent, and a test that n8n repeated, have left under two identifiers.
		if (each.mayResend || each.isTest) continue;
		const campaigns = mustKnow(world, family, each).filter(
			({ endpoint }) => endpoint === 'sendCampaign',
		);
		const left = byIntent(campaigns, allIntents(family));
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
		if (!each.job.hasWorked || world.service.hasTroubled || each.isTest || family.isLoop) continue;
		// After a change of the list, or of the size of requests, no identifier is found.
		const isEdited = family.tries.some(
			(other) => other.isEdited || other.isSpoiled || other.mayResend,
		);
		if (isEdited || isChanged(family)) continue;
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
		if (inLogs.length > (isError ? (counts?.accepted ?? 0) : 0)) {
			const says = error ?? String(unknown[0].item.json.error);
			const seen = `the logs know ${inLogs.map(name).join(', ')}; it says: ${says}`;
			yield violation(LOGS_PROVE_AFTER_A_CRASH, `${where}: ${seen}`);
		}
	}
}

const ONE_OF_DUPLICATES = 'of duplicates that are skipped or refused, one is sent';
const INVALID_SENDS_NOTHING =
	'with one invalid recipient nothing is sent, unless On Error is set to continue';
const DUPLICATE_IS_ERROR = 'no duplicate is skipped if the option says that it is an error';
const SKIPPED_NAMES_THE_FIRST = 'a skipped duplicate names the message that was kept';

/** *On Duplicate Recipient* skips or refuses a second message to a number; a second identifier is always refused. */
export function* duplicatesAsAsked(world: World, family: Family): Violations {
	const intents = allIntents(family);
	// Once the first message is removed from the list, the second one is sent.
	const isAsked = !isChanged(family) && intents.some(({ leftOut }) => leftOut);
	const mayResend = family.tries.some((each) => each.mayResend || hasLostNotes(world, each));
	if (isAsked && !mayResend && !family.isLoop) {
		const reached = new Set(byIntent(acceptedIn(world, family.tries), intents).keys());
		for (const intent of intents.filter((each) => each.leftOut && reached.has(each))) {
			// It may be the duplicate of two others: of one by its number, of another by its identifier.
			const both = intents.filter(
				({ digits, identifier }) =>
					digits === intent.digits || (identifier !== '' && identifier === intent.identifier),
			);
			const sent = both.filter((each) => reached.has(each));
			if (sent.length > 1) {
				yield violation(
					ONE_OF_DUPLICATES,
					`${family.name}: ${sent.map(name).join(' and ')} were sent`,
				);
			}
		}
	}
	for (const each of family.tries) {
		const isRefused =
			(each.isSpoiled && !family.isLoop) ||
			(isAsked && each.intents.some(({ leftOut }) => leftOut === 'refused'));
		if (isRefused && family.stopsOnError && acceptedIn(world, [each]).length > 0)
			yield violation(INVALID_SENDS_NOTHING, `${family.name}: ${each.id}`);
	}
	for (const each of ended(family)) yield* skippedNameTheFirst(world, family, each);
}

/** A skipped item names the message that was kept. */
function* skippedNameTheFirst(world: World, family: Family, each: Try): Violations {
	for (const { intent, item } of claimsOf(world, family, each)) {
		const reason = String(item.json.reason);
		if (item.json.skipped !== true || LEFT_OUT.test(reason)) continue;
		if (intent?.leftOut === 'refused')
			yield violation(DUPLICATE_IS_ERROR, JSON.stringify(item.json));
		const place = /The same recipient is also in (?:item|recipient) (\d+)\./.exec(reason)?.[1];
		const first = each.intents[Number(place) - 1];
		const wanted = each.intents.find(({ digits }) => digits === intent?.digits);
		if (intent && first === wanted && first !== intent) continue;
		const where = `${family.name}, execution ${each.id}: ${name(intent)}: ${reason}`;
		yield violation(SKIPPED_NAMES_THE_FIRST, where);
	}
}

const CAMPAIGN_COUNTS_RECIPIENTS =
	'an item per campaign counts the recipients whom the service has in that campaign';

/** An unknown recipient has an item of their own. */
export function* campaignsCountRecipients(world: World, family: Family): Violations {
	const intents = allIntents(family);
	for (const each of ended(family)) {
		const inDoubt = claimsOf(world, family, each)
			.filter(({ outcome }) => outcome === 'unknown')
			.map(({ intent }) => intent);
		const accepted = mayKnow(world, family, each);
		for (const item of itemsOf(world, { isLoop: true }, each).filter(isOfCampaign)) {
			const there = byIntent(messagesShown(item, accepted), intents);
			const count = [...new Set([...each.intents, ...testsIn(each)])].filter(
				(intent) => there.has(intent) && !inDoubt.includes(intent),
			).length;
			// With *Resend Unknown*, a recipient may be in two campaigns, and counts in one of them.
			const isResent = family.tries.some(({ mayResend }) => mayResend);
			const shown = item.json.recipients as number;
			if (isResent ? shown > 0 && shown <= count : shown === count) continue;
			yield violation(
				CAMPAIGN_COUNTS_RECIPIENTS,
				`${family.name}, execution ${each.id}: ${count} in ${JSON.stringify(item.json)}`,
			);
		}
	}
}

const IDENTIFIER_NAMES_ONE_REQUEST =
	'a generated identifier is in requests of one sender with the same recipients in the same order';

export function* identifiersNameRequests(world: World, families: Family[]): Violations {
	const owners = new Map<string, string>();
	const requests = Map.groupBy(
		world.service.attempts.filter(({ identifier }) => identifier !== undefined),
		({ request }) => request,
	);
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
			if (other === owner && identifier !== '') continue;
			yield violation(IDENTIFIER_NAMES_ONE_REQUEST, `${identifier} names ${other}, and ${owner}`);
		}
	}
}

const ONLY_THE_RECIPIENT = 'every message goes to the recipient that it was meant for';
const OWN_IDENTIFIER_LEAVES = 'a message carries the identifier that the user gave it';
const READ_AS_MEANT = 'each recipient reads the text that was meant for them';

export function* readAsMeant(world: World, family: Family): Violations {
	const intents = allIntents(family);
	for (const message of acceptedIn(world, family.tries)) {
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

const PAIRED_IN_ORDER = 'every input item has one output item, paired, in order';

export function* pairedInOrder(world: World, family: Family): Violations {
	const { isList, isLoop, isPerCampaign } = family;
	if (isLoop || (isList && isPerCampaign)) return;
	for (const each of ended(family)) {
		if (!isShownAsDone(world, family, each)) continue;
		const { runData } = world.n8n.shown(each.id).data.resultData;
		const outputs = (runData[NODE]?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
		const places = outputs.map((items) => items.map((item) => placesOf(item)[0]));
		const isInOrder = places.every((list) =>
			list.every((place, index) => index === 0 || list[index - 1] <= place),
		);
		const all = outputs
			.flat()
			.flatMap(placesOf)
			.sort((a, b) => a - b);
		const isOne = isList && all.length === 1 && isAboutAll(outputs.flat()[0]);
		const wanted = isOne ? [0] : each.intents.map((_, index) => (isList ? 0 : index));
		if (isInOrder && all.join() === wanted.join()) continue;
		const seen = `paired with ${JSON.stringify(places)}`;
		yield violation(PAIRED_IN_ORDER, `${family.name}, execution ${each.id}: ${seen}`);
	}
}

const NEXT_NODE_GETS_ACCEPTED = 'the next node gets as sent only what the service accepted';

export function* downstreamIsTrue(world: World, { name: where, tries }: Family): Violations {
	const ids = tries.filter(({ isDryRun }) => !isDryRun).map(({ id }) => `execution ${id}`);
	const accepted = acceptedIn(world, tries);
	for (const { execution, node, items } of world.n8n.outputs) {
		if (!ids.includes(execution)) continue;
		for (const item of items) {
			if (item.json.error || item.json.skipped === true) continue;
			if (messagesShown(item, accepted).length > 0) continue;
			const seen = `${execution}: ${node} was given ${JSON.stringify(item.json)}`;
			yield violation(NEXT_NODE_GETS_ACCEPTED, `${where}, ${seen}`);
		}
	}
}

const DRY_RUN_SENDS_NOTHING = 'a dry run sends nothing';
const DRY_RUN_SHOWS_THE_TEXT = 'the text of a dry run is what the recipient will read';

export function* dryRunIsTrue(world: World, family: Family): Violations {
	for (const each of family.tries) {
		if (!each.isDryRun || each.end !== 'ended') continue;
		const sent = acceptedIn(world, [each]).length;
		if (sent > 0)
			yield violation(DRY_RUN_SENDS_NOTHING, `${family.name}: the service accepted ${sent}`);
		for (const { json } of itemsOf(world, { isLoop: true }, each)) {
			const { dryRun, to, text } = json;
			if (dryRun !== true || !to || json.error || json.skipped) continue;
			if (typeof text !== 'string') continue;
			const texts = [...each.intents, ...testsIn(each)]
				.filter(({ digits }) => digits === digitsOf(to))
				.map((intent) => intent.text);
			if (texts.includes(undefined) || texts.includes(text)) continue;
			yield violation(DRY_RUN_SHOWS_THE_TEXT, `${family.name}: "${text}" for ${to}`);
		}
	}
}

const TEST_ONLY_TO_THE_TESTER = 'in a test, only My Number is sent to';
const TEST_SENDS_ONE = 'a test sends one message, and none in a Retry';
const TEST_HAS_OWN_IDENTIFIER = 'a test has an identifier that the user gave to no message';

export function* testsSendOneMessage(world: World, family: Family): Violations {
	const { accepted, attempts } = world.service;
	const users = allIntents(family).flatMap(({ identifier }) => identifier || []);
	for (const each of family.tries.filter(({ isTest }) => isTest)) {
		const where = `${family.name}, execution ${each.id}`;
		for (const message of [...accepted, ...attempts]) {
			if (senderOf(message) !== each.id) continue;
			const { digits, identifier = '' } = message;
			if (digits !== TEST_NUMBER) yield violation(TEST_ONLY_TO_THE_TESTER, `${where}: ${digits}`);
			if (users.includes(identifier))
				yield violation(TEST_HAS_OWN_IDENTIFIER, `${where}: ${identifier}`);
		}
		// docs/operations.md#mode: Retry On Fail may repeat a test.
		const most = each.retryOf ? 0 : family.isRetriedByN8n ? 3 : 1;
		const count = acceptedIn(world, [each]).length;
		if (count > most) yield violation(TEST_SENDS_ONE, `${where}: ${count}`);
	}
}

const ORDER_PER_RECIPIENT = 'two messages to one recipient leave in the order of the input';

export function* keptInOrder(world: World, family: Family): Violations {
	if (family.isRetriedByN8n) return;
	for (const each of family.tries) {
		const placeOf = (message: Accepted) => each.intents.indexOf(intentOf(message, each.intents)!);
		const sent = acceptedIn(world, [each]);
		for (const [index, message] of sent.entries()) {
			const overtaken = sent
				.slice(0, index)
				.find((other) => other.digits === message.digits && placeOf(other) > placeOf(message));
			if (!overtaken) continue;
			const seen = `request ${message.request} was for an earlier message than request ${overtaken.request}`;
			yield violation(ORDER_PER_RECIPIENT, `${family.name}, execution ${each.id}: ${seen}`);
		}
	}
}

/** The requests of an execution that send. */
const postsOf = ({ exchanges }: World, { id }: Try) =>
	exchanges.filter(({ owner, method }) => String(owner) === `execution ${id}` && method === 'POST');

const BATCH_SIZE_HOLDS = 'never more requests are in flight at once than Batch Size allows';

export function* neverTooManyAtOnce(
	world: World,
	{ tries }: Family,
	{ batchSize }: Settings,
): Violations {
	for (const each of tries) {
		const mine = postsOf(world, each);
		const inFlight = mine.map(
			({ startedAt }) =>
				mine.filter(
					(other) => other.startedAt <= startedAt && (other.endedAt ?? Infinity) > startedAt,
				).length,
		);
		const most = Math.max(0, ...inFlight);
		if (most > batchSize) yield violation(BATCH_SIZE_HOLDS, `execution ${each.id}: ${most}`);
	}
}

/** The precision of the service's `Date` header, in ms. */
const DATE_IS_EXACT_TO = 1000;

/** The longest `Retry-After` for which the node waits, in ms. A longer one ends the run. */
const LONGEST_RETRY_AFTER = 300_000;

/** Reads a `Retry-After` as RFC 9110, section 10.2.3, defines it, in ms. ISO 8601 is understood, too. */
function waitAskedFor(retryAfter: string | undefined, now: number): number {
	if (retryAfter === undefined || /^-|^[a-z]+$/i.test(retryAfter)) return 0;
	const isNumber = /^[\d.]+$/.test(retryAfter);
	const wait = isNumber ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
	if (wait > LONGEST_RETRY_AFTER) return Infinity;
	return isNumber ? wait : wait - DATE_IS_EXACT_TO;
}

const WAITS_AS_ASKED =
	'after a 429 all requests wait as asked, and after a 401 or 403 none follows';

export function* waitsAsAsked(world: World, family: Family): Violations {
	// The rounds of a loop and the tries of *Retry On Fail* do not know each other's answers.
	if (family.isLoop || family.isRetriedByN8n) return;
	for (const each of family.tries) {
		const mine = postsOf(world, each);
		for (const { answered, owner } of mine) {
			if (!answered || ![401, 403, 429].includes(answered.status)) continue;
			const { at, status, retryAfter, date } = answered;
			// A date counts from the service's `Date` header; without one, from n8n's clock.
			const now = date === undefined ? at + owner!.skew : Date.parse(date);
			const wait = status === 429 ? waitAskedFor(retryAfter, now) : Infinity;
			const early = mine.find(({ startedAt }) => startedAt > at && startedAt < at + wait);
			if (!early) continue;
			const after = `${early.startedAt - at} ms after a ${status} with Retry-After ${retryAfter}`;
			yield violation(WAITS_AS_ASKED, `execution ${each.id}: a request left ${after}`);
		}
	}
}

const CALM_SENDS_ALL = 'when nothing goes wrong, everything is sent';

export function* calmWorldSendsAll(world: World, family: Family, { isCalm }: Settings): Violations {
	const intents = allIntents(family);
	const isRefused = family.stopsOnError && intents.some(({ leftOut }) => leftOut === 'refused');
	if (!isCalm || isRefused) return;
	const sent = byIntent(acceptedIn(world, family.tries), intents);
	if (family.tries.every(({ isTest }) => isTest)) {
		if (![...sent.keys()].some((intent) => intent?.testOf))
			yield violation(CALM_SENDS_ALL, `${family.name}: no test`);
		return;
	}
	for (const intent of meantFor(family)) {
		if (!sent.has(intent) && !intent.leftOut)
			yield violation(CALM_SENDS_ALL, `${family.name}: ${name(intent)}`);
	}
}

/** The checks of an execution that sends, with its retries. */
const CHECKS = [
	neverTwice,
	readAsMeant,
	reportedAsItIs,
	shownIsWhatTheServiceHas,
	identifiersAreThoseThatLeft,
	duplicatesAsAsked,
	campaignsCountRecipients,
	pairedInOrder,
	downstreamIsTrue,
	dryRunIsTrue,
	testsSendOneMessage,
	keptInOrder,
	neverTooManyAtOnce,
	waitsAsAsked,
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
