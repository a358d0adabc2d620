import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { unlessCancelled } from '../n8n/cancellation';
import { asNodeError, sentenceOf } from '../n8n/nodeErrors';
import { type FailureDetails, errorAsFailedItems } from '../n8n/failedItems';
import { showHint } from '../n8n/executionHints';
import type { Service } from '../service/service';
import { Delivery } from './delivery';
import { dryRun } from './dryRun';
import { asNothingSent, countResults, interruption, withEarlierAttempt } from './errors';
import { acceptedHint, ANOTHER_CAMPAIGN } from './hints';
import { Journal } from './journal';
import { noteRepeats } from './otherRuns';
import { outputItems } from './output';
import { makePlan, type Plan } from './plan';
import { namesOf } from './recipients';
import { failed, isFailed, mayHaveArrived, type Result } from './results';
import type { SendOperation } from './sendOperation';
import { sendTest } from './testRun';

/**
 * Runs a sending operation: check everything, then send. Everything that is special to one operation is in its
 * {@link SendOperation}.
 *
 * @returns the node's outputs: an item per recipient, or as the option `output` says
 * @throws NodeOperationError or NodeApiError when something failed, unless Continue On Fail is set
 */
export async function send<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
): Promise<INodeExecutionData[][]> {
	const details: FailureDetails = { outcome: 'notSent' };
	const work = async () => {
		const journal = new Journal(context);
		// If this attempt fails, an earlier one may still have sent something.
		if (journal.mayHaveSent) details.outcome = 'unknown';
		const continueOnFail = context.continueOnFail();
		const plan = await makePlan(context, operation, journal, { continueOnFail }).catch((error) => {
			throw asNothingSent(context, error, journal);
		});
		if (plan.options.mode === 'dryRun') return await dryRun(plan, journal);
		if (plan.options.mode === 'test') return await sendTest(plan);
		const results = await carryOut(plan, journal);
		return await outputOf(plan, journal, results);
	};
	return await errorAsFailedItems(context, details, work, () => namesOf(context));
}

/**
 * Sends one message like {@link send}, but returns its result instead of items.
 *
 * @throws what {@link makePlan} throws, if nothing was sent
 */
export async function sendForResult<Payload>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload>,
	service: Service,
): Promise<Result> {
	const journal = new Journal(context);
	try {
		const plan = await makePlan(context, operation, journal, { continueOnFail: true, service });
		const [result] = await carryOut(plan, journal);
		if (!isFailed(result)) journal.forget();
		return result;
	} catch (error) {
		if (!journal.mayHaveSent) throw asNodeError(context.getNode(), error);
		const message = withEarlierAttempt(sentenceOf(error), journal);
		return failed({ item: 0 }, { outcome: 'unknown', message });
	}
}

/** Sends what no earlier attempt has sent. @returns a result for each recipient, by item */
async function carryOut<Payload>(plan: Plan<Payload>, journal: Journal): Promise<Result[]> {
	const delivery = new Delivery(plan, journal);
	await unlessCancelled(plan.signal, delivery.run());
	const results = delivery.results();
	const ended = plan.sameSend?.end(results);
	// n8n saves a cancelled execution within milliseconds.
	if (!plan.signal?.aborted) await ended;
	const accepted = results.flatMap((each) => (each.outcome === 'accepted' ? [each.message] : []));
	const repeats = noteRepeats(journal, accepted);
	if (repeats) showHint(plan.context, repeats);
	return results;
}

/** Returns the output of a run, or throws if a message failed, unless Continue On Fail is set. */
async function outputOf<Payload>(
	plan: Plan<Payload>,
	journal: Journal,
	results: Result[],
): Promise<INodeExecutionData[]> {
	const { context, continueOnFail } = plan;
	const hasFailed = results.some(isFailed);
	// A cancelled run throws, too: n8n would take its output for a success, and continue after this node.
	if (hasFailed && !continueOnFail) throw interruption({ context, journal, results });
	if (!context.isToolExecution?.()) showHints(plan, journal, results);
	const items = await outputItems(plan, results);
	// Last, because n8n may save the execution in every pause before. With *Retry On Fail* n8n runs a node again if its first
	// item has a field `error`, even after a success.
	if (!hasFailed && !context.getNode().retryOnFail) journal.forget();
	return items;
}

function showHints<Payload>(plan: Plan<Payload>, journal: Journal, results: Result[]) {
	const { context, operation, sameSend } = plan;
	const hasFailed = results.some(isFailed);
	const said = hasFailed
		? `${countResults(results)}. The failed items say why.`
		: acceptedHint(plan, results);
	const again = sameSend
		? ' While you build the next nodes, pin this output. Remove the pin before the next campaign.'
		: ` Executing again sends ${results.length > 1 ? 'to all' : 'it'} again.`;
	const more = results.some(mayHaveArrived) ? again : '';
	if (said) showHint(context, said + more, hasFailed ? 'warning' : 'info');
	if (operation.summary && journal.isLaterRound) showHint(context, ANOTHER_CAMPAIGN);
}
