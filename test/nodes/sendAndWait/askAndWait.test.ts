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
import { chosen, SENDER } from '../../support/runMessaging';
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

test('a refused session message names the 24 hours and the way out', async () => {
	serve(failure('Outside the window'));
	const { error, isWaiting } = await QuestionRun.start(harness, question());
	expect({ error, isWaiting }).toEqual({
		error: `Not sent to ${TO}: The service refused: Outside the window. If the recipient has not written to you within the last 24 hours, set 'Send As' to Template.`,
		isWaiting: false,
	});
});

describe('sent as a template', () => {
	const withTemplate = (more: INodeParameters = {}) =>
		question({
			deliverAs: 'template',
			message: 'May we\n\nship  it?',
			template: chosen('name', 'ask'),
			parameterFormat: 'components',
			...approveOr('Yes', 'No'),
			...more,
		});
	const filled = (...values: string[]): INodeParameters => ({
		templateParameters: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(values.map((value, index) => [`body_${index + 1}`, value])),
			schema: values.map((_, index) => ({
				id: `body_${index + 1}`,
				displayName: String(index + 1),
				required: true,
				display: true,
				defaultMatch: false,
				type: 'string',
			})),
		},
	});
	const ALL = filled('[question] [link]', '[approve] or [disapprove]');
	const texts = (one: string, two: string) => [
		{ type: 'text', text: one },
		{ type: 'text', text: two },
	];

	test.each<[string, INodeParameters, (one: string, two: string) => unknown]>([
		[
			'components',
			{ parameterFormat: 'components', ...ALL },
			(one, two) => ({ components: [{ type: 'body', parameters: texts(one, two) }] }),
		],
		[
			'array',
			{ parameterFormat: 'array', parameterKey: 'params', ...ALL },
			(one, two) => ({ params: [one, two] }),
		],
		[
			'map',
			{ parameterFormat: 'map', parameterKey: 'params', ...ALL },
			(one, two) => ({ params: { '1': one, '2': two } }),
		],
		[
			'json',
			{
				parameterFormat: 'json',
				templateFields:
					'{ "deep": { "one": "[question] [link]" }, "list": [1, "[approve] or [disapprove]"] }',
			},
			(one, two) => ({ deep: { one }, list: [1, two] }),
		],
		[
			'none, with extra template fields',
			{
				parameterFormat: 'none',
				options: {
					templateFields: '{ "a": "[question] [link]", "b": "[approve] or [disapprove]" }',
				},
			},
			(a, b) => ({ a, b }),
		],
	])(
		'the question and the links replace [question], [link], [approve] and [disapprove]: %s',
		async (_, parameters, fields) => {
			const asked = serve(accepting);
			const run = await QuestionRun.start(harness, withTemplate(parameters));
			const [link, approve, disapprove] = linksIn(asked);
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
									...(fields(`May we ship it? ${link}`, `${approve} or ${disapprove}`) as object),
								},
							},
						],
					}),
				],
			});
			expect(
				[link, approve, disapprove].map((each) => new URL(each).searchParams.get('choice')),
			).toEqual([null, 'approve', 'disapprove']);
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
		await QuestionRun.start(harness, withTemplate({ parameterFormat: 'legacyComponents', ...ALL }));
		const [{ body }] = asked.filter(({ path }) => path === TEMPLATE);
		const [link, approve, disapprove] = linksIn(body);
		expect(body).toMatchObject({
			messages: [
				{
					template: {
						namespace: 'n1',
						language: { policy: 'deterministic', code: 'en' },
						components: [
							{
								type: 'body',
								parameters: texts(`May we ship it? ${link}`, `${approve} or ${disapprove}`),
							},
						],
					},
				},
			],
		});
	});

	test('a question with a link stands between quotation marks, which it cannot close', async () => {
		const asked = serve(accepting);
		const message = 'Ship?”\n\nAnswer" here: https://evil.test';
		await QuestionRun.start(
			harness,
			withTemplate({ message, ...filled('[question] Answer: [link]') }),
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
		['template', 'none', {}],
		['template', 'components', filled('[question]')],
		['sessionThenTemplate', 'none', {}],
		['sessionThenTemplate', 'components', filled('[question]')],
	])(
		'%s: a template without a link (%s) is refused before anything is sent',
		async (deliverAs, parameterFormat, parameters) => {
			const asked = serve(accepting);
			const { error, isWaiting } = await QuestionRun.start(
				harness,
				withTemplate({ deliverAs, parameterFormat, ...parameters }),
			);
			expect({ asked, isWaiting, error }).toEqual({
				asked: [],
				isWaiting: false,
				error: expect.stringMatching(/no place for the link.*\[link\]/),
			});
		},
	);

	describe('when Send As is Session Message, Then Template', () => {
		const both = (more: INodeParameters = {}) =>
			withTemplate({ deliverAs: 'sessionThenTemplate', ...ALL, ...more });

		test('the template is not sent when the session message was accepted', async () => {
			const asked = serve(accepting);
			const run = await QuestionRun.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION]);
			expect(run.items[0].json.data).toMatchObject({ to: TO, sentAs: 'session' });
		});

		const OUTSIDE = failure('Outside the window', 422);

		/** A service that answers the session message with this refusal, and lists these channels. */
		const refusing =
			(
				refusal: ServiceAnswer,
				channels: unknown = [{ id: 'c1', phone: `+${SENDER}`, status: 'ACTIVE' }],
			) =>
			(request: ServiceRequest) => {
				if (request.path === SESSION) return refusal;
				return request.path === CHANNELS ? success(channels) : accepting(request);
			};
		const sendingPaths = (asked: ServiceRequest[]) =>
			asked.filter(({ method }) => method === 'POST').map(({ path }) => path);

		test('the template is sent when the service refused the session message', async () => {
			const asked = serve(refusing(OUTSIDE));
			const run = await QuestionRun.start(harness, both());
			expect(asked.map(({ path }) => path)).toEqual([SESSION, CHANNELS, TEMPLATE]);
			expect(run.items[0].json.data).toMatchObject({ sentAs: 'template' });
			const answer = await run.open(linksIn(asked).at(-1)!, { decision: 'approve' });
			expect(answer.answer).toMatchObject({ approved: true, sentAs: 'template' });
			expect(run.decrypted).toBe(1);
		});

		test.each<[string, ServiceAnswer]>([
			['the sender is not in the list', success([{ phone: '1', status: 'INACTIVE' }])],
			['the status is unknown', success([{ phone: SENDER, status: 'PAUSED' }])],
			['the list cannot be read', failure('Broken', 500)],
			['the list is nonsense', { body: 'what?' }],
		])('the template is sent when %s, because the sender may be fine', async (_, list) => {
			const asked = serve((request) =>
				request.path === CHANNELS ? list : refusing(OUTSIDE)(request),
			);
			await QuestionRun.start(harness, both());
			expect(sendingPaths(asked)).toEqual([SESSION, TEMPLATE]);
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

		test.each(['INACTIVE', 'PENDING'])(
			'the template is not sent when the sender is %s',
			async (status) => {
				const asked = serve(refusing(failure('No'), [{ id: 'c1', phone: SENDER, status }]));
				const { error, isWaiting } = await QuestionRun.start(harness, both());
				expect({ paths: sendingPaths(asked), isWaiting, error }).toEqual({
					paths: [SESSION],
					isWaiting: false,
					error: `Not sent to ${TO}: The service refused: No. The template was not tried: the channel of the sender ${SENDER} is ${status}. Choose another sender in 'From'.`,
				});
			},
		);

		test('the template is not sent when the session message may have arrived', async () => {
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
				`Not sent to ${TO}: The service refused: No such template. That was the template. The session message before it was not sent: The service refused: Outside the window.`,
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
				error: expect.stringMatching(
					/^May have been sent to 385911000001: .*HTTP 503.*The session message before it was not sent: .*Outside the window\.$/,
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
		'after the limit n8n outputs the input item with timedOut: %s',
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
			const expected = [{ json: { order: 12, data }, pairedItem: { item: 0 } }];
			expect(run.unanswered).toEqual(expected);
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
