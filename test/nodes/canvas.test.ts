import type { INode } from 'n8n-workflow';
import { useHarness } from '../support/harness';

/* What a person reads on the canvas, evaluated as the editor does it. */

const harness = useHarness();

const shown = (tested: INode, text: string) => {
	const workflow = harness.workflow([tested]);
	const node = workflow.getNode(tested.name)!;
	return workflow.expression.getSimpleParameterValue(node, text, 'internal', {});
};

test.each([
	[{ resource: 'campaign', operation: 'send', sendMode: 'dryRun' }, 'dry run: campaign'],
	[{ resource: 'campaign', operation: 'send', sendMode: 'test' }, 'test: campaign'],
	[{ resource: 'campaign', operation: 'send' }, 'send: campaign'],
	[{ resource: 'message', operation: 'sendTemplate', sendMode: 'send' }, 'send template: message'],
	// The mode of an operation that the person chose before is not shown.
	[{ resource: 'campaign', operation: 'getReport', sendMode: 'dryRun' }, 'get report: campaign'],
	[{ resource: 'otpTemplate', operation: 'getAll' }, 'get many: otp template'],
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
