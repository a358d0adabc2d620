import { Trouble } from '../../demo/setup/trouble.mjs';
import { regular } from './installation.mts';
import { HEADERS, publishReceivers, WEBHOOK } from './receivers.mts';

/*
 * A large call to the trigger beside the same call with a wrong secret, which the trigger refuses unread. n8n has read and
 * parsed both before it asks the trigger.
 */

/** A little less than n8n accepts (`N8N_PAYLOAD_SIZE_MAX`, 16 MB). */
const SIZE = 15e6;

/** V8 clears n8n's whole heap during some of these calls, of two in turn perhaps always during the same one: so series are compared. */
const CALLS = 10;

/** @returns in each round, the time until a series of calls is answered divided by that of the refused ones */
export async function measureLargeCall(rounds: number, size = SIZE): Promise<number[]> {
	const n8n = await regular();
	try {
		const receivers = await publishReceivers(n8n.session);
		const { path } = receivers.find(({ name }) => name !== WEBHOOK)!;
		const body = aCallOf(size);
		const timed = async (secret: string, expected: number) => {
			const began = performance.now();
			const headers = { ...HEADERS, 'x-webhook-secret': secret };
			for (let nth = 0; nth < CALLS; nth++) {
				const answer = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body });
				const said = await answer.text();
				if (answer.status !== expected) throw new Trouble(`A large call: ${answer.status} ${said}`);
			}
			return performance.now() - began;
		};
		const accepted = async () => await timed(HEADERS['x-webhook-secret'], 200);
		const refused = async () => await timed('wrong', 401);
		const ratios: number[] = [];
		for (let round = 0; round <= rounds; round++) {
			const first = round % 2 === 0 ? await refused() : await accepted();
			const ratio = round % 2 === 0 ? (await accepted()) / first : first / (await refused());
			// n8n is warm after the first one.
			if (round > 0) ratios.push(ratio);
		}
		console.log(`large call: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} ×`);
		return ratios;
	} finally {
		await n8n.close();
	}
}

/** A campaign that was sent, with its records: no workflow starts on it. */
function aCallOf(size: number): string {
	const record = {
		to: '12025550111',
		status: 'delivered',
		at: '2026-11-30T10:00:00Z',
		price: 0.05,
	};
	const results = Array.from({ length: Math.ceil(size / 100) }, (_, nth) => ({
		id: `message-${nth}`,
		...record,
	}));
	return JSON.stringify({ event: 'campaign.sent', campaign_id: 'campaign-1', results });
}
