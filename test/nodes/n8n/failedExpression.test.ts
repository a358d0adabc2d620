import type { INodeProperties } from 'n8n-workflow';
import { failedExpression, fieldLabel } from '../../../nodes/Messaging/n8n/failedExpression';
import { credentials } from '../../support/mockService';
import { useHarness } from '../../support/harness';
import { sending } from '../../support/runMessaging';
import { Execution } from '../execution';

const harness = useHarness();

/** Options of the run, which are read together: n8n names only *Options*. */
const TOGETHER = [
	'batchInterval',
	'html',
	'id',
	'joinInputItems',
	'maxRecipients',
	'messageButtonLabel',
	'timeout',
	'waitForCompletion',
];
/** They take no expression. */
const FIXED = ['sendMode', 'sendUnusual', 'testRecipient'];

test('the label of each parameter is that of the editor', () => {
	const labels: Array<[string, string]> = [];
	const walk = (properties: INodeProperties[], path: string) => {
		for (const { name, displayName, type, options } of properties) {
			if (type === 'notice' || TOGETHER.includes(name) || FIXED.includes(name)) continue;
			labels.push([`${path}${name}`, displayName]);
			if (type === 'collection') walk(options as INodeProperties[], `${path}${name}.`);
		}
	};
	walk(harness.description('messaging').properties, '');
	expect(labels.map(([parameter]) => [parameter, fieldLabel(parameter)])).toEqual(labels);
	expect(labels.length).toBeGreaterThan(50);
	expect(fieldLabel('templateParameters.value')).toBe('Placeholders');
});

describe('a failed expression keeps what n8n says of it', () => {
	const other = sending('sendText', { to: '447700900211', message: 'Hi' });
	/** Nodes that have not run. */
	const others = { Unrun: other, "Some 'Node'": other };
	const TEXT: Array<[string, string]> = [
		[
			"={{ $('Customers').item.json.name }}",
			"The expression in 'Message' failed: Referenced node doesn't exist: 'Customers'.",
		],
		[
			"={{ $node['Customers'].json.name }}",
			"The expression in 'Message' failed: Referenced node doesn't exist: 'Customers'.",
		],
		[
			"={{ $('Unrun').item.json.name }}",
			"The expression in 'Message' failed: No path back to referenced node: 'Unrun'. Connect the two; other nodes may stand between them.",
		],
		[
			`={{ $("Some 'Node'").first().json.name }}`,
			"The expression in 'Message' failed: Node 'Some 'Node'' hasn't been executed.",
		],
		['={{ $json.name. }}', "The expression in 'Message' failed: invalid syntax."],
		[
			'={{ $json.name.trim }}',
			"The expression in 'Message' failed: this is a function, please add ().",
		],
	];

	test.each(TEXT)('%s', async (message, sentence) => {
		const parameters = sending('sendText', { to: '447700900211', message });
		const { error } = await Execution.start(harness, {
			parameters,
			items: [{ name: 'Ada' }],
			credentials,
			others,
		});
		expect(error?.message).toBe(`Nothing was sent. Item 1 (447700900211): ${sentence}`);
	});

	test.each<[object, string]>([
		[
			{
				message: 'Invalid expression',
				context: {
					nodeCause: 'List',
					messageTemplate: 'No path back to referenced node',
					type: 'paired_item_no_connection',
				},
			},
			"The expression in 'To' failed: No path back to referenced node: 'List'. Connect the two; other nodes may stand between them.",
		],
		[
			{
				message: 'Multiple matches found',
				context: { nodeCause: 'List', type: 'paired_item_multiple_matches' },
			},
			"The expression in 'To' failed: Multiple matches found: 'List'. Several of its items belong to this one: use .first(), .last() or .all() in place of '.item'.",
		],
		[
			{
				message: 'Can’t get data for expression',
				description: 'Some nodes between ‘<strong>List</strong>‘ have not executed yet.',
				context: {},
			},
			"The expression in 'To' failed: Can’t get data for expression. Some nodes between ‘List‘ have not executed yet.",
		],
	])('%j', (error, sentence) => {
		expect(failedExpression(error, 'to')).toBe(sentence);
	});
});
