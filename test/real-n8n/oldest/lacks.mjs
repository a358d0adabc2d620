/*
 * Features that the oldest supported n8n lacks or has in another form. `npm run test:oldest` skips their tests, and no
 * others. instead.test.mts tests the behaviour without them, and fails when the oldest supported n8n has the
 * feature. docs/compatibility.md lists them for users.
 */

/**
 * @typedef {object} Lack
 * @property {string} what the name of the feature in docs/compatibility.md
 * @property {Array<{ file: string, names: string[] }>} tests the names of describe and it; the name of a describe
 *   alone means all its tests
 */

const EXAMPLES = 'nodes/examples.test.mts';

/** @type {Lack[]} */
export const lacks = [
	{
		what: 'Human review of AI agents',
		tests: [
			"an AI agent's human review",
			// Some of these tests use versions of the agent that this n8n does not have.
			'Send and Wait as an ordinary tool',
		].map((name) => ({ file: 'nodes/send-and-wait-agent.test.mts', names: [name] })),
	},
	{
		what: 'Making a data table from a workflow',
		tests: [
			'send-wait-report: waits until every message has a final status, and writes a row for each',
			'campaign-from-a-table: sends to each row once, and writes the campaign into the row',
			'polling-report: the table has a row for a campaign that was found by polling',
		].map((name) => ({ file: EXAMPLES, names: ['the example workflows', name] })),
	},
	{
		what: 'Checking the signature of a link',
		tests: [
			{
				file: 'nodes/send-and-wait.test.mts',
				names: ['send and wait for a response', 'a tampered link is refused'],
			},
			{
				file: 'nodes/send-and-wait-path.test.mts',
				names: [
					'send and wait in an n8n behind a path of a reverse proxy',
					'a changed signature is refused',
				],
			},
			{
				file: 'nodes/send-and-wait-path.test.mts',
				names: [
					'send and wait in an n8n behind a path of a reverse proxy',
					'the link of a question cannot continue another waiting node after it',
				],
			},
		],
	},
	{
		what: 'Retry after a time-out or Stop',
		tests: [
			{ file: 'nodes/stopped.test.mts', names: ['n8n ends an execution while it sends'] },
			{
				file: 'nodes/limits.test.mts',
				names: [
					'what n8n does that no node can change',
					'n8n keeps nothing to retry of a manual execution that was stopped',
				],
			},
		],
	},
	{
		what: 'Identifiers that are the same after a crash',
		tests: [
			{
				file: 'nodes/killed.test.mts',
				names: [
					'n8n is killed while it sends, and the crashed execution is retried',
					'an accepted campaign is found in the logs, and each of its messages is returned as accepted',
				],
			},
		],
	},
	{
		what: 'Executions that wait for capacity',
		tests: [
			'of two answers while n8n is busy, only the one that counts is confirmed',
			'an answer that n8n had no capacity for is lost when n8n is killed, and the question open again',
		].map((name) => ({
			file: 'nodes/send-and-wait-late.test.mts',
			names: ['answers to a question whose execution n8n continues late', name],
		})),
	},
	{
		what: 'Protection of internal addresses',
		tests: [{ file: 'nodes/egress.test.mts', names: ["n8n's protection of internal addresses"] }],
	},
	{
		what: 'Allowed domains of a credential',
		tests: [
			{
				file: 'nodes/egress.test.mts',
				names: [
					"n8n's protection with the service's address allowed",
					"a credential's allowed domains",
					'apply to the Messaging node too: a Base URL outside them is not called',
				],
			},
		],
	},
	{
		what: 'Saving a credential with an empty field',
		tests: [
			{
				file: 'nodes/credential.test.mts',
				names: ["the credential's test button", 'refuses an empty address'],
			},
			{
				file: 'nodes/bad-input.test.mts',
				names: ['errors are sentences that a person understands', 'an address that was left empty'],
			},
		],
	},
];
