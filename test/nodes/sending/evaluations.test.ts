import { Expression, type INodeParameters } from 'n8n-workflow';
import { Execution } from '../../support/execution';
import { useHarness } from '../../support/harness';
import { useSandbox } from '../../support/sandbox';
import { phones, sendParameters, SENDS, type SendName } from '../../support/sendOperations';

/*
 * Evaluating an expression costs more than a request, so the speed of a run depends on the number of evaluations. Two
 * evaluations could also give two values for one message.
 */

jest.setTimeout(60_000);

const sandbox = useSandbox();
const harness = useHarness();

/** Counts the evaluations of each expression of a run. */
async function evaluations(send: SendName, { options = {}, ...expressions }: Expressions) {
	const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const execution = await Execution.start(harness, {
		parameters: { ...sendParameters(send, options), ...expressions },
		items: phones(COUNT).map((phone, index) => ({ phone, text: `Hello ${index}` })),
		credentials: sandbox.credentials,
	});
	const asked = resolve.mock.calls.map(([value]) => value);
	resolve.mockRestore();
	expect(execution.error).toBeUndefined();
	return Object.fromEntries(
		expressionsIn({ ...expressions, options } as Expressions).map((text) => [
			text,
			asked.filter((each) => each === text).length,
		]),
	);
}

const COUNT = 20;

/** Parameters with expressions; in `options`, too. */
type Expressions = INodeParameters & { options?: INodeParameters };

const expressionsIn = ({ options = {}, ...parameters }: Expressions) =>
	[...Object.values(parameters), ...Object.values(options)].filter((value) =>
		String(value).startsWith('='),
	);

const ofEach: Record<string, Expressions> = {
	sendText: { to: '={{ $json.phone + "" }}', message: '={{ $json.text.trim() }}' },
	sendTemplate: {
		to: '={{ $json.phone + "" }}',
		options: { parameterFormat: 'json', templateFields: '={{ ({ n: $itemIndex }) }}' },
	},
	sendCampaign: {
		to: '={{ $json.phone + "" }}',
		options: {
			identifier: '={{ $json.text + Math.random() }}',
			parameterFormat: 'json',
			templateFields: '={{ ({ n: $itemIndex }) }}',
		},
	},
};

test.each(Object.entries(SENDS))(
	'%s: each expression once for each item',
	async (send, { endpoint }) => {
		const expressions = ofEach[endpoint];
		expect(await evaluations(send as SendName, expressions)).toEqual(
			Object.fromEntries(
				expressionsIn(expressions).map((text) => [
					text,
					// The collection of options is also read once as a whole.
					Object.values(expressions.options ?? {}).includes(text) ? COUNT + 1 : COUNT,
				]),
			),
		);
	},
);
