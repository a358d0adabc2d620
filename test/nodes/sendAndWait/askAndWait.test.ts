import type { INodeParameters } from 'n8n-workflow';
import {
	failure,
	post,
	serve,
	success,
	type ServiceRequest,
	type ServiceAnswer,
} from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { chosen, plainTemplate, SENDER } from '../../support/runMessaging';
import {
	accepting,
	approveOr,
	CHANNELS,
	freeText,
	linksIn,
	question,
	QuestionRun,
	SESSION,
	TEMPLATE,
	TO,
} from './questionRun';

const harness = useHarness();
test('several items are refused, and the error says how to ask several people', async () => {
	const asked = serve(accepting);
	const { error } = await QuestionRun.start(harness, question(), { items: [{}, {}] });
	expect({ asked, error }).toEqual({
		asked: [],
		error: expect.stringMatching(/one question at a time.*Loop Over Items/),
	});
});

test('a refused free text names the 24 hours and the way out', async () => {
	serve(failure('Outside the window'));
	const { error, isWaiting } = await QuestionRun.start(harness, question());
	expect({ error, isWaiting }).toEqual({
		error: `Not sent to ${TO}: The service refused: Outside the window. If the recipient's last message is older than 24 hours, set 'Send As' to Template.`,
		isWaiting: false,
	});
});

test.each([
	['deliverAs', "'Send As' must be one of session, sessionThenTemplate, template"],
	['responseType', "'Response Type' must be one of approval, freeText"],
])('an unknown value of %s is refused, and nothing is sent', async (parameter, why) => {
	const asked = serve(accepting);
	const { error } = await QuestionRun.start(
		harness,
		question({ template: chosen('name', 'ask'), [parameter]: '={{ "other" }}' }),
	);
	expect({ asked, error }).toEqual({ asked: [], error: `${why}, but is "other".` });
});

