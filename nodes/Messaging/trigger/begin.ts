import { UserError, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL } from '../n8n/connect';
import { pause } from '../service/clock';
import { Limiter } from '../utils/concurrency';
import type { CallAnswer, Reply } from './callAnswer';
import type { EventMemory } from './eventMemory';

/**
 * Executions begin one at a time, for two reasons. n8n saves the static data of a trigger whole with each call: two
 * saves in flight would overwrite each other. And a thousand executions at once would queue for n8n's database, which
 * has three connections with SQLite and gives up on work that has waited for a minute.
 */
const beginning = new Limiter(1);

/**
 * An execution whose call the trigger has answered itself counts as begun after this, in ms: n8n does not say when it
 * has stored it, and events that count as begun are saved with any later call.
 */
const TIME_TO_BEGIN = 1000;

const NO_DATABASE = "n8n's database cannot be read, so no execution was started.";

/**
 * Lets n8n begin one execution, and remembers its events once it has begun.
 *
 * n8n gives the answer when it has stored the execution: a service that reads "Accepted" never delivers the event again.
 * Only where the call has an answer already, or gets a 503 for its other events, the trigger answers itself.
 *
 * @param keys the events that begin
 * @throws when the trigger answers and n8n's database cannot be read: nothing else would show that n8n could not begin
 */
export async function begin(
	call: IWebhookFunctions,
	answer: CallAnswer,
	{ status, message }: Reply,
	keys: string[],
	memory: EventMemory | undefined,
): Promise<IWebhookResponseData> {
	const isDatabaseReadable = await waitToBegin(call, answer);
	const isAnsweredByN8n = status === 200 && !answer.isSent;
	if (!isAnsweredByN8n && !isDatabaseReadable) throw new UserError(NO_DATABASE);
	const response = isAnsweredByN8n
		? { webhookResponse: { message } }
		: answer.give({ status, message });
	// A call that the trigger answers is saved before n8n stores the execution: after a crash between the two, a redelivery
	// would be a duplicate of an event that never began. So it is saved only when the service will not deliver it again.
	const mayBeRedelivered = !isAnsweredByN8n && !(status === 200 && answer.isDelivered);
	if (!mayBeRedelivered) memory?.save(keys);
	void hasBegun(answer, isAnsweredByN8n).then((haveBegun) => memory?.end(keys, haveBegun));
	return response;
}

/**
 * Waits until no other execution is beginning. The next one waits until this call is answered, which n8n (since 2.8) does
 * when it has stored the execution. An older n8n answers before, so the next one also waits until a read of n8n's
 * database returns, which takes as long as the queue there.
 *
 * @returns whether n8n's database could be read
 */
async function waitToBegin(call: IWebhookFunctions, answer: CallAnswer): Promise<boolean> {
	const release = await beginning.acquire();
	// Nothing may throw before the limiter's release is certain: no other execution would ever begin.
	const isRead = canReadDatabase(call);
	// A caller who leaves does not release it: n8n still saves, and the next call would overwrite that.
	void Promise.allSettled([isRead, answer.untilFinished()]).then(release);
	return await isRead;
}

async function canReadDatabase(call: IWebhookFunctions): Promise<boolean> {
	try {
		await call.getCredentials(CREDENTIAL);
		return true;
	} catch (error) {
		call.logger.debug('Messaging Trigger: the database is busy.', { error });
		return false;
	}
}

/** Returns whether n8n could begin the execution, which the status of n8n's answer says. */
async function hasBegun(answer: CallAnswer, isAnsweredByN8n: boolean): Promise<boolean> {
	if (!isAnsweredByN8n) {
		await pause(TIME_TO_BEGIN);
		return true;
	}
	// If n8n never answers, the execution counts as begun.
	await answer.untilFinished();
	return answer.status < 500;
}
