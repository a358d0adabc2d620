import type { Given } from './choices.mts';

/**
 * Stories that broke a promise, each as short as it could be made (`npm run simulate` prints them so). They are played
 * again with every test. What they do not answer is answered plainly, so a list of possibilities in the scenarios or
 * faults may only be made longer at its end.
 */
export interface Case {
	name: string;
	scenario: string;
	seed: number;
	given: Given;
	/** It still breaks a promise. */
	isOpen?: true;
}

const sending = (name: string, given: Given, seed = 1): Case => ({
	name,
	scenario: 'sending',
	seed,
	given,
});

const triggering = (name: string, given: Given): Case => ({
	name,
	scenario: 'trigger',
	seed: 1,
	given,
});

export const CASES: readonly Case[] = [
	sending('the numbers of a template are not in their order in its text', {
		send: 1,
		template: 1,
	}),
	sending('a campaign is lost, and another one has the same identifiers', {
		send: 2,
		'per request': 2,
		recipients: 2,
		'own identifiers': 1,
		executions: 2,
		'request 5/trouble': 1,
		'request 5/fault': 1,
	}),
	sending(
		'eight executions begin at once, and n8n is killed; one is retried',
		{
			recipients: 2,
			kill: 1,
			'kill 1/at event': 117,
			executions: 4,
			'execution 7/retries': 1,
		},
		254,
	),
	sending(
		'Retry is pressed twice at once',
		{
			'request 1/trouble': 1,
			'request 1/fault': 17,
			'execution 1/retries': 1,
			'execution 1/retry 1/twice at once': 1,
			'database 10/ms after': 2,
			'database 12/ms after': 4,
			'database 13/ms after': 2,
		},
		135,
	),
	sending('a 302 after the service acted, with Retry On Fail', {
		'retry on fail': 1,
		'request 1/trouble': 1,
		'request 1/fault': 15,
		'request 1/accepts all the same': 1,
	}),
	sending('an answer drips', {
		'request 1/trouble': 1,
		'request 1/fault': 8,
	}),
	sending('the answer is a 101', {
		'request 1/trouble': 1,
		'request 1/fault': 13,
	}),
	sending("the workflow's time is over in the middle of sending; Retry", {
		'retry on fail': 1,
		'time-out of the workflow': 1,
		'request 1/trouble': 1,
		'request 1/fault': 1,
		'execution 1/retries': 1,
	}),
	sending('numbers get their country code between a try and its Retry', {
		recipients: 1,
		'numbers without country code': 1,
		'request 1/trouble': 1,
		'request 1/fault': 1,
		'execution 1/retries': 1,
		'execution 1/retry 1/edited': 1,
		'execution 1/retry 1/full numbers': 1,
	}),
	sending('of the same number twice, one is removed between a try and its Retry', {
		send: 1,
		template: 1,
		'recipients in a list': 1,
		recipients: 1,
		'same number twice': 1,
		'request 4/trouble': 1,
		'request 4/fault': 22,
		'execution 1/retries': 1,
		'execution 1/retry 1/edited': 1,
		'execution 1/retry 1/one removed': 1,
	}),
	sending('after a 503 that was acted on, Resend Unknown is refused with a 400', {
		'request 1/trouble': 1,
		'request 1/fault': 1,
		'request 1/accepts all the same': 1,
		'execution 1/retries': 1,
		'execution 1/retry 1/edited': 1,
		'execution 1/retry 1/resend unknown': 1,
		'request 2/trouble': 1,
		'request 2/fault': 22,
	}),
	triggering('a caller leaves, and n8n saves what the next call began over; n8n is killed', {
		kill: 1,
		'kill 1/at event': 66,
		campaigns: 1,
		'campaign 2/sent after ms': 2,
		'campaign 1/complete after ms': 1,
		'campaign 1/completion/repeated': 2,
		'campaign 1/completion/time 2/after ms': 3,
		'connection 1/ms': 21,
		'database 9/ms before': 8,
		'campaign 2/complete after ms': 1,
	}),
	triggering('of a list one event is accepted and another is not; n8n is killed after its 503', {
		'all events': 1,
		kill: 1,
		'kill/more': 1,
		'kill 2/at event': 14,
		'all completions in one list': 1,
		'list/with an SMS': 1,
		'request 2/trouble': 1,
		'request 2/fault': 10,
	}),
	triggering('the same, and a second call of the list', {
		'all events': 1,
		kill: 1,
		'kill 1/at event': 18,
		'all completions in one list': 1,
		'list/with an SMS': 1,
		'list/repeated': 1,
		'request 2/trouble': 1,
		'request 2/fault': 15,
	}),
	triggering('of a list some events are accepted, and the database fails after its 503', {
		'the database fails': 1,
		'database fails/after ms': 5,
		'database fails/for ms': 3,
		campaigns: 3,
		'all completions in one list': 1,
		'request 1/logged after': 3,
		'list/time 1/after ms': 4,
		'request 8/trouble': 1,
		'request 8/fault': 1,
		'request 10/trouble': 1,
		'request 10/fault': 8,
		'list/time 1/try 1/again after ms': 2,
	}),
	triggering('a caller leaves while the logs are read for a minute, and the event is told again', {
		output: 1,
		processes: 3,
		'campaign 1/completion/repeated': 1,
		'campaign 1/completion/time 1/try 1/process': 1,
		'campaign 1/completion/time 2/try 1/leaves': 1,
		'request 2/trouble': 1,
		'request 2/fault': 1,
		'request 4/trouble': 1,
		'request 4/fault': 13,
	}),
	sending(
		'Retry On Fail: the first try sends, the second cannot read the templates',
		{
			send: 1,
			template: 1,
			format: 1,
			'retry on fail': 1,
			'max retries': 1,
			'connection 1/refused': 1,
			'request 3/trouble': 1,
			'request 3/fault': 1,
			'request 3/accepts all the same': 1,
			'connection 5/refused': 1,
		},
		45,
	),
	sending(
		'after a crash, the retry cannot read the templates; it goes on with failed items',
		{
			send: 1,
			'recipients in a list': 1,
			template: 1,
			'per request': 3,
			recipients: 4,
			'on error': 1,
			kill: 1,
			'kill 1/at event': 157,
			executions: 4,
			'request 9/ms': 1,
			'execution 8/retries': 1,
			'request 39/trouble': 1,
			'request 39/fault': 15,
		},
		2101,
	),
	sending(
		'Stop, then Retry with Resend Unknown: n8n still shows that it was cancelled',
		{
			'retry on fail': 1,
			stop: 1,
			'request 1/trouble': 1,
			'request 1/fault': 1,
			'execution 1/retries': 1,
			'execution 1/retry 1/edited': 1,
			'execution 1/retry 1/resend unknown': 1,
		},
		35,
	),
	sending(
		"the workflow's time is over in the pause of Retry On Fail",
		{
			'retry on fail': 1,
			'time-out of the workflow': 1,
			'request 1/trouble': 1,
			'request 1/fault': 1,
			'execution 1/retries': 1,
		},
		242,
	),
	sending(
		'two processes send campaigns with the same identifiers, and one is lost',
		{
			send: 2,
			'per request': 2,
			recipients: 5,
			'own identifiers': 1,
			'second process': 1,
			executions: 2,
			'request 12/trouble': 1,
			'request 12/fault': 1,
		},
		521,
	),
	triggering(
		'a list is told again while its reports are read for a caller who has left; n8n is killed',
		{
			output: 1,
			kill: 1,
			'kill 1/at event': 27,
			campaigns: 2,
			'all completions in one list': 1,
			'list/time 1/try 1/leaves': 1,
			'request 7/trouble': 1,
			'request 7/fault': 8,
		},
	),
];