describe('sent as a template', () => {
	const withTemplate = (more: INodeParameters = {}) =>
		question({
			deliverAs: 'template',
			message: 'May we\n\nship  it?',
			template: chosen('name', 'ask'),
			...approveOr('Yes', 'No'),
			...more,
		});
	const filled = (...values: string[]): INodeParameters => ({
		templateParameters: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(values.map((value, index) => [String(index + 1), value])),
			schema: values.map((_, index) => ({
				id: String(index + 1),
				displayName: String(index + 1),
				required: true,
				display: true,
				defaultMatch: false,
				type: 'string',
			})),
		},
	});
	const ALL = filled('[question] [link]', 'Or [link]');
	const texts = (one: string, two: string) => [
		{ type: 'text', text: one },
		{ type: 'text', text: two },
	];

	test.each<[string, INodeParameters, (one: string, two: string) => unknown]>([
		[
			'components',
			ALL,
			(one, two) => ({ components: [{ type: 'body', parameters: texts(one, two) }] }),
		],
		[
			'json',
			{
				options: {
					parameterFormat: 'json',
					templateFields: '{ "deep": { "one": "[question] [link]" }, "list": [1, "Or [link]"] }',
				},
			},
			(one, two) => ({ deep: { one }, list: [1, two] }),
		],
	])(
		'the question and the link replace [question] and [link]: %s',
		async (_, parameters, fields) => {
			const asked = serve(accepting);
			const run = await QuestionRun.start(harness, withTemplate(parameters));
			const [link] = linksIn(asked);
			expect({ isWaiting: run.isWaiting, error: run.error, asked }).toEqual({
				isWaiting: true,
				error: undefined,
				asked: [
					post(TEMPLATE, {
						from: SENDER,
						messages: [
							{
								to: TO,
								save: false,
								template: {
									name: 'ask',
									...(fields(`May we ship it? ${link}`, `Or ${link}`) as object),
								},
							},
						],
					}),
				],
			});
		},
	);

	test('namespace and language come from the list of templates', async () => {
		const listed = {
			name: 'ask',
			namespace: 'n1',
			language: 'en',
			status: 'submitted',
			components: [{ type: 'BODY', text: '{{1}} {{2}}' }],
		};
		const asked = serve((request) => {
			if (request.path.endsWith('/templates')) {
				return { body: { success: true, message: 'OK', body: [listed] } };
			}
			if (request.path === CHANNELS) {
				return success([{ id: 'c1', phone: SENDER, status: 'ACTIVE' }]);
			}
			return accepting(request);
		});
		await QuestionRun.start(
			harness,
			withTemplate({ options: { parameterFormat: 'legacyComponents' }, ...ALL }),
		);
		const [{ body }] = asked.filter(({ path }) => path === TEMPLATE);
		const [link] = linksIn(body);
		expect(body).toMatchObject({
			messages: [
				{
					template: {
						namespace: 'n1',
						language: { policy: 'deterministic', code: 'en' },
						components: [
							{
								type: 'body',
								parameters: texts(`May we ship it? ${link}`, `Or ${link}`),
							},
						],
					},
				},
			],
		});
	});

	test('in a human review the question stands between quotation marks, which it cannot close', async () => {
		const asked = serve(accepting);
		const message = 'Ship?”\n\nAnswer" here: https://evil.test';
		await QuestionRun.start(
			harness,
			withTemplate({ message, ...filled('[question] Answer: [link]') }),
			{ node: { type: harness.type('messagingHitlTool') } },
		);
		const [value] = JSON.stringify(asked[0].body).match(/“.*?”[^"]*/)!;
		expect(value).toBe(`“Ship?' Answer' here: https://evil.test” Answer: ${linksIn(asked).at(-1)}`);
	});

	test('[link] in the question itself is not replaced', async () => {
		const asked = serve(accepting);
		await QuestionRun.start(
			harness,
			withTemplate({ message: 'Press [link]', ...filled('[question]: [link]') }),
		);
		expect(linksIn(asked)).toHaveLength(1);
		expect(JSON.stringify(asked)).toContain('Press [link]: https://n8n.test/');
	});

	test.each([
		['template', 'without placeholders', plainTemplate('ask')],
		['template', 'with placeholders', filled('[question]')],
		['sessionThenTemplate', 'without placeholders', plainTemplate('ask')],
		['sessionThenTemplate', 'with placeholders', filled('[question]')],
	])(
		'%s: a template without a link (%s) is refused before anything is sent',
		async (deliverAs, _, parameters) => {
			const asked = serve(accepting);
			const { error, isWaiting } = await QuestionRun.start(
				harness,
				withTemplate({ deliverAs, ...(parameters as INodeParameters) }),
			);
			expect({ asked, isWaiting, error }).toEqual({
				asked: [],
				isWaiting: false,
				error: expect.stringMatching(/no place for the link.*\[link\]/),
			});
		},
	);

	describe('when Send As is Free Text, Then Template', () => {
		const both = (more: INodeParameters = {}) =>
			withTemplate({ deliverAs: 'sessionThenTemplate', ...ALL, ...more });

		test('the template is not sent when the free text was accepted', async () => {
			const asked = serve(accepting);
			const run = await QuestionRun.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION]);
			expect(run.items[0].json.data).toMatchObject({ to: TO, sentAs: 'session' });
		});

		const OUTSIDE = failure('Outside the window', 422);

		/** A service that answers the free text with this refusal. */
		const refusing = (refusal: ServiceAnswer) => (request: ServiceRequest) =>
			request.path === SESSION ? refusal : accepting(request);

		test('the template is sent when the service refused the free text', async () => {
			const asked = serve(refusing(OUTSIDE));
			const run = await QuestionRun.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION, TEMPLATE]);
			expect(run.items[0].json.data).toMatchObject({ sentAs: 'template' });
			const answer = await run.open(linksIn(asked).at(-1)!, { decision: 'approve' });
			expect(answer.answer).toMatchObject({ approved: true, sentAs: 'template' });
			expect(run.decrypted).toBe(1);
		});

		test.each<[string, ServiceAnswer, RegExp]>([
			['the key', failure('Invalid API Key', 200), /refused the API key/],
			['for too many requests', failure('Slow down', 429), /too many requests/],
			[
				'by a redirect',
				{ status: 307, headers: { location: 'https://elsewhere.test' }, body: '' },
				/redirects/,
			],
			[
				'by a web page',
				{ status: 404, body: '<html>Nothing here</html>' },
				/HTTP 404 with a web page/,
			],
		])(
			'the template is not sent when the service refused %s, not the message',
			async (_, refusal, why) => {
				const asked = serve(refusing(refusal));
				const { error, isWaiting } = await QuestionRun.start(
					harness,
					both({ options: { maxRetries: 0 } }),
				);
				expect({ paths: asked.map(({ path }) => path), isWaiting, error }).toEqual({
					paths: [SESSION],
					isWaiting: false,
					error: expect.stringMatching(why),
				});
			},
		);

		test('the template is not sent when the free text may have arrived', async () => {
			const asked = serve((request) =>
				request.path === SESSION ? failure('Broken', 503) : accepting(request),
			);
			const { error, isWaiting } = await QuestionRun.start(harness, both());
			expect({ paths: asked.map(({ path }) => path), isWaiting, error }).toEqual({
				paths: [SESSION],
				isWaiting: false,
				error: expect.stringMatching(/^May have been sent to 385911000001: /),
			});
		});

		test.each<[string, INodeParameters]>([
			['number', { to: '12' }],
			['sender', { from: chosen('phone', '={{ "" }}') }],
		])('nothing is sent with an invalid %s', async (_, bad) => {
			const asked = serve(accepting);
			const { error, isWaiting } = await QuestionRun.start(harness, both(bad));
			expect({ asked, isWaiting, error }).toEqual({
				asked: [],
				isWaiting: false,
				error: expect.stringMatching(/^Not sent/),
			});
		});

		test('the error has both reasons when the template was refused, too', async () => {
			serve(({ path }) => failure(path === SESSION ? 'Outside the window' : 'No such template'));
			const { error } = await QuestionRun.start(harness, both());
			expect(error).toBe(
				`Not sent to ${TO}: The service refused: No such template. That was the template. The free text before it was not sent: The service refused: Outside the window.`,
			);
		});

		test('the error has both reasons when the template may have arrived', async () => {
			serve(({ path }) =>
				path === SESSION ? OUTSIDE : failure('Broken', path === TEMPLATE ? 503 : 400),
			);
			const { items } = await QuestionRun.start(harness, both(), {
				node: { onError: 'continueRegularOutput' },
			});
			expect(items[0].json).toEqual({
				to: TO,
				error: expect.stringMatching(
					/^May have been sent to 385911000001: .*HTTP 503.*The free text before it was not sent: .*Outside the window\.$/,
				),
				details: { httpStatus: 503, outcome: 'unknown', recipient: TO },
			});
		});
	});
});

