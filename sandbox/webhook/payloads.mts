import type { Run } from '../state/run.mts';

/** The content of a webhook call. */
export interface Call {
	readonly query: Readonly<Record<string, string>>;
	readonly contentType: string | null;
	readonly body: string | null;
}

const event = 'campaignCompleted';

// The payload is not documented (docs/development/interface.md, "Events"), so a receiver must understand all of these.
const makers = {
	default: (run: Run) =>
		jsonCall({
			event,
			campaign_id: run.id,
			status: 'completed',
			total: run.total,
			completedAt: new Date().toISOString(),
		}),
	camel: (run: Run) => jsonCall({ event, campaignId: run.id, total: run.total }),
	nested: (run: Run) => jsonCall({ event, data: { campaign_id: run.id, total: run.total } }),
	object: (run: Run) => jsonCall({ event, campaign: { id: run.id, status: 'completed' } }),
	form: (run: Run) => ({
		query: {},
		contentType: 'application/x-www-form-urlencoded',
		body: new URLSearchParams({ event, campaign_id: run.id }).toString(),
	}),
	query: (run: Run) => ({
		query: { event, campaign_id: run.id },
		contentType: null,
		body: null,
	}),
	withoutId: () => jsonCall({ event, status: 'completed' }),
} satisfies Record<string, (run: Run) => Call>;

/** The payloads of a completion call; `withoutId` has no campaign id. */
export type PayloadShape = keyof typeof makers;
export const payloadShapes = Object.keys(makers) as PayloadShape[];

/** @returns the completion call of a campaign in one of the shapes */
export function completionCall(run: Run, shape: PayloadShape): Call {
	return makers[shape](run);
}

/** @returns a call with a JSON body */
export function jsonCall(payload: unknown): Call {
	return { query: {}, contentType: 'application/json', body: JSON.stringify(payload) };
}
