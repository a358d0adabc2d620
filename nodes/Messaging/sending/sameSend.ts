import { hash } from 'crypto';
import { NodeOperationError } from 'n8n-workflow';
import { now } from '../service/clock';
import { forEachInSlices } from '../utils/concurrency';
import { formatNumber } from '../utils/text';
import type { Checked } from './check';
import type { Journal } from './journal';
import type { Message } from './message';
import { forget, write } from './notes';
import type { RunSetup } from './sendOperation';

/*
 * The guard against the same send again, in the editor: whoever builds the next nodes executes the one that sends again
 * without noticing, because n8n offers it beside them ("Execute node to refresh").
 *
 * n8n's store cannot be asked without writing. So what a run is going to send is noted for this half-day and for the next one,
 * and a run asks for this one only: the same messages are refused for half a day at least, and for a day at most.
 */

const HALF_DAY = 43_200_000;

/** What a run has noted. */
export type SameSend = {
	/** Deletes the notes: nobody has got a message. */
	takeBack(): Promise<void>;
};

const alreadyAccepted = (count: number) =>
	`These ${formatNumber(count)} messages were accepted within the last hours, in this editor. To send them again, set 'Options → Send Again'. While you build the next nodes, pin this output.`;

/** The run that is refused has no output, and after a reload n8n shows none either: this way n8n has the earlier one. */
const HOW_TO_PIN =
	"To pin the output of the earlier execution: load this page again, open this node, press 'set mock data', then 'Save'. n8n fills in the output of the last successful execution; if that is only 'First item', copy the output from the execution that sent, under 'Executions'. As long as it is pinned, this node sends nothing.";

/**
 * Notes what a manual execution is going to send to several recipients. While n8n's database fails, there is no guard.
 *
 * @throws NodeOperationError when this node has sent exactly these messages within the last hours, unless *Send Again* is on
 */
export async function noteSend(
	{ context, toSend, options }: Pick<RunSetup, 'context' | 'options'> & Pick<Checked, 'toSend'>,
	{ hasSent }: Pick<Journal, 'hasSent'>,
): Promise<SameSend | undefined> {
	const isAsked = context.getMode() === 'manual' && context.getWorkflow().id;
	// What an earlier attempt of this run has sent is noted already.
	if (!isAsked || toSend.length < 2 || hasSent) return undefined;
	const content = await contentOf(toSend);
	const halfDay = Math.floor(now() / HALF_DAY);
	/** The notes that are new. */
	const own: string[] = [];
	const isNoted = async (inHalfDay: number) => {
		const note = hash('sha256', `${content} ${inHalfDay}`);
		const isKnown = (await write(context, [note])).length > 0;
		if (!isKnown) own.push(note);
		return isKnown;
	};
	const isRefused = (await isNoted(halfDay).catch(() => false)) && !options.sendAgain;
	if (isRefused) {
		const message = alreadyAccepted(toSend.length);
		throw new NodeOperationError(context.getNode(), message, { description: HOW_TO_PIN });
	}
	// Only now: a run that is refused must not prolong it.
	await isNoted(halfDay + 1).catch(() => {});
	return { takeBack: async () => await forget(context, own).catch(() => {}) };
}

/** Returns a number for what the recipients get, the same in any order: a sum of hashes. */
async function contentOf(messages: readonly Message[]): Promise<string> {
	let sum = 0n;
	await forEachInSlices(messages, ({ from, digits, body }) => {
		// 64 bits of each are enough, and are added faster than all 256.
		sum += BigInt(`0x${hash('sha256', JSON.stringify([from, digits, body])).slice(0, 16)}`);
	});
	return sum.toString(16);
}
