import { Type } from '@sinclair/typebox';

import type { App } from '../http/app.mts';
import { finalText } from '../provider/finalText.mts';
import type { Directory } from '../state/directory.mts';
import type { AcceptedMessage } from '../state/messageBook.mts';

/** Shows what the service took, so that a test can prove that nothing was lost or doubled. */
export function controlAccepted(app: App): void {
	app.get('/counts', async ({ world }) => {
		const { messages, byRecipient, byIdentifier } = world.messages.tally();
		const times = Object.values(byRecipient);
		return {
			...world.traffic.counts(),
			accepted: { messages, campaigns: world.campaigns.count, byRecipient, byIdentifier },
			maxPerRecipient: times.reduce((most, count) => Math.max(most, count), 0),
		};
	});

	app.get(
		'/accepted',
		{ schema: { querystring: Type.Object({ recipient: Type.Optional(Type.String()) }) } },
		async ({ world, query }) =>
			world.messages
				.acceptedBy(query.recipient)
				.map((message) => ({ ...shown(message), ...readBy(message, world.directory) })),
	);
}

function shown({ id, endpoint, run, draft }: AcceptedMessage) {
	return {
		at: new Date(run.startedAt).toISOString(),
		endpoint,
		id,
		from: run.from,
		...draft,
		campaign_id: endpoint === 'sendCampaign' ? run.id : undefined,
	};
}

/** What the recipient reads, or in `textMissing` why the provider shows nothing. */
function readBy({ run, draft }: AcceptedMessage, directory: Directory) {
	const { message, template } = draft;
	if (!template) return { text: message };
	const channel = directory.sender(run.from);
	const translations = channel
		? directory.templates(channel).filter(({ name }) => name === template.name)
		: [];
	const filled = finalText(translations, template);
	if ('text' in filled) return filled;
	return { textMissing: 'refused' in filled ? `refused: ${filled.refused}` : filled.unknown };
}
