import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import { formatNodeResult, NodeTypeParser } from '@n8n/ai-utilities/node-catalog';
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { resources } from '../../nodes/Messaging/resources';
import { useHarness } from '../support/harness';
import { readSchema, type Schema } from './files';

/*
 * What n8n's assistants (the AI Workflow Builder, the MCP server) read about the nodes, made by n8n's own packages in their newest
 * version. test/real-n8n/nodes/search.test.mts has the words that find the nodes.
 */

jest.setTimeout(60_000);
const harness = useHarness();
const NODES = ['messaging', 'messagingTrigger', 'messagingLogTrigger'];

/** The description as n8n gives it to an assistant: with the full type name, without hidden fields (`synthesize-type-def.js`). */
function descriptionOf(name: string): INodeTypeDescription {
	const description = harness.description(name);
	const properties = description.properties.filter(({ type }) => type !== 'hidden');
	return { ...description, name: harness.type(name), properties };
}

type SdkDescription = Parameters<typeof generateNodeTypeFile>[0];
const typesOf = (name: string) => generateNodeTypeFile(descriptionOf(name) as SdkDescription);

/** What the search says about a node, and below it about each operation. */
const found = (name: string) =>
	formatNodeResult(new NodeTypeParser([descriptionOf(name)] as never), harness.type(name))!;

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
	const at = new RegExp(`^ *${name}(\\??): (.*)$`, 'm').exec(type);
	if (!at) throw new Error(`${operation} has no ${name}`);
	const comment = type.slice(type.lastIndexOf('/**', at.index), at.index);
	return { comment, isOptional: at[1] === '?', type: at[2] };
}

const SENDS = ['MessageSendText', 'MessageSendTemplate', 'CampaignSend'];

/* n8n leaves a parameter out of the types when it takes it for a discriminator, such as one that is called `mode`. */
test.each(SENDS)('%s: an assistant knows the mode', (send) => {
	expect(parameter(send, 'sendMode').type).toBe("'send' | 'test' | 'dryRun';");
});

/* An assistant sees neither labels, which have the units, nor what holds without an option: a default is what it has when it is added. */
test.each([
	...SENDS.flatMap((send) => [
		[send, 'sendMode', "@builderHint Build with 'dryRun': nothing is sent"],
		[send, 'sendMode', "'country' its calling code, such as '+44'"],
		[
			send,
			'sendMode',
			"one that cannot be sent is among them, with 'status' invalid and its 'reason'",
		],
		[send, 'sendMode', "Left out, it is 'send': everybody gets the message"],
		[send, 'testRecipient', 'In another mode it has no effect'],
	]),
	['CampaignSend', 'templateParameters', "value: { '1': …, '2': … }"],
	['CampaignSend', 'templateFields', 'An authentication template also needs its code in'],
	['MessageSendTemplate', 'templateFields', "{ type: 'button', sub_type: 'url', index: '0'"],
	['CampaignSend', 'onDuplicateRecipient', 'Without this option, both messages are sent'],
	['CampaignSend', 'onDuplicateRecipient', "@builderHint Set 'skip' for a list"],
	['CampaignSend', 'save', 'Without this option the node does not say'],
	['CampaignSend', 'sendUnusual', 'Without this option, they are refused'],
	['CampaignSend', 'sendUnusual', '@builderHint A person sets it'],
	...SENDS.map((send) => [send, 'code', '@builderHint Never set it: the person reads it']),
	['CampaignSend', 'timeout', 'milliseconds'],
	['CampaignSend', 'batchInterval', 'Milliseconds'],
	['CampaignGetReport', 'html', 'Without this option, it is not added'],
	['CampaignGetReport', 'waitForCompletion', 'Without this option, the report shows this moment'],
	['CampaignGetReport', 'waitForCompletion', '5, interval: 10 } }: minutes for'],
	['CampaignGetReport', 'longestWait', 'How many minutes'],
	['CampaignGetReport', 'interval', 'How many seconds'],
	['MessageSendAndWait', 'message', '@builderHint It is sent whenever the node runs'],
	['MessageSendAndWait', 'deliverAs', "later than 24 hours after the person's last message"],
	['MessageSendAndWait', 'approvalOptions', 'Without this option the person can only approve'],
	['MessageSendAndWait', 'deliverAs', "without '[link]' nothing is sent"],
	['MessageSendAndWait', 'deliverAs', 'the template only if free text is refused'],
	['MessageSendAndWait', 'limitWaitTime', 'Without this option, it waits indefinitely'],
	['MessageSendAndWait', 'limitWaitTime', "'data.answered': false"],
	['ChannelGetAll', 'status', 'Without this filter, channels with any status'],
])('%s: %s says "%s"', (operation, name, sentence) => {
	expect(parameter(operation, name).comment).toContain(sentence);
});

