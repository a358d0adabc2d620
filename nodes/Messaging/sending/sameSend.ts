import { createHash } from 'crypto';
import { NodeOperationError } from 'n8n-workflow';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber } from '../utils/text';
import type { Checked } from './check';
import type { Journal } from './journal';
import type { Message } from './message';
import { forget, write } from './notes';
import type { RunSetup } from './sendOperation';

/*
 * The guard against the same send again, in the editor: whoever builds the next nodes, today or next week, executes the one that
 * sends again without noticing, because n8n offers it beside them ("Execute node to refresh").
 */

/** What a run has noted. */
export type SameSend = {
	/** Deletes the note: nobody has got a message. */
	takeBack(): Promise<void>;
};

const alreadySent = (count: number) =>
	`These ${formatNumber(count)} messages were accepted, or may have been, in an earlier execution in this editor. Nothing was sent now. While you build the next nodes, pin the output of this node. To send all of them again, set 'Options → Send Again', and remove it afterwards.`;

/** The run that is refused has no output, and after a reload n8n shows none either: this way n8n has the earlier one. */
const HOW_TO_PIN =
	"To pin the output of the earlier execution: load this page again, open this node, press 'set mock data', then 'Save'. n8n fills in the output of the last successful execution; if that is only 'First item', copy the output from the execution that sent, under 'Executions'. As long as it is pinned, this node sends nothing: remove the pin before the next campaign.";

/**
 * Notes what a manual execution is going to send to several recipients. While n8n's database fails, there is no guard.
 *
 * @throws NodeOperationError when this node has sent exactly these messages before, unless *Send Again* is on
 */
export async function noteSend(
	{ context, toSend, options }: Pick<RunSetup, 'context' | 'options'> & Pick<Checked, 'toSend'>,
	{ hasSent }: Pick<Journal, 'hasSent'>,
): Promise<SameSend | undefined> {
	const isAsked = context.getMode() === 'manual' && context.getWorkflow().id;
	// What an earlier attempt of this run has sent is noted already.
	if (!isAsked || toSend.length < 2 || hasSent) return undefined;
	const note = await contentOf(toSend);
	const known = await write(context, [note]).catch(() => []);
	if (known.length === 0)
		return { takeBack: async () => await forget(context, [note]).catch(() => {}) };
	// An earlier execution has sent: its note stays.
	if (options.sendAgain) return { takeBack: async () => {} };
	const description = HOW_TO_PIN;
	throw new NodeOperationError(context.getNode(), alreadySent(toSend.length), { description });
}

/** Returns a hash of what the recipients get, in order. */
async function contentOf(messages: readonly Message[]): Promise<string> {
	const whole = createHash('sha256');
	await forEachInSlices(messages, ({ from, digits, body }) => {
		whole.update(`${JSON.stringify([from, digits, body])}\n`);
	});
	return whole.digest('hex');
}
