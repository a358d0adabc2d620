import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import { formatNodeResult, NodeTypeParser } from '@n8n/ai-utilities/node-catalog';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { WorkflowExecute } from 'n8n-core';
import { START, useHarness } from '../support/harness';
import { beginsAt, itemsOf } from '../support/n8n';
import { useEmptySandbox } from '../support/sandbox';
import { build } from './files';

/*
 * What n8n's assistants (the AI Workflow Builder, the MCP server) and the canvas show of the built nodes; the first made by n8n's own packages in
 * their newest version. test/real-n8n/nodes/assistants.test.mts searches the nodes among all of n8n's own.
 */

jest.setTimeout(120_000);
beforeAll(build);
const harness = useHarness({ source: false });

/** The description as n8n gives it to an assistant: with the full type name, without hidden fields (`synthesize-type-def.js`). */
function descriptionOf(name: string): INodeTypeDescription {
	const description = harness.description(name);
	const properties = description.properties.filter(({ type }) => type !== 'hidden');
	return { ...description, name: harness.type(name), properties };
}

type SdkDescription = Parameters<typeof generateNodeTypeFile>[0];
const typesOf = (name: string) => generateNodeTypeFile(descriptionOf(name) as SdkDescription);

/** The type of an operation's parameters, with its description. */
function operationType(name: string): string {
	const types = typesOf('messaging');
	const begin = types.indexOf(`export type MessagingV1${name}Params = {`);
	if (begin < 0) throw new Error(`No type for ${name}`);
	return types.slice(types.lastIndexOf('/**', begin), types.indexOf('\n};', begin));
}

/** The comment above a parameter, and its type. */
function parameter(operation: string, name: string) {
	const type = operationType(operation);
	const found = new RegExp(`^ *${name}(\\??): (.*)$`, 'm').exec(type);
	if (!found) throw new Error(`${operation} has no ${name}`);
	const comment = type.slice(type.lastIndexOf('/**', found.index), found.index);
	return { comment, isOptional: found[1] === '?', type: found[2] };
}

const shown = (tested: INode, text: string) => {
	const workflow = harness.workflow([tested]);
	const node = workflow.getNode(tested.name)!;
	return workflow.expression.getSimpleParameterValue(node, text, 'internal', {});
};

const SENDS = ['MessageSendText', 'MessageSendTemplate', 'CampaignSend'];

describe.each(SENDS)('%s', (send) => {
	test('has its mode, with the three values, and says what happens without it', () => {
		const { comment, type } = parameter(send, 'sendMode');
		expect(type).toBe("'send' | 'test' | 'dryRun';");
		expect(comment).toContain("@builderHint Build with 'dryRun': nothing is sent");
		expect(comment).toContain("Left out, it is 'send': everybody gets the message");
	});

	test('the number of a test does not read as if it were enough', () => {
		const { comment } = parameter(send, 'testRecipient');
		expect(comment).toMatch(/for the mode Test: .+ In another mode it has no effect/);
		expect(comment).not.toContain('nobody else');
	});
});

test('what a workflow must say is marked as required, also where n8n declares it as optional', () => {
	const needed = SENDS.flatMap((send) =>
		['from', 'to', ...(send.endsWith('Text') ? ['message'] : ['template'])].map((name) => ({
			name: `${send} ${name}`,
			...parameter(send, name),
		})),
	);
	const unmarked = needed.filter(
		({ isOptional, comment }) => isOptional && !comment.includes('@builderHint Required'),
	);
	expect(unmarked.map(({ name }) => name)).toEqual([]);
});

test('the keys of Placeholders are named', () => {
	const { comment } = parameter('CampaignSend', 'templateParameters');
	expect(comment).toContain("value: { '1': …, '2': … }");
	expect(comment).toContain('the names between the braces');
});

/* An option's default is what a person gets who adds it. */
test.each([
	['CampaignSend', 'onDuplicateRecipient', 'Without this option both messages are sent'],
	['CampaignSend', 'save', 'Without this option it does not'],
	['CampaignSend', 'sendUnusual', 'Without this option they are refused'],
	['CampaignGetReport', 'html', 'Without this option it is not added'],
	['CampaignGetReport', 'waitForCompletion', 'Without this option the report is of this moment'],
	['MessageSendAndWait', 'limitWaitTime', 'Without this option it waits as long as it takes'],
	['ChannelGetAll', 'status', 'Without this filter, those with any'],
])(
	'%s: %s says what it is without it, and the types that this is not the default',
	(operation, name, sentence) => {
		expect(parameter(operation, name).comment).toContain(sentence);
		expect(typesOf('messaging')).toContain('An option that is left out is not its @default');
	},
);

