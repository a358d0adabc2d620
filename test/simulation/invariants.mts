import {
	keyIsNowhere,
	nothingAfterCancelling,
	nothingWaitsTooLong,
} from './everywhereInvariants.mts';
import * as polling from './pollingInvariants.mts';
import { reportIsTrue, type Waiting } from './reportInvariants.mts';
import * as sending from './sendingInvariants.mts';
import * as trigger from './triggerInvariants.mts';
import { answersCount, type Played as Waited } from './waitingInvariants.mts';
import type { Violation, World } from './world.mts';

/*
 * Everything that must hold in the worlds of the simulation: the promises of the README, each with the function that
 * checks it. A violation names the promise by the short name on the left; the sentence on the right is what the README
 * promises. Exceptions stand in the checks, each beside a quotation from the README.
 */

/** A check, and the promises that it checks: short name → sentence. */
interface Checked<Played extends unknown[]> {
	check: (world: World, ...played: Played) => Violation[];
	promises: Readonly<Record<string, string>>;
}

/** Promises that hold in every world. */
const EVERYWHERE: ReadonlyArray<Checked<[]>> = [
	{
		check: nothingWaitsTooLong,
		promises: {
			'nothing waits longer than its limit':
				'Timeout limits a whole request, from its start to the last byte of its answer. No execution runs for ever.',
		},
	},
	{
		check: nothingAfterCancelling,
		promises: {
			'nothing leaves after cancelling': 'A cancelled execution sends no further message.',
		},
	},
	{
		check: keyIsNowhere,
		promises: {
			'the key is nowhere':
				'The API key is in no error, no log line, no address, no message, no output, and in nothing that n8n saves.',
		},
	},
];

/** Promises about an execution that sends, and its retries. */
const SENDING: ReadonlyArray<Checked<[sending.Family, sending.Settings]>> = [
	{
		check: sending.neverTwice,
		promises: {
			'no message is sent twice':
				'The service accepts no message twice, unless Resend Unknown allowed it.',
		},
	},
	{
		check: sending.readAsMeant,
		promises: {
			'nobody else is sent to': 'Every message goes to the recipient that it was meant for.',
			'a message carries its identifier':
				'A message leaves with the identifier that the user gave it.',
			'the recipient reads what was meant':
				'Each recipient reads the text that was meant for them, with the right values in the right places.',
		},
	},
	{
		check: sending.reportedAsItIs,
		promises: {
			'reported as accepted ⊆ accepted by the service':
				'Whoever is reported as accepted was accepted by the service.',
			'no accepted message is reported as rejected or not sent':
				'Whoever was accepted by the service is reported as accepted or unknown, never as rejected or not sent.',
			'what an error counts is what happened':
				'An error that ends an execution counts as accepted or unknown all whom the service accepted, and nobody else as accepted.',
			'an error without counts means that nothing was accepted':
				'An error that counts nobody means that the service accepted nobody.',
			'every recipient is accounted for':
				'A successful execution outputs something about every recipient.',
		},
	},
	{
		check: sending.shownIsWhatTheServiceHas,
		promises: {
			'the ids in an output are those of the service':
				'The campaign id, the message id and the identifier in an output are those of that message in the service.',
		},
	},
	{
		check: sending.identifiersAreThoseThatLeft,
		promises: {
			'the identifier of a message that may have been sent is the one that left':
				'The identifier of an unknown message can be looked up: it is the one that the request carried.',
			'after a crash, whoever is in the logs is reported as accepted':
				'The retry of a crashed campaign reports as accepted everyone whom the logs know under its identifiers.',
		},
	},
	{
		check: sending.duplicatesAsAsked,
		promises: {
			'of duplicates, one is sent':
				'On Duplicate Recipient can skip or refuse a second message to the same number: only the first one is sent.',
			'with one invalid recipient, nothing is sent':
				'When one recipient is invalid, nothing is sent, unless On Error is set to continue.',
			'a duplicate is an error if the option says so':
				'With On Duplicate Recipient set to error, no duplicate is output as skipped.',
			'a skipped duplicate says what happened to the first':
				'The output of a skipped message names the message that was kept, and says what happened to it.',
		},
	},
	{
		check: sending.campaignsCountRecipients,
		promises: {
			'an item per campaign counts its recipients':
				'With one item per campaign, the item counts the recipients whom the service has in that campaign.',
		},
	},
	{
		check: sending.pairedInOrder,
		promises: {
			'every input item has one output item, paired, in order':
				'Every input item has exactly one output item, paired with it, in the order of the input.',
		},
	},
	{
		check: sending.downstreamIsTrue,
		promises: {
			'the next node gets as sent only what was accepted':
				'The next node gets an item as sent only if the service accepted its message.',
		},
	},
	{
		check: sending.dryRunIsTrue,
		promises: {
			'a dry run sends nothing': 'Dry Run sends nothing.',
			'the text of a dry run is what the recipient will read':
				'The text that Dry Run shows is the text that the recipient will read.',
		},
	},
	{
		check: sending.testsSendOneMessage,
		promises: {
			'with Test Recipient, nobody else is sent to':
				'With Test Recipient, no other number is sent to.',
			'a test sends one message': 'With Test Recipient, a run of the node sends one message.',
			'a test has an identifier of its own':
				'A test has an identifier of its own, never one that the user gave to a message.',
		},
	},
	{
		check: sending.keptInOrder,
		promises: {
			'two messages to one recipient keep their order':
				'Two messages to the same recipient leave in the order of the input.',
		},
	},
	{
		check: sending.neverTooManyAtOnce,
		promises: {
			'never more than Batch Size requests at once':
				'Never more requests are in flight at once than Batch Size allows.',
		},
	},
	{
		check: sending.waitsAsAsked,
		promises: {
			'no request leaves earlier than the service allows':
				'After a 429, all requests wait as long as Retry-After says. After a 401 or 403, none follows.',
		},
	},
	{
		check: sending.calmWorldSendsAll,
		promises: {
			'when nothing goes wrong, everything is sent':
				'When nothing goes wrong, the service accepts every message.',
		},
	},
];

