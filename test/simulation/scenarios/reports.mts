import type { IDataObject } from 'n8n-workflow';
import { brokenEverywhere, brokenInReport } from '../invariants.mts';
import { SENDER } from '../service.mts';
import type { Waiting } from '../reportInvariants.mts';
import { inARow, node } from '../workflow.mts';
import type { Scenario, World } from '../world.mts';

/*
 * A campaign is sent, some of it fails, and a report is read behind it, while statuses change, records move from page
 * to page, and pages come empty.
 */

const WORKFLOW = 'reporting';
export const SEND = 'Send';
export const REPORT = 'Report';

const OUTPUTS = ['summary', 'recipients', 'both'] as const;

function workflowOf({ choices: c }: World, output: string, wait?: Waiting) {
	const send = {
		resource: 'campaign',
		operation: 'send',
		from: { __rl: true, mode: 'phone', value: SENDER },
		to: '={{ $json.phone }}',
		template: { __rl: true, mode: 'name', value: 'opening_hours' },
		templatePreview: { schema: [{ id: 'noPlaceholders:opening_hours' }] },
		options: {
			...(c.chance('own identifiers', 0.5) && { identifier: '={{ $json.identifier }}' }),
			maxRecipients: c.oneOf('per request', [0, 0, 2, 4]),
			onDuplicateRecipient: c.oneOf('duplicates', ['send', 'skip']),
		},
	};
	const report = {
		resource: 'campaign',
		operation: 'getReport',
		campaignId: '={{ $json.campaign_id }}',
		output,
		...(wait && { options: { waitForCompletion: { values: { ...wait } } } }),
	};
	const pause = { ms: c.oneOf('pause in ms', [0, 3000, 90_000, 5_000_000]) };
	return inARow(WORKFLOW, [
		node('Start', 'simulated.start'),
		node(SEND, 'n8n-nodes-messaging.messaging', send, { onError: 'continueRegularOutput' }),
		node('Pause', 'simulated.pause', pause),
		node(REPORT, 'n8n-nodes-messaging.messaging', report),
	]);
}

export const reports: Scenario = {
	name: 'reports',
	async play(world) {
		const { choices: c, n8n, service } = world;
		const output = c.oneOf('output', OUTPUTS);
		const isLong = c.chance('many recipients', 0.08);
		service.log.drawHabits(isLong);
		service.log.ignoresFilters = c.chance('filters are ignored', 0.1);
		const wait = c.chance('waits for completion', 0.4)
			? {
					longestWait: c.oneOf('longest wait in min', [0, 1, 5, 90]),
					interval: c.oneOf('interval in s', [60, 10]),
				}
			: undefined;
		n8n.workflows.set(WORKFLOW, workflowOf(world, output, wait));
		const count = isLong ? 130 : c.int('recipients', 1, 14);
		const bad = c.int('recipients without a number', 0, 2);
		const items = Array.from(
			{ length: count },
			(_, index): IDataObject => ({
				phone: index < bad ? '' : `38591700${String(1100 + (index % 11) * 7)}`,
				identifier: `order-${index + 1}`,
			}),
		);
		const others = c.int('messages of others', 0, 5);
		if (others > 0) service.takeFromElsewhere(others);
		world.tell(`a campaign to ${count} recipients, and its report (${output}) behind it`);
		const running = n8n.start(n8n.startProcess(), WORKFLOW, items);
		await running.over;
		return [
			...brokenInReport(world, running.id, { send: SEND, report: REPORT, wait }),
			...brokenEverywhere(world),
		];
	},
};