/* Assistants do not see the labels, which have the units. */
test.each([
	['CampaignGetReport', 'longestWait', 'Minutes'],
	['CampaignGetReport', 'interval', 'Seconds'],
	['CampaignSend', 'timeout', 'milliseconds'],
	['CampaignSend', 'batchInterval', 'Milliseconds'],
])('%s: the description of %s has its unit', (operation, name, unit) => {
	expect(parameter(operation, name).comment).toContain(unit);
});

test('each operation is described by its own words, and not by those of an operation of the same name', () => {
	const { properties } = descriptionOf('messaging');
	const operations = properties.filter(({ name }) => name === 'operation');
	const wrong = operations.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions!.show!.resource as string[];
		return options.flatMap((option) => {
			const { value, description } = option as { value: string; description: string };
			const [first] = operationType(pascal(resource) + pascal(value)).split('*/');
			return first.includes(description) ? [] : [`${resource} ${value}: ${first}`];
		});
	});
	expect(wrong).toEqual([]);
});

const pascal = (name: string) => name[0].toUpperCase() + name.slice(1);

describe('the search', () => {
	const found = () => {
		const parser = new NodeTypeParser([descriptionOf('messaging')] as never);
		return formatNodeResult(parser, harness.type('messaging'))!;
	};
	/** What it says about an operation. */
	const about = (operation: string) =>
		new RegExp(`^ *- ${operation}\n(?: {14}.*\n){1,2}`, 'm').exec(found())![0];

	test('shows how the node is used, and that a loop is wrong', () => {
		for (const part of [
			"sendMode 'dryRun'",
			'no loop, batch or wait',
			'n8n-nodes-base.dataTable',
		]) {
			expect(found()).toContain(part);
		}
		expect(about('send')).toContain('@builderHint One call for the whole list');
	});

	test('names the fields of the outputs: the id of the campaign, the numbers of the report', () => {
		for (const field of ['to', 'identifier', 'campaign_id', 'error', 'details']) {
			expect(about('send')).toContain(`'${field}'`);
		}
		for (const field of [
			'text',
			'recipients',
			'statuses.delivered',
			'statuses.failed',
			'complete',
		]) {
			expect(about('getReport')).toContain(`'${field}'`);
		}
		expect(about('sendAndWait')).toContain("'data.approved' (boolean)");
	});
});

/* What a person reads on the canvas, evaluated as the editor does it. */
test.each([
	[{ resource: 'campaign', operation: 'send', sendMode: 'dryRun' }, 'dry run: campaign'],
	[{ resource: 'campaign', operation: 'send', sendMode: 'test' }, 'test: campaign'],
	[{ resource: 'campaign', operation: 'send' }, 'send: campaign'],
	[{ resource: 'message', operation: 'sendTemplate', sendMode: 'send' }, 'send template: message'],
	// The mode of an operation that the person chose before is not shown.
	[{ resource: 'campaign', operation: 'getReport', sendMode: 'dryRun' }, 'get report: campaign'],
	[{ resource: 'otpTemplate', operation: 'getAll' }, 'get all: otp template'],
])('the subtitle of %j is "%s"', (parameters, subtitle) => {
	const node = harness.node('messaging', parameters);
	expect(shown(node, harness.description('messaging').subtitle!)).toBe(subtitle);
});

test('a waiting question says what it waits for, and no other operation says anything', () => {
	const tooltip = harness.description('messaging').waitingNodeTooltip!;
	const ask = { resource: 'message', operation: 'sendAndWait' };
	expect(shown(harness.node('messaging', ask), tooltip)).toMatch(/when the person has answered$/);
	expect(shown(harness.node('messaging', { resource: 'campaign' }), tooltip)).toBe('');
});

test('the trigger says what it does not do, and what a person must do', () => {
	expect(typesOf('messagingTrigger')).toMatch(/never when a customer writes.+A person must enter/);
});

