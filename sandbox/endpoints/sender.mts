import { Refusal } from '../http/refusal.mts';
import type { Channel } from '../interface/records.mts';
import type { World } from '../world.mts';

/**
 * @returns the active chat-app channel with this number (4.3: "must be connected to a channel")
 * @throws Refusal when there is none, or it is not active
 */
export function activeSender(world: World, from: string): Channel {
	const channel = world.directory.sender(from);
	if (!channel) throw new Refusal(422, `"from" ${from} is not connected to a channel`);
	if (channel.status !== 'ACTIVE') {
		throw new Refusal(422, `The channel of "from" ${from} is ${channel.status}`);
	}
	return channel;
}

/**
 * Checks that every template is registered for the channel and approved (section 8).
 * @throws Refusal for the first that is not, with its place in the request
 */
export function requireTemplates(
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
