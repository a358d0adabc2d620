import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { isAgentsCall } from '../n8n/execution';
import { cancelSignal, unlessCancelled } from '../n8n/cancellation';
import { connect } from '../n8n/connect';
import { showHint } from '../n8n/executionHints';
import type { Service } from '../service/service';
import { formatNumber } from '../utils/text';
import { tallyOf } from './tally';
import { check, type Checked } from './check';
import { askForCode } from './askForCode';
import { beginToSend, CANNOT_SEE, noteRefusal } from './crashNote';
import { badRowsError } from './errors';
import type { EarlierRequest, Journal } from './journal';
import type { Message } from './message';
import { noteSender } from './otherRuns';
import { optionsOf } from './options';
import { readMessages } from './readMessages';
import { makeRequests } from './requests';
import { asPossiblySent, isFailed, type Result } from './results';
import type { RunSetup, SendOperation } from './sendOperation';

/** What a run is going to do. It is complete when it is made: nothing is written into it. */
export type Plan<Payload = unknown> = Readonly<
	RunSetup &
		Checked & {
			operation: SendOperation<Payload>;
			/** A failed message does not stop the others. */
			continueOnFail: boolean;
			signal?: AbortSignal;
			/** By item: one for each recipient. */
			messages: readonly Message[];
			/** What an earlier attempt sent, or may have sent: it is not sent again. */
			earlier: readonly EarlierRequest[];
			/** To be told what has become of the messages: askForCode.ts takes back what it noted of those who got none. */
			settle?: (results: readonly Result[]) => Promise<void>;
		}
>;

/** What the caller knows; the service if it is connected already. */
type Given = { continueOnFail: boolean; service?: Service };

const CUT_OFF =
	'An earlier attempt of this execution was cut off while it was sending, or was retried before, so the node cannot know which messages were sent. If this execution has a later Retry, the newest one knows most.';

const NOT_IN_A_RETRY =
	"A retry only sends the rest: set 'Mode' to 'Send', save, then retry. For a test or a dry run, execute instead.";

const NO_CALL_IN_A_RETRY =
	"This is a retry, and the node cannot know what the agent's calls of an earlier attempt have sent. Do not call this tool again. Execute the workflow again only for those who got no message.";

const NO_TRIES_OF_A_CALL =
	"As a tool, this node cannot be used with 'Retry On Fail': n8n would send again what may have arrived. Switch it off in this tool's settings. The node itself sends again what was certainly not sent.";

/**
 * Does everything that comes before the first request: reads and checks all, and looks for what earlier attempts sent. Here
 * an error or a cancellation concerns the whole run.
 *
 * @throws NodeOperationError naming every bad recipient, unless `continueOnFail`
 * @throws UserError when nothing may be sent
 */
export async function makePlan<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	journal: Journal,
	given: Given,
): Promise<Plan<Payload>> {
	const signal = cancelSignal(context);
	const work = async () => {
		const plan = {
			...(await readAndCheck(context, operation, journal, { ...given, signal })),
			signal,
		};
		return plan.options.mode === 'send' ? await beginPlan(plan, journal) : plan;
	};
	const plan = await unlessCancelled(signal, work()).finally(() => {
		// The nodes behind this one must not deny what an earlier attempt may have sent.
		if (journal.mayHaveSent) noteSender(context);
	});
	if (plan) return plan;
	throw new UserError('The execution was cancelled.');
}

/** Reads and checks all. */
async function readAndCheck<Payload, Prepared>(
	context: IExecuteFunctions,
	operation: SendOperation<Payload, Prepared>,
	journal: Journal,
	{ continueOnFail, service: connected, signal }: Given & { signal?: AbortSignal },
): Promise<Plan<Payload>> {
	const options = optionsOf(context);
	const service = connected ?? (await connect(context));
	if (isAgentsCall(context) && context.getNode().retryOnFail)
		throw new UserError(NO_TRIES_OF_A_CALL);
	if (journal.isAfterCalls) throw new UserError(NO_CALL_IN_A_RETRY);
	if (options.mode !== 'send' && journal.mayHaveSent) throw new UserError(NOT_IN_A_RETRY);
	warnOfExecuteOnce(context);
	const setup = { context, service, options };
	const messages = await readMessages(setup, operation);
	const earlier = await journal.earlier(messages, operation.hasIdentifier);
	const checked = await check(messages, journal.items(), options);
	// A dry run shows every row, and says in it why it cannot be sent; a test needs only its first recipient.
	const needed = { send: messages.length, test: 1, dryRun: 0 }[options.mode];
	const first = checked.results.slice(0, needed);
	if (!continueOnFail && first.some(isFailed)) {
		const isTest = options.mode === 'test';
		// So that the error of a Retry knows whether an earlier attempt has sent something.
		if (options.mode === 'send' && journal.identity.isRetry && signal) {
			const forgetAttempt = await beginToSend(context, journal);
			if (!journal.wasCutOff) await forgetAttempt();
		}
		throw badRowsError({ context, journal, tally: await tallyOf(first), isTest });
	}
	return { ...setup, ...checked, operation, continueOnFail, messages, earlier };
}

/** Says that n8n gives the node only the first of its items. */
function warnOfExecuteOnce(context: IExecuteFunctions) {
	const { length = 0 } = context.getExecuteData?.()?.data?.main?.[0] ?? {};
	if (!context.getNode().executeOnce || length < 2) return;
	const only = `Only the first of the ${formatNumber(length)} items is sent to`;
	showHint(context, `${only}, because 'Execute Once' is on in the node's settings.`);
}

/**
 * Writes the crash note. After a crash any message may have left, also one that is refused now, because the node may have
 * been edited since.
 */
async function beginPlan<Payload>(plan: Plan<Payload>, journal: Journal): Promise<Plan<Payload>> {
	const { context, toSend, results, signal } = plan;
	if (toSend.length === 0 && !journal.identity.isRetry) {
		if (plan.continueOnFail && results.some(isFailed)) await noteRefusal(context, journal);
		return plan;
	}
	if (!signal && journal.identity.isRetry) throw new UserError(CANNOT_SEE);
	const forgetAttempt = await beginToSend(context, journal);
	const settle = await askForCode(plan, journal).catch(async (error) => {
		// Otherwise each further retry would be told that this one crashed.
		if (!journal.wasCutOff) await forgetAttempt();
		throw error;
	});
	// Nothing of them leaves.
	if (signal?.aborted) void settle?.(results);
	if (!journal.wasCutOff) return { ...plan, settle };
	const requests = await makeRequests(plan, journal.identity);
	const doubtful = requests.map(({ messages }) => ({ messages, why: { message: CUT_OFF } }));
	const earlier = [...plan.earlier, ...doubtful];
	return { ...plan, toSend: [], earlier, results: results.map(asPossiblySent) };
}
