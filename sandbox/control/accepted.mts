import { Type } from '@sinclair/typebox';

import type { App } from '../http/app.mts';
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
		async ({ world, query }) => world.messages.acceptedBy(query.recipient).map(shown),
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