/** Promises about all executions of a workflow together. */
const IDENTIFIERS: ReadonlyArray<Checked<[sending.Family[]]>> = [
	{
		check: sending.identifiersStay,
		promises: {
			'a message keeps its identifier':
				'A generated identifier is the same in every attempt to send that message.',
			'a generated identifier is unique': 'No two messages have the same generated identifier.',
		},
	},
];

/** Promises about executing single nodes in the editor. */
const EDITOR: ReadonlyArray<Checked<[sending.EditorStep[], sending.Settings]>> = [
	{
		check: sending.stepsRunWhatTheyMust,
		promises: {
			'executing a later node sends again only after a change or a failure':
				'Executing a later node in the editor sends again only if the Messaging node was changed or failed, and its output is not pinned.',
		},
	},
];

/** Promises about the Messaging Trigger. */
const TRIGGER: ReadonlyArray<Checked<[trigger.Played]>> = [
	{
		check: trigger.startedOnce,
		promises: {
			'an event starts an execution once':
				'The same event starts one execution, however often it is delivered: within a process always, and across a restart once it was answered with Accepted.',
		},
	},
	{
		check: trigger.nothingLost,
		promises: {
			'an event answered with Accepted has started an execution':
				'Accepted means that n8n has stored the execution.',
			'no event is lost':
				'Duplicate is the answer only to an event that has started an execution before.',
		},
	},
	{
		check: trigger.nothingThatWasNotTold,
		promises: {
			'only a delivered event starts an execution':
				'Only an event that was delivered, and that the workflow wants, starts an execution. The status of one message completes no campaign.',
		},
	},
	{
		check: trigger.onlyWhatIsConfirmed,
		promises: {
			'a completion starts an execution only if the logs know its campaign':
				'With Confirm, a completion starts an execution only if the logs know its campaign.',
		},
	},
	{
		check: trigger.askedOnceMore,
		promises: {
			'an unknown campaign is looked up once more':
				'A completion that the logs do not know is looked up once more, some seconds later.',
		},
	},
	{
		check: trigger.answeredInTime,
		promises: {
			'every call is answered in time':
				'Every call is answered within 15 seconds, or, in a burst, when its turn comes.',
			'every answer is a documented one': 'Every answer is one of those that the README lists.',
		},
	},
	{
		check: trigger.reportsAreTrue,
		promises: {
			'a report says what the service has':
				'A report that a completion starts with counts what the logs have.',
		},
	},
];