test.each([
	['messaging', 'An option that is left out is not its @default'],
	['messaging', 'no loop, batch or wait'],
	['messaging', 'Never set code or options.sendUnusual'],
	[
		'messaging',
		"without a dry run or a test: set 'to' to a placeholder for the person's own number",
	],
	['messaging', "'accepted' (not delivered yet)"],
	['messaging', 'With onError left out, a message that cannot be sent stops the workflow'],
	[
		'messaging',
		"In an error output are also those that may have been sent: 'details.outcome' is 'unknown' there",
	],
	['messaging', "the items whose 'details.outcome' is 'rejected'"],
	['messaging', 'with fromAi the model chooses who gets it, and a person must review each call'],
	['messaging', "A single message may have a 'campaign_id' of its own"],
	['messaging', "only 'delivered' is documented"],
	['messaging', 'never guess those that are for good'],
	['messaging', "Compare 'to' with the 'to' of a dry run"],
	['messaging', "'delivered' is the only status that the service documents"],
	['messaging', 'a green execution tells nobody'],
	['messaging', "none of the row's other fields"],
	['messaging', "'data.answered' is false"],
	[
		'messaging',
		"'to', 'status', 'reason', 'id' and 'externalId'; one that failed also has 'error'",
	],
	['messaging', "'to', 'status', 'reason' and 'serviceStatus'"],
	['messaging', 'It cannot send an OTP template'],
	[
		'messaging',
		'A login code reaches people who have not written within 24 hours only by a template',
	],
	['messaging', 'category AUTHENTICATION'],
	['messaging', "n8n's Crypto node makes the digits"],
	['messaging', 'free text for Send Text, for people who wrote within the last 24 hours'],
	['messaging', 'It reaches only people who wrote within the last 24 hours'],
	['messaging', 'tell the person to check it before anything is sent'],
	['messaging', "Ask the 'status' of an output item, never whether it has an 'error'"],
	['messaging', 'n8n-nodes-messaging.messagingTrigger'],
	['messaging', 'n8n-nodes-messaging.messagingLogTrigger'],
	['messaging', "With output 'both' the summary is an item of its own"],
	['messagingTrigger', "with 'smsDeliveryReport' in 'events'"],
	['messagingTrigger', 'never when a customer writes'],
	['messagingTrigger', 'A person must enter its production URL'],
	['messagingLogTrigger', 'it needs no URL'],
	['messagingLogTrigger', "Set 'campaignId' if one is known"],
	['messagingLogTrigger', "set 'status' and leave 'changes' out"],
])('the search says about %s: "%s"', (name, sentence) => {
	expect(found(name)).toContain(sentence);
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

/* n8n takes the operations of the same name of all resources for one. */
test('each operation is described by its own words', () => {
	const pascal = (name: string) => name[0].toUpperCase() + name.slice(1);
	const wrong = resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value, description }) => {
			const [first] = operationType(pascal(resource) + pascal(value)).split('*/');
			return first.includes(description) ? [] : [`${resource} ${value}: ${first}`];
		}),
	);
	expect(wrong).toEqual([]);
});

/* schema.test.ts compares the previews with what the operations output. */
test('the fields of an output that a hint names are those of its preview', () => {
	const has = (preview: Schema | undefined, path: string) =>
		path
			.split('.')
			.reduce<Schema | undefined>((schema, field) => schema?.properties?.[field], preview);
	const wrong = descriptionOf('messaging')
		.properties.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).flatMap(({ value, builderHint }) => {
				const operation = `${String(displayOptions!.show!.resource![0])}/${String(value)}`;
				const { propertyHint = '' } = builderHint ?? {};
				const [outputs = ''] = /It outputs .+?(?:;|\.(?= |$))/.exec(propertyHint) ?? [];
				const named = [...outputs.matchAll(/'([\w.]+)'/g)].map(([, path]) => path);
				if (named.length === 0) return [`${operation}: the hint names none`];
				if (!readSchema(operation))
					return [
						`${operation}: no preview; UPDATE_SCHEMAS=1 npx jest test/nodes/schema writes it`,
					];
				const others = named.filter((path) => !has(readSchema(operation), path));
				return others.map((path) => `${operation}: ${path}`);
			}),
		);
	expect(wrong).toEqual([]);
});

test('an option that a hint names exists', () => {
	const missing = NODES.flatMap((name) => {
		const types = typesOf(name);
		return [...JSON.stringify(descriptionOf(name)).matchAll(/\boptions\.(\w+)/g)]
			.map(([, option]) => option)
			.filter((option) => !new RegExp(`^ *${option}\\?: `, 'm').test(types));
	});
	expect(missing).toEqual([]);
});
