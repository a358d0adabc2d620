import { givenIn, type Given } from './choices.mts';

/**
 * Worlds that broke a promise once, as short as possible: `npm run simulate` prints them so. All cases are played with every
 * test. A question that a case does not name has its plainest answer.
 */
interface Case {
	name: string;
	scenario: string;
	seed: number;
	given: Given;
}

const worlds = (
	scenario: string,
	cases: ReadonlyArray<[name: string, answers: string, seed?: number]>,
): Case[] =>
	cases.map(([name, answers, seed = 1]) => ({ name, scenario, seed, given: givenIn(answers) }));

export const CASES: readonly Case[] = [
	...worlds('sending', [
		[
			'the numbers of a template are not in their order in its text',
			'send: sendTemplate; template: order_ready',
		],
		[
			'a campaign is lost, and another one has the same identifiers',
			`
				send: campaign; per request: 1; recipients: 3; own identifiers; executions: 2; request 5/trouble;
				request 5/fault: 503`,
		],
		[
			'Retry is pressed twice at once',
			`
				request 1/trouble; request 1/fault: 307; database 10/ms after: 2; execution 1/retries: 1;
				execution 1/retry 1/twice at once; database 12/ms after: 4; database 13/ms after: 2`,
			135,
		],
		[
			'a 302 after the service acted, with Retry On Fail',
			'retry on fail; request 1/trouble; request 1/fault: 302; request 1/accepts all the same',
		],
		['an answer drips', 'request 1/trouble; request 1/fault: dripping answer'],
		['the answer is a 101', 'request 1/trouble; request 1/fault: 101'],
		[
			"the workflow's time is over in the middle of sending; Retry",
			`
				retry on fail; time-out of the workflow; request 1/trouble; request 1/fault: 503;
				execution 1/retries: 1`,
		],
		[
			'numbers get their country code between a try and its Retry',
			`
				recipients: 2; numbers without country code; request 1/trouble; request 1/fault: 503;
				execution 1/retries: 1; execution 1/retry 1/edited; execution 1/retry 1/full numbers`,
		],
		[
			'Retry On Fail: the first try sends, the second cannot read the templates',
			`
				send: sendTemplate; template: order_ready; retry on fail; max retries: 0;
				connection 1/refused; request 3/trouble; request 3/fault: 503; request 3/accepts all the same;
				connection 5/refused`,
			45,
		],
		[
			"the workflow's time is over in the pause of Retry On Fail",
			`
				retry on fail; time-out of the workflow; request 1/trouble; request 1/fault: 503;
				execution 1/retries: 1`,
			242,
		],
		[
			'two processes send campaigns with the same identifiers, and one is lost',
			`
				send: campaign; per request: 1; recipients: 6; own identifiers; second process; executions: 2;
				request 12/trouble; request 12/fault: 503`,
			521,
		],
		[
			'what has failed is led back, and n8n is killed: the Retry begins with the run that had sent nothing',
			`
				send: sendTemplate; on error: continueErrorOutput; failed items are led: back; recipients: 5;
				batch size: 1; batch interval: 300; kill; kill 1/at event: 27; request 2/trouble;
				request 2/fault: empty answer; execution 1/retries: 1`,
		],
		[
			'what has failed is led to another node, and n8n is killed: the Retry begins with the node that had sent nothing',
			`
				send: sendTemplate; on error: continueErrorOutput; failed items are led: to another node; recipients: 5;
				batch size: 1; batch interval: 300; kill; kill 1/at event: 27; request 2/trouble;
				request 2/fault: empty answer; execution 1/retries: 1`,
		],
		[
			"the workflow's time is over while the templates are read, under On Error: Continue",
			`
				send: sendTemplate; on error: continueRegularOutput; time-out of the workflow; kill; executions: 2;
				request 1/trouble; request 1/fault: no answer at all; execution 2/retries: 1`,
		],
		[
			'what may have been sent is led back, and then the templates cannot be read',
			`
				send: sendTemplate; on error: continueErrorOutput; failed items are led: back;
				request 3/trouble; request 3/fault: 503; request 3/accepts all the same;
				request 5/trouble; request 5/fault: empty answer`,
		],
		[
			'two nodes in a row, and n8n is killed: the second must not say in the Retry that nothing was sent',
			`
				on error: continueErrorOutput; failed items are led: to the second node; recipients: 2; kill;
				kill 1/at event: 40; executions: 2; connection 2/refused; execution 1/retries: 1`,
			721,
		],
	]),
	...worlds('asking', [
		[
			'a loop: n8n is killed before the first question and behind the second one, and the numbers of its runs shift',
			`
				loop; people: 2; send as: template; kill; kill/more: 2; kill 1/at event: 6; kill 2/at event: 76; retries: 2;
				execution 1 has an event log; retry 1/question 1/after ms: 59500; retry 1/question 1/twice at once; request 6/ms: 4`,
			370741,
		],
		[
			'a question is answered, n8n is killed, and a person retries with the workflow as it is now',
			`
				on error: continueErrorOutput; failed items are led: back; kill; kill/more: 2; kill 1/at event: 42;
				retries: 2; retry 2/currently saved workflow`,
			250,
		],
		[
			'somebody answers twice at the same moment, and n8n is killed',
			`
				kill; kill/more: 2; kill 1/at event: 28; kill 2/at event: 29;
				execution 1/question 1/twice at once; database 10/ms after: 1`,
			483,
		],
	]),
	...worlds('by hand', [
		[
			'two buttons are pressed at the same moment, with the codes of two dry runs',
			`
				list 1/rows: 2; steps: 7; step 5/does: dry run and send; step 5/code: none;
				step 6/does: dry run and send; step 6/code: older; step 6/how old: 1; step 6/twice at once;
				step 6/other code; connection 3/ms: 3`,
			2,
		],
	]),
];
