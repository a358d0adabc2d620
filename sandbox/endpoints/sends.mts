import { createHash, randomUUID } from 'node:crypto';
import type { App } from '../http/app.mts';
import { Refusal } from '../http/failures.mts';
import { endpoints } from '../interface/endpoints.mts';
import { messageRecord } from '../interface/records.mts';
import type { Channel } from '../interface/records.mts';
import { CampaignRequest, TemplateRequest, TextRequest } from '../interface/requests.mts';
import type { AcceptedMessage } from '../state/messageStore.mts';
import { startRun } from '../state/run.mts';
import type { World } from '../world.mts';

/** Adds the three endpoints that send. */
export function addSends(app: App): void {
	sendText(app);
	sendTemplate(app);
	sendCampaign(app);
}

/** Recipients whose number ends like this have sent no message within the last 24 hours. */
const closedWindow = '0124';

/** docs/development/interface.md, "Send session message" */
function sendText(app: App): void {
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

/** The same for every message between two numbers. */
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

/** docs/development/interface.md, "Send template message". Accepts all messages of a request, or none. */
function sendTemplate(app: App): void {
	app.post(
		endpoints.sendTemplate.path,
		{ config: { endpoint: 'sendTemplate' }, schema: { body: TemplateRequest } },
		async ({ world, body: { from, messages } }) => {
			requireTemplates(world, activeSender(world, from), messages);
			const seconds = world.settings.campaignSeconds;
			const run = startRun(randomUUID(), from, messages.length, seconds);
			const data = world.messages
				.accept('sendTemplate', run, messages)
				.map(({ externalId }) => ({ status: 'success', response: externalId }));
			return { data, message: 'Messages sent', success: true };
		},
	);
}

/** docs/development/interface.md, "Send campaign". The campaign completes after `campaignSeconds`. */
function sendCampaign(app: App): void {
	app.post(
		endpoints.sendCampaign.path,
		{ config: { endpoint: 'sendCampaign' }, schema: { body: CampaignRequest } },
		async ({ world, body: { from, messages } }) => {
			requireTemplates(world, activeSender(world, from), messages);
			requireUniqueIdentifiers(messages);
			const seconds = world.settings.campaignSeconds;
			const run = startRun(randomUUID(), from, messages.length, seconds);
			world.messages.accept('sendCampaign', run, messages);
			world.campaigns.begin(run);
			return { data: { campaign_id: run.id }, message: 'Campaign accepted', success: true };
		},
	);
}

/** Identifiers must be unique within a request. Across requests the sandbox does not check them. */
function requireUniqueIdentifiers(
	messages: ReadonlyArray<{ readonly identifier?: string | undefined }>,
): void {
	const seen = new Set<string>();
	for (const [index, { identifier }] of messages.entries()) {
		if (!identifier) continue;
		if (seen.has(identifier)) {
			throw new Refusal(422, `messages[${index}]: "identifier" ${identifier} is not unique`);
		}
		seen.add(identifier);
	}
}

/**
 * @returns the active chat-app channel with this number
 * @throws Refusal when there is none, or it is not active
 */
function activeSender(world: World, from: string): Channel {
	const channel = world.directory.sender(from);
	if (!channel) throw new Refusal(422, `"from" ${from} is not connected to a channel`);
	if (channel.status !== 'ACTIVE') {
		throw new Refusal(422, `The channel of "from" ${from} is ${channel.status}`);
	}
	return channel;
}

/**
 * Checks that the channel has every template and that it was not rejected (docs/development/interface.md, "Limits").
 * @throws Refusal for the first template that is unknown or rejected, with its place in the request
 */
function requireTemplates(
	world: World,
	channel: Channel,
	messages: ReadonlyArray<{ readonly template: { readonly name: string } }>,
): void {
	for (const [index, { template }] of messages.entries()) {
		const state = world.directory.templateState(channel, template.name);
		if (state === 'sendable') continue;
		const problem = state === 'unknown' ? 'is not registered for this channel' : 'was rejected';
		throw new Refusal(422, `messages[${index}]: template "${template.name}" ${problem}`);
	}
}
