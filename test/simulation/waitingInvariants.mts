import type { Process } from './n8n.mts';
import type { Violation, World } from './world.mts';

/* Checks of the promises about Send and Wait (invariants.mts). */

/** A question that an execution asks. */
export interface Asked {
	id: string;
	text: string;
	/** Its index among the questions of its execution. */
	place: number;
}

/** A button that somebody pressed, or a form that somebody submitted. */
export interface Answered {
	/** The text of the question. */
	text: string;
	/** The button, or the text in the form. */
	decision: string;
	/** A field that must be filled in is empty. */
	isIncomplete: boolean;
	host: Process;
	at: number;
	/** The text of the page that came back. */
	said?: string;
}

export interface Played {
	asked: Asked[];
	answers: Answered[];
	killed: Process[];
	processes: number;
	/** *Limit Wait Time* in ms; 0 for none. */
	limit: number;
}

/** How a page begins when a question is closed: the node's page, and n8n's own. */
const CLOSED = [
	'The time for an answer is over.',
	'This question has been answered or has expired.',
	'{"noAction":',
];
const RECORDED = 'Your answer has been recorded. You can close this page.';

/** Returns the button that was pressed, or the text that was entered, as the output has it. */
const decisionIn = ({ approved, text, Name }: Record<string, unknown>) =>
	text ?? Name ?? (approved ? 'approve' : 'disapprove');

/** Checks each question: who was asked, whose answer was confirmed, and how the workflow continued. */
export function answersCount(world: World, played: Played): Violation[] {
	const { asked, answers, killed, processes, limit } = played;
	const found: Violation[] = [];
	const tell = (promise: string, seen: string) => found.push({ promise, seen });
	for (const { id, text, place } of asked) {
		const sent = world.service.accepted.filter(({ sent: each }) => each.includes(text));
		if (sent.length > 1)
			tell('each question is sent once', `${text} was sent ${sent.length} times`);
		const outputs = world.n8n.outputs.filter(({ execution }) => execution === `execution ${id}`);
		const all = answers.filter((each) => each.text === text);
		if (all.some(({ isIncomplete, said }) => isIncomplete && said === RECORDED)) {
			tell('only a complete form is confirmed', `execution ${id}: ${text}`);
		}
		const mine = all.filter(({ isIncomplete }) => !isIncomplete);
		const confirmed = mine.filter(({ said }) => said === RECORDED);
		const results = outputs.map(({ items }) => items[place].json.data as Record<string, unknown>);
		// After a kill, a confirmed answer may be lost, and the next node may run twice.
		const isCrashed = all.some(({ host }) => killed.includes(host)) || killed.length > 0;
		if (results.length > 1 && !isCrashed) {
			tell('a question has one answer', `execution ${id} went on ${results.length} times`);
		}
		// "When n8n has no capacity at the end of a limit, n8n may continue the execution twice."
		const isAlone = processes === 1 && !isCrashed && !world.n8n.continuedTwice.has(id);
		if (confirmed.length > 1 && isAlone) {
			tell('only the answer that counts is confirmed', `execution ${id}: ${confirmed.length}`);
		}
		const [result] = results;
		if (results.length > 0 && !result) {
			tell('the output says whether somebody answered', JSON.stringify(outputs[0].items));
		}
		const decision = result && decisionIn(result);
		const isWhole = !result || result.Name === undefined || result.timedOut;
		if (!isWhole && (result.Count !== 12 || result.Colour !== 'blue')) {
			tell('the output has what was entered', `execution ${id}: ${JSON.stringify(result)}`);
		}
		if (result && !result.timedOut && !mine.some((each) => each.decision === decision)) {
			tell(
				'the answer is the button that was pressed',
				`execution ${id}: ${JSON.stringify(result)}`,
			);
		}
		if (result?.timedOut && confirmed.length > 0 && isAlone) {
			tell(
				'only an answer in time is confirmed',
				`execution ${id} timed out after an answer was confirmed`,
			);
		}
		const status = world.n8n.database.executions.get(id)?.status;
		// In a loop, the next question follows or fails. The node behind the loop runs after all answers.
		const followers = asked.filter((each) => each.id === id && each.place > place);
		const hasFollowed =
			followers.length > 0 &&
			(status === 'error' ||
				world.service.accepted.some(({ sent: each }) => each.includes(followers[0].text)));
		if (!result && !hasFollowed && confirmed.length > 0 && isAlone) {
			tell('a confirmed answer continues the workflow', `execution ${id} still waits`);
		}
		if (
			result &&
			!result.timedOut &&
			isAlone &&
			!confirmed.some((each) => each.decision === decision)
		) {
			tell('only the answer that counts is confirmed', `execution ${id}: ${decision} counts`);
		}
		const closes = limit > 0 ? (sent[0]?.at ?? 0) + limit * 0.9 - 1000 : Infinity;
		// "An interval counts from the moment in which the question was sent", that is, in which the answer of the service arrived.
		const { endedAt } =
			world.exchanges.findLast(
				({ owner, method, startedAt }) =>
					String(owner) === `execution ${id}` && method === 'POST' && startedAt <= sent[0]?.at,
			) ?? {};
		const sentAt = endedAt ?? sent[0]?.at;
		const refused = mine.find(
			({ at, said }) => at < closes && CLOSED.some((text) => said?.startsWith(text)),
		);
		if (refused && confirmed.length === 0 && isAlone) {
			tell('an answer in time counts', `execution ${id}: ${text}: ${refused.said}`);
		}
		const late = confirmed.filter(({ at }) => limit > 0 && at > sentAt + limit + 5000);
		if (late.length > 0)
			tell('only an answer in time is confirmed', `execution ${id}: ${late[0].at - sent[0].at} ms`);
		if (status === 'waiting' && !hasFollowed && limit > 0 && sent.length > 0 && !isCrashed) {
			tell('a wait ends with its limit', `execution ${id} still waits`);
		}
	}
	return found;
}
