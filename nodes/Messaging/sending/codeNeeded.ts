import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { isInLoop } from '../n8n/execution';
import { formatNumber, numberOf } from '../utils/text';
import { triedAs } from './byHand';
import { mostOf } from './code';
import type { Journal } from './journal';
import { saySentBefore, type SentBefore } from './sentBefore';

/* The words of a refusal: without a code, or in an evaluation, nothing leaves by hand. */

/** Nothing leaves by hand without a code. */
export class CodeNeeded extends NodeOperationError {}

const NO_SEND = "Set 'Mode' to Dry Run.";
const NO_QUESTION = "Put 'Evaluation → Check If Evaluating' before it.";

/** Returns the error of a node that would send in an evaluation. */
export const inEvaluation = (context: IExecuteFunctions, isQuestion: boolean) =>
	new CodeNeeded(context.getNode(), 'In an evaluation, this node sends nothing.', {
		description: isQuestion ? NO_QUESTION : NO_SEND,
	});

/** Returns the error of a send beside another execution that sends some of the same messages. */
export const atTheSameMoment = (context: IExecuteFunctions) =>
	new CodeNeeded(
		context.getNode(),
		"Another execution began to send some of these messages at the same moment, or n8n's database did not answer at first.",
		{ description: 'See what it has sent. To send these all the same, make a dry run again.' },
	);

const TO_THE_OTHERS =
	'To reach only the others, take those who have it out of the list. If an execution failed while it was sending, retry that one instead. ';

const TO_THE_REST =
	'To reach only those who have not got it, execute again with only them in the list. ';

const BUILD =
	"To build the next nodes, leave 'Mode' on Dry Run. A published workflow needs no code.";

/** Returns the error of a send without a code that counts. `entered` is what was entered. */
export function codeNeeded(
	context: IExecuteFunctions,
	journal: Journal,
	entered: string,
	about: SentBefore,
) {
	const { count, sent } = about;
	const messages = count === 1 ? 'a message in a loop' : `these ${formatNumber(count)} messages`;
	const isRest = journal.hasSent;
	const isAgain = isRest && sent > 0;
	const asked = isAgain
		? 'A retry sends again only with a code from a dry run that says so.'
		: `In the editor, this node sends ${messages} only with a code from its dry run.`;
	// A Retry sends to nobody again.
	const isMiddle = isRest || (journal.identity.isLaterRound && !context.continueOnFail());
	const hasOthers = sent > 0 && !isMiddle && (sent < count || isInLoop(context));
	const others = isAgain ? TO_THE_REST : hasOthers ? TO_THE_OTHERS : '';
	const description = `${others}${howToSend(context, isMiddle)}${isRest ? '' : ` ${BUILD}`}`;
	const message = `${saySentBefore(about)}${entered && whyNot(entered, about)}${asked}`;
	return new CodeNeeded(context.getNode(), message, { description });
}

/** Says why the entered code does not count. */
function whyNot(code: string, { count, sent }: SentBefore): string {
	const most = mostOf(code);
	if (most < count) return `The code ${code} is for at most ${numberOf(most, 'message')}. `;
	const saidLess = sent > 0 ? ' or a dry run that said fewer' : '';
	return `The code ${code} does not count. Perhaps it was used before, is from another node or an earlier round${saidLess}, or is mistyped. `;
}

const RETRY = "save, and under 'Executions' retry this one with the currently saved workflow";

/** Says how to get the code, and how to send with it. */
function howToSend(context: IExecuteFunctions, isMiddle: boolean): string {
	const isCalled = triedAs(context) === 'subWorkflow';
	const press = isInLoop(context) ? 'Execute workflow' : 'Execute step';
	const behind = context.getChildNodes(context.getNode().name).length;
	const alsoBehind =
		press === 'Execute step' && behind > 0
			? ", or 'Execute workflow' if the nodes behind it are to run, too"
			: '';
	const whom = isMiddle ? 'to these, too' : 'to all';
	const dryRun = isCalled
		? "save, execute the workflow that calls this one, and press 'View sub-execution' in its node: there this node shows the code."
		: `and press '${press}'. It shows who gets what, and the code.`;
	const byHand = isCalled ? 'save, and execute that workflow' : `and press '${press}'${alsoBehind}`;
	// The workflow that calls this one may have sent to others already.
	const then = isMiddle || (isCalled && context.getMode() === 'retry') ? RETRY : byHand;
	return `To send ${whom}: set 'Mode' to Dry Run${isCalled ? ', ' : ' '}${dryRun} Then set 'Mode' to Send, enter the code, ${then}.`;
}