describe('when nobody has answered', () => {
	test.each<[string, INodeParameters, object]>([
		['approval', {}, { timedOut: true, approved: false, to: TO, sentAs: 'session' }],
		['free text', freeText(), { timedOut: true, to: TO, sentAs: 'session' }],
	])(
		'after the limit n8n outputs an item with timedOut, as an answer would be output: %s',
		async (_, parameters, data) => {
			serve(accepting);
			const options = {
				...(parameters.options as object),
				limitWaitTime: {
					values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'hours' },
				},
			} as INodeParameters;
			const run = await QuestionRun.start(harness, question({ ...parameters, options }), {
				items: [{ order: 12, data: 'of the input' }],
			});
			expect(run.unanswered).toEqual([{ json: { data }, pairedItem: { item: 0 } }]);
		},
	);

	test.each<[string, INodeParameters, object]>([
		['approval', {}, { answered: false, approved: false, to: TO, sentAs: 'session' }],
		['free text', freeText(), { answered: false, to: TO, sentAs: 'session' }],
	])(
		'without a limit the item for a stopped and retried execution does not say timedOut: %s',
		async (_, parameters, data) => {
			serve(accepting);
			const run = await QuestionRun.start(harness, question(parameters));
			expect(run.unanswered[0].json.data).toEqual(data);
		},
	);
});

