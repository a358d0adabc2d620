import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isAgentsCall } from '../n8n/execution';
import { unlessCancelled } from '../n8n/cancellation';
import { errorAsFailedItems } from '../n8n/failedItems';
import { asNodeError, sentenceOf } from '../n8n/nodeErrors';
import { showHint } from '../n8n/executionHints';
import type { Service } from '../service/service';
import { tallyOf, type Tally } from './tally';
import { CodeNeeded } from './codeNeeded';
import { noteRefusal } from './crashNote';
import { Delivery } from './delivery';
import { runDry } from './dryRun';
import { asInterruption, asNothingSent, interruption, withEarlierAttempt } from './errors';
import { ANOTHER_CAMPAIGN, resultHint, serviceSaid } from './hints';
import { Journal } from './journal';
import { noteRepeats } from './otherRuns';
import { failedRunItems, outputItems } from './output';
import { makePlan, type Plan } from './plan';
import { failed, isFailed, type Result } from './results';
import type { SendOperation } from './sendOperation';
import { runTest } from './testRun';

/**
 * Runs a sending operation: check everything, then send. Everything that is special to one operation is in its
 * {@link SendOperation}.
 *
 * @returns the node's outputs: an item per recipient, or as the option `output` says
 * @throws NodeOperationError or NodeApiError when something failed, unless Continue On Fail is set
 */
export async function runSend<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
): Promise<INodeExecutionData[][]> {
	let outcome: 'notSent' | 'unknown' = 'notSent';
	const work = async () => {
		const journal = new Journal(context);
		// If this attempt fails, an earlier one may still have sent something.
		if (journal.mayHaveSent) outcome = 'unknown';
		const continueOnFail = context.continueOnFail();
		const plan = await makePlan(context, operation, journal, { continueOnFail }).catch(
			async (error) => await refuse(context, journal, error),
		);
		if (!plan) return [];
		if (plan.options.mode === 'dryRun') return await runDry(plan, journal);
		if (plan.options.mode === 'test') return await runTest(plan);
		if (plan.toSend.length > 0) outcome = 'unknown';
		const sent = carryOut(plan, journal).then((tally) => outputOf(plan, journal, tally));
		return await sent.catch((error) => {
			throw asInterruption(context, error, journal);
		});
	};
	return await errorAsFailedItems(
		context,
		work(),
		async (why) => await failedRunItems(context, outcome, why),
	);
}

/** Ends a run that sends nothing. @throws why, unless it is only shown */
async function refuse(context: IExecuteFunctions, journal: Journal, error: unknown) {
	const why = asNothingSent(context, error, journal);
	if (!context.continueOnFail()) throw why;
	if (error instanceof CodeNeeded && !isAgentsCall(context) && !journal.hasSent) {
		// No items: no branch may take these people for some who cannot be reached. An agent would see nothing.
		showHint(context, `${why.message} ${why.description}`);
		return undefined;
	}
	const isSend = context.getNodeParameter('sendMode', 0, 'send') === 'send';
	if (isSend) await noteRefusal(context, journal);
	throw why;
}

/**
 * Sends one message like {@link runSend}, but returns its result instead of items.
 *
 * @throws what {@link makePlan} throws, if nothing was sent
 */
export async function runSendForResult<Payload>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload>,
	service: Service,
): Promise<Result> {
	const journal = new Journal(context);
	try {
		const plan = await makePlan(context, operation, journal, { continueOnFail: true, service });
		const [result] = (await carryOut(plan, journal)).results;
		if (!isFailed(result)) journal.forget();
		return result;
	} catch (error) {
		if (!journal.mayHaveSent) throw asNodeError(context.getNode(), error);
		const message = withEarlierAttempt(sentenceOf(error), journal);
		return failed({ item: 0 }, { outcome: 'unknown', message });
	}
}

/** What became of everybody, and what the service said of it. */
type SendTally = Tally & { said?: string };

/** Sends what no earlier attempt has sent. @returns what became of everybody */
async function carryOut<Payload>(plan: Plan<Payload>, journal: Journal): Promise<SendTally> {
	const delivery = new Delivery(plan, journal);
	await unlessCancelled(plan.signal, delivery.run());
	const tally = await tallyOf(await delivery.results(), plan.signal);
	const settled = plan.settle?.(tally.results);
	if (!plan.signal?.aborted) await settled;
	const repeats = noteRepeats(journal, tally.going);
	if (repeats) showHint(plan.context, repeats);
	return { ...tally, said: delivery.said };
}

/** Returns the output of a run, or throws if a message failed, unless Continue On Fail is set. */
async function outputOf<Payload>(
	plan: Plan<Payload>,
	journal: Journal,
	tally: SendTally,
): Promise<INodeExecutionData[]> {
	const { context, operation } = plan;
	const hasFailed = tally.failures.length > 0;
	// A cancelled run throws, too: n8n would take its output for a success, and continue after this node.
	if (hasFailed && !plan.continueOnFail) throw interruption({ context, journal, tally });
	if (!context.isToolExecution?.()) {
		const hint = await resultHint(plan, tally);
		if (hint) showHint(context, hint, hasFailed ? 'warning' : 'info');
		const isCampaign = operation.summary && tally.going.length > 0;
		if (isCampaign && journal.identity.isLaterRound) showHint(context, ANOTHER_CAMPAIGN);
	}
	// Behind what was accepted and what to do, which matter more.
	if (tally.said !== undefined) showHint(context, serviceSaid(tally.said), 'info');
	const items = await outputItems(plan, tally);
	// Last, because n8n may save the execution in every pause before. With *Retry On Fail* n8n runs a node again if its first
	// item has a field `error`, even after a success.
	if (!hasFailed && !context.getNode().retryOnFail) journal.forget();
	return items;
}
