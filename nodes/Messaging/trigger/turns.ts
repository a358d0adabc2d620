import type { IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL } from '../host/connect';

const AT_ONCE = 5;

let starting = 0;
const waiting: Array<() => void> = [];

/**
 * Lets the executions of a burst begin a few at a time. A thousand at once would stand in line at n8n's
 * database (three connections with SQLite), which gives up on those that wait for a minute, and an
 * execution that n8n cannot write down is lost. Each turn reads something from that database: so it
 * lasts as long as the line there is, and the next one begins when n8n can keep up.
 */
export async function turnToStart(context: IWebhookFunctions): Promise<void> {
	if (starting < AT_ONCE) starting++;
	else await new Promise<void>((begin) => waiting.push(begin));
	try {
		await context.getCredentials(CREDENTIAL);
	} catch (error) {
		context.logger.debug('Messaging Trigger: the database is busy.', { error });
	} finally {
		const next = waiting.shift();
		if (next) next();
		else starting--;
	}
}