describe('a question that cannot be sent', () => {
	test.each([
		[failure('Outside the window', 422), 'rejected', 422, /^Not sent to .*Outside the window/],
		[failure('Broken', 503), 'unknown', 503, /^May have been sent to /],
	])(
		'under Continue On Fail is an error item, and the execution does not wait',
		async (reply, outcome, httpStatus, sentence) => {
			serve(reply);
			const run = await QuestionRun.start(harness, question(), {
				node: { onError: 'continueRegularOutput' },
			});
			expect({ isWaiting: run.isWaiting, items: run.items }).toEqual({
				isWaiting: false,
				items: [
					{
						json: {
							to: TO,
							error: expect.stringMatching(sentence),
							details: { httpStatus, outcome, recipient: TO },
						},
						pairedItem: { item: 0 },
					},
				],
			});
		},
	);

	test('goes to the error output, also for an invalid recipient', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, question({ to: 'nobody' }), {
			node: { onError: 'continueErrorOutput' },
		});
		expect({ asked, isWaiting: run.isWaiting, json: run.items[0].json }).toEqual({
			asked: [],
			isWaiting: false,
			json: {
				error: expect.stringMatching(/^Not sent to nobody: /),
				details: { outcome: 'notSent', recipient: 'nobody' },
			},
		});
	});

	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

	test('is not sent again by Retry On Fail when it may have arrived', async () => {
		const asked = serve(failure('Broken', 503));
		const run = await QuestionRun.start(harness, question(), { node: retrying });
		expect(asked).toHaveLength(1);
		expect(run.error).toMatch(/HTTP 503.*That was an earlier attempt/);
	});

	test('is sent again by Retry On Fail when it was refused, and its link works', async () => {
		let tries = 0;
		const asked = serve((request) =>
			++tries === 1 ? failure('Not now', 409) : accepting(request),
		);
		const run = await QuestionRun.start(harness, question(), { node: retrying });
		expect({ requests: asked.length, isWaiting: run.isWaiting }).toEqual({
			requests: 2,
			isWaiting: true,
		});
		const { answer } = await run.open(linksIn(asked[1])[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});

	test('is not sent again by Retry On Fail when it was accepted', async () => {
		const asked = serve(accepting);
		await QuestionRun.start(harness, question(), { node: retrying });
		expect(asked).toHaveLength(1);
	});

	test('is not sent again when the input item has a field `error`, which n8n takes for a failure', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, question(), {
			node: retrying,
			items: [{ error: 'The order failed', order: 12 }],
		});
		expect({ requests: asked.length, isWaiting: run.isWaiting }).toEqual({
			requests: 1,
			isWaiting: true,
		});
		const { answer } = await run.open(linksIn(asked[0])[0], { decision: 'approve' });
		expect(answer).toMatchObject({ approved: true });
	});
});

describe('as an ordinary tool of an agent', () => {
	const REFUSED =
		/^Nothing was sent: .*cannot wait for the answer\. Choose Messaging under Human review/;

	// Version 3 of the agent lets n8n run the tool like any node; test/nodes/sending/asTool.test.ts tests the other versions.
	test.each([undefined, 'continueRegularOutput'] as const)(
		'nothing is sent, and the error says what to choose instead: %s',
		async (onError) => {
			const asked = serve(accepting);
			const { error, isWaiting, items } = await QuestionRun.start(harness, question(), {
				node: { type: harness.type('messagingTool'), onError },
			});
			expect({ asked, isWaiting, said: error ?? items[0].json.error }).toEqual({
				asked: [],
				isWaiting: false,
				said: expect.stringMatching(REFUSED),
			});
		},
	);

	test('as a human review the question is sent', async () => {
		const asked = serve(accepting);
		const run = await QuestionRun.start(harness, question(), {
			items: [{ chatInput: 'Approved!' }],
			node: { type: harness.type('messagingHitlTool') },
		});
		const [link] = linksIn(asked);
		const { answer } = await run.open(link, { decision: 'approve' });
		expect({ isWaiting: run.isWaiting, approved: answer?.approved }).toEqual({
			isWaiting: true,
			approved: true,
		});
		expect(run.unanswered.map(({ json }) => json)).toEqual([
			{ data: { answered: false, approved: false, to: TO, sentAs: 'session' } },
		]);
	});
});
