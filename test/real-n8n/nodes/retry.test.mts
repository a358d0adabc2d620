import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Fault } from '../../../sandbox/faults/rules.mts';
import { world } from '../world/installation.mts';
import { CAMPAIGN, TEXT } from '../world/nodes.mts';
import { newPeople, once, timesAccepted } from '../world/service.mts';
import { runMessaging } from '../world/sendByHand.mts';
import { errorOf, retry } from '../world/workflows.mts';

const stage = await world();

/** Twelve texts, one by one, or three campaigns of four recipients. */
const SENDS = {
	sendText: { ...TEXT, options: { batchSize: 1 } },
	sendCampaign: { ...CAMPAIGN, options: { batchSize: 1, maxRecipients: 4 } },
};

type SendName = keyof typeof SENDS;

describe('a send that fails midway', () => {
	afterEach(() => stage.sandbox.world.faults.clear());

	/** The request after the first four messages fails once. */
	const breakMidway = (endpoint: SendName, fault: Fault) => {
		const skip = endpoint === 'sendCampaign' ? 1 : 4;
		stage.sandbox.world.faults.add([{ match: { endpoint }, skip, fault }]);
	};

	for (const name of Object.keys(SENDS) as SendName[]) {
		it(`${name}: Retry On Fail sends only the remaining messages, and returns all recipients`, async () => {
			const people = newPeople(12);
			breakMidway(name, { kind: 'status', status: 400 });
			const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
			const { output, error } = await runMessaging(stage, SENDS[name], { people, ...settings });
			assert.equal(error, undefined);
			assert.equal(output.length, 12);
			assert.deepEqual(timesAccepted(stage.sandbox, people), once(people));
		});
	}

	it('a Retry does not send again what may have been sent, and says so', async () => {
		const people = newPeople(12);
		breakMidway('sendText', { kind: 'reset' });
		const { execution, error } = await runMessaging(stage, SENDS.sendText, { people });
		assert.match(error ?? '', new RegExp(`May have been sent to ${people[4].phone}`));

		const retried = await retry(stage, execution.id);
		assert.equal(retried.status, 'error');
		assert.match(errorOf(retried) ?? '', /12 messages: 11 accepted/);
		assert.deepEqual(
			timesAccepted(stage.sandbox, people),
			people.map((_, index) => (index === 4 ? 0 : 1)),
		);
	});
});
