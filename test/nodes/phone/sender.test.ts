import { useHarness } from '../../support/harness';
import { serve, success } from '../../support/mockService';
import { chosen, refusalOf, runMessaging, sending } from '../../support/runMessaging';

/* From is read like To. */

const harness = useHarness();

const textFrom = (from: string) =>
	sending('sendText', { from: chosen('phone', from), to: '447700900211', message: 'Hello' });

test.each([
	['+44 7700 900100', '447700900100'],
	['00447700900100', '447700900100'],
	['whatsapp:+44 7700 900100', '447700900100'],
	['+447700900100', '+447700900100'],
	['12345', '12345'],
])('the sender %j is sent as %s', async (from, sent) => {
	const asked = serve(success({ id: 'm1' }));
	await runMessaging(harness, textFrom(from));
	expect(asked.map(({ body }) => body)).toEqual([expect.objectContaining({ from: sent })]);
});

test.each([
	['447700900100@c.us', 'it is an address. Write only the number.'],
	[
		'+44 7700 900',
		'+44 has numbers of 9 or 10 digits, and this one has 7 after +44. Check it and its country code.',
	],
])('the sender %j is refused before anything is sent', async (from, why) => {
	expect(await refusalOf(harness, textFrom(from))).toBe(
		`Nothing was sent. Item 1 (447700900211): 'From' cannot be used. This is not a phone number: ${why}`,
	);
});
