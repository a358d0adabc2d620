import * as everywhere from './everywhereInvariants.mts';
import * as polling from './pollingInvariants.mts';
import { reportIsTrue, type Waiting } from './reportInvariants.mts';
import * as sending from './sendingInvariants.mts';
import * as trigger from './triggerInvariants.mts';
import { answersCount, type Played as Waited } from './waitingInvariants.mts';
import type { Violation, World } from './world.mts';

/*
 * Everything that must hold in the worlds of the simulation. Each check stands beside the promises that it checks; an
 * exception names the heading in docs/ that tells users of it.
 */

export const brokenEverywhere = (world: World): Violation[] => [
	...everywhere.nothingWaitsTooLong(world),
	...everywhere.nothingAfterCancelling(world),
	...everywhere.keyIsNowhere(world),
];

/** The checks of an execution that sends, with its retries. */
const SENDING = [
	sending.neverTwice,
	sending.readAsMeant,
	sending.reportedAsItIs,
	sending.shownIsWhatTheServiceHas,
	sending.identifiersAreThoseThatLeft,
	sending.duplicatesAsAsked,
	sending.campaignsCountRecipients,
	sending.pairedInOrder,
	sending.downstreamIsTrue,
	sending.dryRunIsTrue,
	sending.testsSendOneMessage,
	sending.keptInOrder,
	sending.neverTooManyAtOnce,
	sending.waitsAsAsked,
	sending.calmWorldSendsAll,
];

export const brokenInSending = (
	world: World,
	families: sending.Family[],
	steps: sending.EditorStep[],
	settings: sending.Settings,
): Violation[] => [
	...families.flatMap((family) => SENDING.flatMap((check) => check(world, family, settings))),
	...sending.identifiersNameRequests(world, families),
	...sending.stepsRunWhatTheyMust(world, steps, settings),
];

export const brokenInTrigger = (world: World, played: trigger.Played): Violation[] => [
	...trigger.startedOnce(world, played),
	...trigger.nothingLost(world, played),
	...trigger.nothingThatWasNotTold(world, played),
	...trigger.onlyWhatIsConfirmed(world, played),
	...trigger.askedOnceMore(world, played),
	...trigger.answeredInTime(world, played),
];

export const brokenInPolling = (world: World, played: polling.Played): Violation[] => [
	...polling.reportsEachChange(world, played),
	...polling.startsExecutions(world, played),
	...polling.endsInTime(world, played),
	...polling.seesAll(world, played),
];

export const brokenInReport = (
	world: World,
	id: string,
	nodes: { send: string; report: string; wait?: Waiting },
): Violation[] => reportIsTrue(world, id, nodes);

export const brokenInWaiting = (world: World, played: Waited): Violation[] =>
	answersCount(world, played);
