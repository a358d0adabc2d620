import { createHash, randomUUID } from 'node:crypto';

import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { endpoints } from '../interface/endpoints.mts';
import { messageRecord } from '../interface/messageRecord.mts';
import { TextRequest } from '../interface/requests.mts';
import type { AcceptedMessage } from '../state/messageBook.mts';
import { startRun } from '../state/run.mts';
import { activeSender } from './sender.mts';

/** Customers whose number ends like this have not written within the last 24 hours (8.1). */
const closedWindow = '0024';

/** 4.3: sends a session message. */
export function sendText(app: App): void {
	app.post(
		endpoints.sendText.path,
		{ config: { endpoint: 'sendText' }, schema: { body: TextRequest } },
		async ({ world, body: { from, to, message } }) => {
			const channel = activeSender(world, from);
			if (to.endsWith(closedWindow)) {
				throw new Refusal(422, `${to} has sent no message within the last 24 hours`);
			}
			const run = startRun(randomUUID(), from, 1, world.settings.campaignSeconds);
			const [accepted] = world.messages.accept('sendText', run, [{ to, message }]);
			const { id, externalId } = accepted as AcceptedMessage;
			const data = messageRecord({
				id,
				externalId,
				conversationId: conversationId(from, to),
				text: message,
				sender: channel.name,
				at: run.startedAt,
			});
			return { data, message: 'Message sent', success: true };
		},
	);
}

/** The same two numbers are always in the same conversation. */
function conversationId(from: string, to: string): string {
	const hash = createHash('sha256').update(`${from} ${to}`).digest('hex');
	return [
		hash.slice(0, 8),
		hash.slice(8, 12),
		`4${hash.slice(13, 16)}`,
		`8${hash.slice(17, 20)}`,
		hash.slice(20, 32),
	].join('-');
}