/*
 * Four workflows as somebody writes them who has only these types and hints: what is optional is left out, the rest is written as
 * they say. Each begins as a dry run.
 */
describe('workflows built from the types and hints alone', () => {
	const sandbox = useEmptySandbox();

	const rows = [
		{ name: 'Ada Brown', phone: '+44 7700 900211' },
		{ name: 'Ben Castillo', phone: '+44 7700 900212' },
	];
	const send = {
		resource: 'campaign',
		operation: 'send',
		sendMode: 'dryRun',
		from: { __rl: true, mode: 'phone', value: '447700900100' },
		to: '={{ $json.phone }}',
		template: { __rl: true, mode: 'name', value: 'spring_offer' },
		templateParameters: {
			mappingMode: 'defineBelow',
			value: { '1': '={{ $json.name }}', '2': '20%' },
		},
	};
	const report = { resource: 'campaign', operation: 'getReport' };
	const andWait = { options: { waitForCompletion: { values: { longestWait: 1, interval: 1 } } } };

	/** Runs these nodes in a row. @returns the items of each, and the errors */
	async function run(input: IDataObject[], ...parameters: INodeParameters[]) {
		const nodes = parameters.map((each, nth) =>
			harness.node('messaging', each, { id: `${nth}`, name: `Messaging ${nth}` }),
		);
		const data = createRunExecutionData(beginsAt(START, [itemsOf(input)]));
		const engine = new WorkflowExecute(
			harness.additionalData(sandbox.credentials),
			'trigger',
			data,
		);
		const { resultData } = (
			await engine.processRunExecutionData(harness.workflow([START, ...nodes]))
		).data;
		expect(resultData.error).toBeUndefined();
		return nodes.map(({ name }) =>
			resultData.runData[name][0].data!.main[0]!.map(({ json }) => json),
		);
	}
	const accepted = async () => (await sandbox.counts()).accepted.messages;
	const requests = async () => (await sandbox.counts()).requests.byEndpoint.sendCampaign;

	test('"send the offer to my sheet and tell me how many got it"', async () => {
		const [shown, told] = await run(rows, send, { ...report, ...andWait });
		expect(shown.map(({ text }) => text)).toEqual([
			expect.stringContaining('Ada Brown, take 20% off'),
			expect.stringContaining('Ben Castillo, take 20% off'),
		]);
		expect(told).toMatchObject([{ text: expect.stringContaining('nothing was sent') as string }]);
		expect(await accepted()).toBe(0);

		// The person has read the texts.
		const [sent, summary] = await run(
			rows,
			{ ...send, sendMode: 'send' },
			{ ...report, ...andWait },
		);
		expect(sent.map((item) => Object.keys(item))).toEqual([
			['to', 'identifier', 'campaign_id'],
			['to', 'identifier', 'campaign_id'],
		]);
		expect(summary).toMatchObject([{ recipients: 2, complete: true, statuses: { delivered: 2 } }]);
		expect([await requests(), await accepted()]).toEqual([1, 2]);
	});

	test('"every Monday to the new rows, and let me see it first": nothing leaves', async () => {
		const [shown] = await run(rows, send);
		expect(shown.every(({ dryRun, text }) => dryRun === true && text)).toBe(true);
		expect(await accepted()).toBe(0);
	});

	test('"when a campaign is finished, tell Slack": the trigger’s item is enough for the report', async () => {
		const [[{ campaign_id: id }]] = await run(rows, { ...send, sendMode: 'send' });
		const [summary] = await run(
			[{ event: 'campaignCompleted', campaign_id: id, body: {} }],
			report,
		);
		expect(summary).toMatchObject([
			{ campaign_id: id, text: expect.stringContaining('2') as string },
		]);
	});

	test('"an agent answers questions about orders": its tool shows the text and sends nothing', async () => {
		const { from, to, sendMode } = send;
		const text = { resource: 'message', operation: 'sendText', from, to, sendMode };
		const [shown] = await run(rows, { ...text, message: 'It left our warehouse today.' });
		expect(shown).toMatchObject([{ text: 'It left our warehouse today.', dryRun: true }, {}]);
		expect(await accepted()).toBe(0);
	});
});
