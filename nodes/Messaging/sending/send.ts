import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { unlessCancelled } from '../n8n/cancellation';
import { asNodeError, sentenceOf } from '../n8n/errors';
import { type FailureDetails, errorAsFailedItems } from '../n8n/failedItems';
import { showHint } from '../n8n/hints';
import type { Service } from '../service/service';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import { countResults, interruption } from './errors';
import { Journal } from './journal';
import { prepare } from './prepare';
import { namesOf } from './recipients';
import { Requests, requestsOf } from './requests';
import { acceptedHint, failed, isFailed, outputItems, type Result } from './results';
import type { Run, SendOperation } from './sendOperation';
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
		const run = await prepare(context, operation, { journal, continueOnFail });
		if (run.options.mode === 'dryRun') return await dryRun(run);
		if (run.options.mode === 'test') return await sendTest(run);
		await deliverAll(run);
		return await outputOf(run);
	};
	const recipients = () => namesOf(context, operation.takesList);
	return await errorAsFailedItems(context, details, work, recipients);
}

/** Sends one message like {@link send}, but returns its result instead of items. */
export async function sendForResults<Payload>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload>,
	service: Service,
): Promise<Result[]> {
	const journal = new Journal(context);
	try {
		const run = await prepare(context, operation, { journal, continueOnFail: true, service });
		await deliverAll(run);
		if (!run.results.some(isFailed)) journal.forget();
		return run.results;
	} catch (error) {
		if (!journal.mayHaveSent) throw asNodeError(context.getNode(), error);
		return [failed({ item: 0 }, { outcome: 'unknown', message: sentenceOf(error) })];
	}
}

/** Sends what no earlier attempt has sent: afterwards every recipient has a result. */
async function deliverAll<Payload>(run: Run<Payload>): Promise<void> {
	const { signal, crashNote } = run;
	const requests = new Requests(run);
	const work = async () => {
		try {
			const all = await requestsOf(run, await requests.takeOver());
			await deliver(all, run, async (request) => await requests.send(request));
		} finally {
			crashNote?.end();
		}
	};
	await unlessCancelled(signal, work());
	if (signal?.aborted) requests.cancel();
}

/** Returns the output of a run, or throws if a message failed, unless Continue On Fail is set. */
async function outputOf<Payload>(run: Run<Payload>): Promise<INodeExecutionData[]> {
	const { context, journal, continueOnFail, results } = run;
	const hasFailed = results.some(isFailed);
	// A cancelled run throws, too: n8n would take its output for a success, and continue after this node.
	if (hasFailed && !continueOnFail) throw interruption(run);
	const said = hasFailed
		? `${countResults(results)}. The failed items say why.`
		: acceptedHint(run);
	const type = hasFailed ? 'warning' : 'info';
	if (said && !context.isToolExecution?.())
		showHint(context, `${said} Executing again sends to all again.`, type);
	const items = await outputItems(run);
	// Last, because n8n may save the execution in every pause before. With *Retry On Fail* n8n runs a node again if its first
	// item has a field `error`, even after a success.
	if (!hasFailed && !context.getNode().retryOnFail) journal.forget();
	return items;
}
