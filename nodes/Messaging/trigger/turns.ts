import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL } from '../n8n/connect';
import { Limiter } from '../utils/concurrency';
import { isDoneWith } from './answered';

/**
 * One at a time: n8n saves what a trigger remembers whole, with each call. Two that are saved at the
 * same moment would undo each other.
 */
const beginning = new Limiter(1);
/** Campaigns whose logs are read at the same time. */
const reading = new Limiter(5);

/**
 * Lets the executions of a burst begin one after the other. A thousand at once would stand in line at
 * n8n's database (three connections with SQLite), which gives up on those that wait for a minute. A turn
 * lasts until the call is answered, which n8n does when it has written the execution down. An older n8n
 * answers before; so each turn also reads something from that database, and lasts as long as the line
 * there is.
 *
 * @returns whether n8n's database could be read
 */
export async function turnToBegin(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	const end = await beginning.acquire();
	// From here on nothing may fail: a turn that does not end would be the last one.
	const isRead = readSomething(context);
	// A caller who leaves does not end it: n8n still saves, and the next call would save over it.
	void Promise.allSettled([isRead, isDoneWith(response)]).then(end);
	return await isRead;
}

async function readSomething(context: IWebhookFunctions): Promise<boolean> {
	try {
		await context.getCredentials(CREDENTIAL);
		return true;
	} catch (error) {
		context.logger.debug('Messaging Trigger: the database is busy.', { error });
		return false;
	}
}

/** Reads logs when there is a turn for it. */
export async function inTurnToRead<T>(read: () => Promise<T>): Promise<T> {
	const end = await reading.acquire();
	try {
		return await read();
	} finally {
		end();
	}
}