/** Promises about the Messaging Log Trigger. */
const POLLING: ReadonlyArray<Checked<[polling.Played]>> = [
	{
		check: polling.reportsEachChange,
		promises: {
			'the log trigger reports each change exactly once':
				'Each change that the log showed between two polls is reported exactly once.',
		},
	},
	{
		check: polling.startsExecutions,
		promises: {
			'the changes that a poll finds start the workflow':
				'The changes that a poll finds start an execution.',
		},
	},
	{
		check: polling.endsInTime,
		promises: {
			'a poll ends after two minutes at the latest': 'A poll ends after two minutes at the latest.',
		},
	},
	{
		check: polling.seesAll,
		promises: {
			'the log trigger keeps polling': 'The log trigger keeps polling, whatever went wrong before.',
			'the log trigger reports each change exactly once':
				'Once the service works again, a poll reads every record that the log has.',
		},
	},
];

/** Promises about Get Report. */
const REPORTS: ReadonlyArray<
	Checked<[id: string, nodes: { send: string; report: string; wait?: Waiting }]>
> = [
	{
		check: reportIsTrue,
		promises: {
			'a report fails only if the logs cannot be read':
				'A report fails only if the logs cannot be read.',
			'a report is about its campaign only': 'A report counts records of its own campaign only.',
			'a report says what the service has':
				'The records, counts and statuses of a report are those that the logs had while it read them.',
			'a campaign has one summary': 'Each campaign has one summary.',
			'the numbers of a summary agree': 'The numbers of a summary agree with each other.',
			'missing counts the recipients without a record':
				'Missing counts the recipients without a record in the logs.',
			'a complete report is not marked as incomplete':
				'A report is marked as incomplete only if records may be missing.',
			'a report that waits says whether the campaign is complete':
				'A report with Wait for Completion says whether the campaign is complete.',
			'a report is complete only when every message has ended':
				'A report says that its campaign is complete only when no message was in progress or missing.',
			'a report waits until the campaign is complete or the time is up':
				'A report with Wait for Completion ends when the campaign is complete or the time is up.',
			'a campaign that has ended is complete':
				'A report with Wait for Completion says of a campaign that has ended that it is complete.',
			'each record counts once': 'No record is counted twice.',
			'each recipient is paired with its own item':
				'Each recipient in a report is paired with the item that sent to it.',
			'each recipient is in the report once':
				'Each recipient whom the campaign was sent to is in the report once.',
		},
	},
];

/** Promises about Send and Wait. */
const WAITING: ReadonlyArray<Checked<[Waited]>> = [
	{
		check: answersCount,
		promises: {
			'each question is sent once': 'Each question is sent once.',
			'a question has one answer': 'The workflow continues once after a question.',
			'only the answer that counts is confirmed':
				'Only the first answer counts, and only the first answer is confirmed.',
			'the output says whether somebody answered':
				'The output says whether somebody answered in time.',
			'the answer is the button that was pressed':
				'The answer in the output is the button that somebody pressed, or the text that somebody entered.',
			'only a complete form is confirmed':
				'A form is confirmed only if each required field is filled in.',
			'the output has what was entered': 'The output has what somebody entered in each field.',
			'only an answer in time is confirmed': 'An answer is confirmed only before the limit.',
			'a confirmed answer continues the workflow': 'A confirmed answer continues the workflow.',
			'an answer in time counts': 'The first answer before the limit is accepted.',
			'a wait ends with its limit': 'When the limit is over, the workflow continues.',
		},
	},
];

/**
 * Checks some promises.
 *
 * @throws when a check reports a promise that is not in its list
 */
function broken<Played extends unknown[]>(
	list: ReadonlyArray<Checked<Played>>,
	world: World,
	...played: Played
): Violation[] {
	return list.flatMap(({ check, promises }) => {
		const violations = check(world, ...played);
		for (const { promise } of violations) {
			if (!Object.hasOwn(promises, promise)) {
				throw new Error(`invariants.mts does not list the promise "${promise}".`);
			}
		}
		return violations;
	});
}

export const brokenEverywhere = (world: World) => broken(EVERYWHERE, world);

export const brokenInSending = (
	world: World,
	families: sending.Family[],
	steps: sending.EditorStep[],
	settings: sending.Settings,
) => [
	...families.flatMap((family) => broken(SENDING, world, family, settings)),
	...broken(IDENTIFIERS, world, families),
	...broken(EDITOR, world, steps, settings),
];

export const brokenInTrigger = (world: World, played: trigger.Played) =>
	broken(TRIGGER, world, played);

export const brokenInPolling = (world: World, played: polling.Played) =>
	broken(POLLING, world, played);

export const brokenInReport = (
	world: World,
	id: string,
	nodes: { send: string; report: string; wait?: Waiting },
) => broken(REPORTS, world, id, nodes);

export const brokenInWaiting = (world: World, played: Waited) => broken(WAITING, world, played);
