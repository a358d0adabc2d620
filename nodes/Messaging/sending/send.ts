import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { connect } from '../host/connect';
import { orFailedItems } from '../host/orFailedItems';
import { Gate } from '../service/gate';
import { makeBatches } from './batches';
import { check } from './check';
import { deliver } from './deliver';
import { dryRun } from './dryRun';
import { Memory } from './memory';
import type { SendingOperation } from './operation';
import { readOptions } from './options';
import { recipientsOf } from './recipients';
import { interruption, recipientItems, refusal, requestItems } from './report';
import { resolve } from './resolve';
import { Requests } from './requests';
import { refusedBeforehand, skipped, type Result } from './results';

/**
 * Runs a sending operation: resolve → check → send → record → report. Knows no operation; what makes
 * them different is in {@link SendingOperation}.
 */
export const sending =
	<Payload>(operation: SendingOperation<Payload>) =>
	async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> =>
		await orFailedItems(context, { outcome: 'notSent' }, async () => await run(context, operation));

async function run<Payload>(
	context: IExecuteFunctions,
	operation: SendingOperation<Payload>,
): Promise<INodeExecutionData[]> {
	const options = readOptions(context.getNodeParameter('options', 0, {}));
	const service = await connect(context);
	const recipients = recipientsOf(context, operation.takesList);
	const memory = new Memory(context);
	const compose = await operation.prepare({ context, service, options });
	const place = (position: number) =>
		recipients[position].entry ? `recipient ${position + 1}` : `item ${position + 1}`;

	const resolved = await resolve(
		recipients,
		compose,
		options,
		operation.hasIdentifier ? memory.identifier : undefined,
	);
	if (resolved.runError) throw resolved.runError;
	const checked = check(resolved.messages, options, place);
	const problems = [...resolved.problems, ...checked.problems].sort(
		(a, b) => a.position - b.position,
	);
	const goOn = context.continueOnFail();
	if (problems.length > 0 && !goOn) {
		throw refusal(context.getNode(), problems, recipients.length, place);
	}

	const results = new Array<Result>(recipients.length);
	for (const problem of problems) results[problem.position] = refusedBeforehand(problem);
	for (const left of checked.skipped) results[left.message.position] = skipped(left);

	const perRequest = operation.perRequest(options);
	if (options.dryRun) {
		return dryRun(operation, makeBatches(checked.messages, perRequest), results);
	}

	const signal = context.getExecutionCancelSignal?.();
	const gate = new Gate(signal);
	const requests = new Requests(operation, service, memory, options, results, gate, signal, !goOn);
	const toSend = await requests.recallEarlierTry(checked.messages);
	await deliver(makeBatches(toSend, perRequest), options, gate, signal, requests.sendOne);

	const complete = results.every(({ fate }) => fate !== 'failed');
	if (complete) memory.forget();
	// A cancelled execution is no failure: n8n drops what comes out, and keeps what is remembered.
	else if (!goOn && !signal?.aborted) throw interruption(context.getNode(), results, place);
	const { summary } = operation;
	return options.output === 'campaign' && summary
		? requestItems(results, (accepted) =>
				summary(
					accepted.map(({ message }) => message),
					accepted[0].kept,
				),
			)
		: recipientItems(results);
}
