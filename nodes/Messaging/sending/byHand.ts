import type { IExecuteFunctions } from 'n8n-workflow';
import { isInLoop } from '../n8n/execution';

/* Which executions a person has started to try a workflow: in these, sending to many needs a code. */

/** Whether so many messages need a code, or leave at all. In a loop, one message is asked, too: it is one of many. */
export const needsCode = (context: IExecuteFunctions, count: number) =>
	triedAs(context) !== undefined && (count > 1 || isInLoop(context));

/** With these an execution by hand begins that calls a sub-workflow; the second one with *Execute step* of the node that calls it. */
const BEGIN_BY_HAND = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.executeWorkflow'];
/** Also *Execute workflow* from it, which tries one row of the evaluation. */
const TRIGGER_OF_EVALUATIONS = 'n8n-nodes-base.evaluationTrigger';

/**
 * Returns how the execution began, or the one of which it is a Retry or a sub-workflow; undefined when no person has started it to
 * try a workflow.
 */
export function triedAs(
	context: IExecuteFunctions,
): 'byHand' | 'subWorkflow' | 'evaluation' | undefined {
	const mode = context.getMode();
	// Without n8n's word on how the execution of a Retry began, every Retry is asked.
	const { source = mode === 'retry' ? 'manual' : mode, triggerNode } =
		context.getExecutionContext?.() ?? {};
	const begin = triggerNode?.type ?? '';
	if (source === 'evaluation' || begin === TRIGGER_OF_EVALUATIONS) return 'evaluation';
	if (context.isToolExecution?.()) return undefined;
	if (source === 'integrated') return BEGIN_BY_HAND.includes(begin) ? 'subWorkflow' : undefined;
	return source === 'manual' ? 'byHand' : undefined;
}
