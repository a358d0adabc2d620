import assert from 'node:assert/strict';
import { loadavg } from 'node:os';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { campaigns, control } from '../world/service.mts';
import { receiver, stage } from './receiver.mts';

/** A hundred by day, because the suites share the machine; the night makes it a thousand (BURST=1000). */
const MANY = Number(process.env.BURST ?? 100);

const figures = (values: number[]) => {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]);
	return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`;
};

/** Requests n8n's health check repeatedly. Returns a function that stops this and returns the durations in ms. */
function watchHealth(url: string) {
	const taken: number[] = [];
	let isOver = false;
	const watching = (async () => {
		while (!isOver) {
			const began = performance.now();
			await fetch(`${url}/healthz`).then(async (answer) => await answer.text());
			taken.push(performance.now() - began);
			await sleep(50);
		}
	})();
	return async () => {
		isOver = true;
		await watching;
		return taken;
	};
}

describe(`${MANY} campaigns`, () => {
	it('that complete in a burst start one execution each: none is lost, none starts twice', async (context) => {
		const { sandbox, url: n8n } = stage;
		const { url, settled } = await receiver();
		const ids = await campaigns(sandbox, MANY);
		// On a small machine n8n's database sometimes fails when a thousand calls come at once. n8n answers with an
		// error then, and the service redelivers the call.
		const patient = { timeoutMs: 120_000, attempts: 8, retryDelayMs: 1_000 };
		await control(sandbox, 'PUT', '/webhook', { url, ...patient });
		const asked = () => sandbox.world.traffic.counts();
		const readsBefore = asked().requests.byEndpoint.getLogs;

		const stopWatching = watchHealth(n8n);
		const began = performance.now();
		const elapsed = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
		for (const id of ids) assert.equal(sandbox.world.campaigns.complete(id), true);
		const started = await settled(MANY);
		const finished = elapsed();
		const watched = await stopWatching();
		// The sandbox keeps the last thousand deliveries.
		const answers = sandbox.world.webhook.deliveries;
		const refused = answers.filter(({ status }) => status !== 200);
		context.diagnostic(
			`all executed after ${finished}; load of the machine ${loadavg()[0].toFixed(1)}`,
		);
		context.diagnostic(
			`answers: ${figures(answers.map(({ ms }) => ms))}, ${refused.length} not 200`,
		);
		context.diagnostic(`n8n's own health check meanwhile: ${figures(watched)}`);
		const most = asked().inFlight.max;
		context.diagnostic(
			`requests to the logs: ${asked().requests.byEndpoint.getLogs - readsBefore}, at most ${most} in flight`,
		);

		const found = started.map(({ items }) => items[0].campaign_id);
		assert.deepEqual(found.sort(), [...ids].sort());
		await control(sandbox, 'DELETE', '/webhook');
	});
});
