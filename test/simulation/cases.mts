import { givenIn, type Given } from './choices.mts';

/**
 * Worlds that broke a promise once, as short as possible: `npm run simulate` prints them so. All cases are played with every
 * test. A question that a case does not name has its plainest answer.
 */
export interface Case {
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
			'eight executions begin at once, and n8n is killed; one is retried',
			'recipients: 3; kill; kill 1/at event: 118; executions: 8; execution 7/retries: 1',
			254,
		],
		[
			'n8n has recovered a crashed execution, and its retry has an error output',
			`
				send: sendTemplate; template: order_ready; format: legacyComponents; per request: 2; recipients: 5;
				on error: continueErrorOutput; retry on fail; time-out of the workflow; time-out/s: 5; kill;
				kill 1/at event: 105; executions: 20; execution 6/after ms: 700; execution 20/after ms: 40;
				execution 3/dry run first; database 5/ms after: 3; database 11/ms before: 4;
				database 15/ms before: 8; recovery 2/with event log; execution 1/retries: 1; execution 4/retries: 3;
				execution 5/retries: 1; execution 7/retries: 3; execution 8/retries: 3; execution 9/retries: 2;
				execution 11/retries: 2; execution 17/retries: 1; execution 18/retries: 2; execution 19/retries: 1;
				execution 8/retry 2/the first one again; execution 18/retry 2/the first one again;
				execution 6/dry run first; request 89/trouble; request 89/fault: dripping answer`,
			100129,
		],
		[
			'some identifiers are the customer’s own, and another process has the same',
			`
				send: campaign; recipients: 2; own identifiers; identifiers: some; second process; executions: 3;
				execution 1/dry run first; request 5/trouble; request 5/fault: 503`,
			1008582,
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
			'of the same number twice, one is removed between a try and its Retry',
			`
				send: sendTemplate; recipients in a list; template: order_ready; recipients: 2; same number twice;
				request 4/trouble; request 4/fault: 400; execution 1/retries: 1; execution 1/retry 1/edited;
				execution 1/retry 1/one removed`,
		],
		[
			'after a 503 that was acted on, Resend Unknown is refused with a 400',
			`
				request 1/trouble; request 1/fault: 503; request 1/accepts all the same; execution 1/retries: 1;
				execution 1/retry 1/edited; execution 1/retry 1/resend unknown; request 2/trouble;
				request 2/fault: 400`,
		],
		[
			'Retry On Fail: the first try sends, the second cannot read the templates',
			`
				send: sendTemplate; template: order_ready; format: legacyComponents; retry on fail; max retries: 0;
				connection 1/refused; request 3/trouble; request 3/fault: 503; request 3/accepts all the same;
				connection 5/refused`,
			45,
		],
		[
			'after a crash, the retry cannot read the templates; it goes on with failed items',
			`
				send: sendTemplate; recipients in a list; template: order_ready; per request: 2; recipients: 5;
				on error: continueRegularOutput; kill; kill 1/at event: 158; executions: 8; request 9/ms: 2;
				request 39/trouble; request 39/fault: 302; execution 8/retries: 1`,
			2101,
		],
		[
			'Stop, then Retry with Resend Unknown: n8n still shows that it was cancelled',
			`
				retry on fail; stop; request 1/trouble; request 1/fault: 503; execution 1/retries: 1;
				execution 1/retry 1/edited; execution 1/retry 1/resend unknown`,
			35,
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
			'n8n starts again on a machine whose clock is ahead; the identifiers of a lost campaign were used before',
			`
				send: campaign; recipients: 2; own identifiers; kill; kill 1/at event: 114; executions: 3;
				execution 1/after ms: 6000; execution 3/after ms: 6000; request 1/trouble; request 1/fault: 503;
				request 1/accepts all the same; request 2/trouble; request 2/fault: 503; request 4/trouble;
				request 4/fault: 503; process 2/clock ahead by ms: 120000; execution 1/retries: 2`,
			194,
		],
		[
			"a 429 names a date, and n8n's clock is an hour ahead",
			`
				process 1/clock ahead by ms: 3600000; request 1/trouble; request 1/fault: 429;
				request 1/Retry-After: a date in 3 s`,
		],
		[
			'n8n is killed as it starts a step in the editor: at its next start it runs the whole workflow',
			`
				send: sendTemplate; per request: 2; recipients: 4; kill; kill 1/at event: 260; executions: 8;
				execution 1/in the editor; execution 4/after ms: 6000; execution 6/after ms: 700;
				execution 8/after ms: 40; execution 5/dry run first; execution 1/patience in ms: 3000;
				execution 2/patience in ms: 15000; execution 7/patience in ms: 15000; request 10/ms: 30;
				execution 5/patience in ms: 3000; execution 6/dry run first; request 15/ms: 10; request 16/ms: 13;
				execution 6/patience in ms: 3000; execution 1/steps: 2`,
			9006754,
		],
		[
			'after a crash, a duplicate identifier is sent by one retry, and refused by another',
			`
				send: campaign; recipients in a list; recipients: 2; own identifiers;
				on error: continueRegularOutput; identifiers: same twice; kill; kill 1/at event: 75; executions: 20;
				execution 12/retries: 2; execution 12/retry 1/edited; execution 12/retry 1/one removed;
				execution 12/retry 2/the first one again`,
			15000076,
		],
		[
			'n8n has saved the output of the node, and its edited retry is killed before it continues',
			`
				send: campaign; recipients in a list; template: order_ready; recipients: 2; progress is saved; kill;
				kill/more: 2; kill 1/at event: 178; kill 2/at event: 245; executions: 8; execution 2/after ms: 6000;
				execution 6/dry run first; database 5/ms before: 8; database 6/ms before: 1; database 11/ms after: 4;
				database 12/ms after: 2; database 19/ms after: 3; connection 1/ms: 10; connection 2/ms: 39;
				connection 10/ms: 34; connection 11/ms: 25; connection 12/ms: 29; database 40/ms before: 8;
				connection 13/ms: 35; execution 8/retries: 2; execution 8/retry 1/edited;
				execution 8/retry 1/one removed`,
			15009234,
		],
		[
			'an execution is killed while it sends, and its retry is a test',
			`
				recipients: 3; kill; kill 1/at event: 32; executions: 2; execution 1/retries: 1;
				execution 1/retry 1/edited; execution 1/retry 1/test`,
			466,
		],
		[
			'an execution is killed while it sends; its retry is a test, and the next one is not',
			`
				recipients: 3; kill; kill 1/at event: 32; executions: 2; execution 1/retries: 2;
				execution 1/retry 1/edited; execution 1/retry 1/test; execution 1/retry 2/edited;
				execution 1/retry 2/test`,
			466,
		],
		[
			'the retry of a stopped execution is stored, and n8n is killed before it starts it',
			`
				send: sendTemplate; template: order_ready; format: legacyComponents; kill; kill 1/at event: 34; stop;
				stop/after ms: 1127; request 1/trouble; request 1/fault: 503; request 2/trouble;
				request 2/fault: 503; request 4/trouble; request 4/fault: 503; request 5/trouble;
				request 5/fault: 503; database 5/ms before: 1; execution 1/retries: 1`,
			18002652,
		],
		[
			'after a crash, a test is retried, and then everybody: a message without an own identifier gets one',
			`
				send: campaign; template: order_ready; recipients: 2; own identifiers; identifiers: some; kill;
				kill 1/at event: 170; executions: 20; execution 2/test first; execution 2/test/retries: 2;
				execution 2/test/retry 2/edited; execution 2/test/retry 2/resend unknown;
				execution 2/test/retry 2/test`,
			27003164,
		],
	]),
	...worlds('trigger', [
		[
			'a caller leaves, and n8n overwrites what the next call has saved; n8n is killed',
			`
				kill; kill 1/at event: 67; campaigns: 2; campaign 2/sent after ms: 30;
				campaign 1/complete after ms: 0; campaign 1/completion/repeated: 2;
				campaign 1/completion/time 2/after ms: 200; connection 1/ms: 22; database 9/ms before: 8;
				campaign 2/complete after ms: 0`,
		],
		[
			'of a list one event is accepted and another is not; n8n is killed after its 503',
			`
				all events; kill; kill/more: 2; kill 2/at event: 15; all completions in one list; list/with an SMS;
				request 2/trouble; request 2/fault: empty answer`,
		],
		[
			'the same, and a second call of the list',
			`
				all events; kill; kill 1/at event: 19; all completions in one list; list/with an SMS;
				list/repeated: 1; request 2/trouble; request 2/fault: 308`,
		],
		[
			'of a list some events are accepted, and the database fails after its 503',
			`
				the database fails; database fails/after ms: 9000; database fails/for ms: 30000; campaigns: 4;
				all completions in one list; request 1/logged after: 8000; list/time 1/after ms: 4000;
				request 8/trouble; request 8/fault: 503; request 10/trouble; request 10/fault: dripping answer;
				list/time 1/try 1/again after ms: 20000`,
		],
		[
			'a process that was told to shut down is killed: n8n starts again once',
			`
				kill; kill/more: 2; kill 2/at event: 117; shut down; shut down/after ms: 3565; campaigns: 4;
				campaign 1/sent after ms: 30; kill 1/starts again after ms: 8000; campaign 3/complete after ms: 3000;
				request 3/logged after: 8000; campaign 1/complete after ms: 20000; campaign 3/completion/repeated: 1;
				campaign 3/completion/time 1/try 1/again after ms: 20000;
				campaign 3/completion/time 2/try 1/again after ms: 5000`,
			15004355,
		],
	]),
	...worlds('long loops', [
		[
			'a loop of 600 rounds, beside another one; n8n is killed in its middle, and it is retried',
			'kill; kill 1/at event: 7001; executions: 2; execution 1/retries: 1',
		],
	]),
	...worlds('send and wait', [
		[
			'an answer comes as the limit ends, and n8n has no capacity: it continues the loop twice',
			`
				shuffle; waits for capacity/ms: 2000; questions in a loop; questions: 2; question 1/presses: 1;
				question 1/press 1/after ms: 118000; question 2/presses: 2`,
			9008537,
		],
		[
			'a 429 delays a question by half of its limit; its limit counts from its sending',
			`
				limit/s: 5; questions: 3; question 2/after ms: 3000; database 2/ms after: 1; request 1/trouble;
				request 1/fault: 429; request 1/Retry-After: 2.5; question 3/presses: 1;
				question 3/press 1/after ms: 3000`,
			5291,
		],
	]),
	...worlds('polling', [
		[
			'a record is missing from the log during the first poll, and again later',
			`
				service/most on a page: 20; campaigns before: 2; campaign before 1/messages: 4;
				campaign before 2/messages: 8; the log changes while it is read: 0.05; trouble from the start;
				request 3/log changes; request 3/log/change: a record is missing for a while; campaigns: 3;
				campaign 1/messages: 7; request 13/log changes;
				request 13/log/change: a record is missing for a while`,
			11003015,
		],
	]),
];
