import type { Process } from './n8n.mts';
import type { Violation, World } from './world.mts';
import { promise, violation, type Promised } from './promises.mts';

/* Checks of the promises about Send and Wait (invariants.mts). */

/** A question that an execution asks. */
export interface Asked {
	id: string;
	text: string;
	/** Its index among the questions of its execution. */
	place: number;
}

/** A button that somebody pressed, or a text that somebody submitted. */
export interface Answered {
	/** The text of the question. */
	text: string;
	/** The button, or the text. */
	decision: string;
	/** The text is empty. */
	isIncomplete: boolean;
	host: Process;
	at: number;
	/** The heading of the page that came back. */
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
	'This question is no longer open.',
	'{"noAction":',
];
const RECORDED = 'Thank you. Your answer has been recorded, and you can close this page.';

/** Returns the button that was pressed, or the text that was entered, as the output has it. */
const decisionIn = ({ approved, text }: Record<string, unknown>) =>
	text ?? (approved ? 'approve' : 'disapprove');

const QUESTION_SENT_ONCE = promise('each question is sent once', 'Each question is sent once.');
const ONE_ANSWER = promise(
	'a question has one answer',
	'The workflow continues once after a question.',
);
const ONLY_THE_COUNTING_CONFIRMED = promise(
	'only the answer that counts is confirmed',
	'Only the first answer counts, and only the first answer is confirmed.',
);
const OUTPUT_SAYS_WHETHER = promise(
	'the output says whether somebody answered',
	'The output says whether somebody answered in time.',
);
const ANSWER_IS_THE_BUTTON = promise(
	'the answer is the button that was pressed',
	'The answer in the output is the button that somebody pressed, or the text that somebody entered.',
);
const COMPLETE_ANSWERS_ONLY = promise(
	'only a complete answer is confirmed',
	'An empty text is not confirmed.',
);
const IN_TIME_ONLY = promise(
	'only an answer in time is confirmed',
	'An answer is confirmed only before the limit.',
);
const CONFIRMED_CONTINUES = promise(
	'a confirmed answer continues the workflow',
	'A confirmed answer continues the workflow.',
);
const IN_TIME_COUNTS = promise(
	'an answer in time counts',
	'The first answer before the limit is accepted.',
);
const WAIT_ENDS = promise(
	'a wait ends with its limit',
	'When the limit is over, the workflow continues.',
);

/** Checks each question: who was asked, whose answer was confirmed, and how the workflow continued. */
export function answersCount(world: World, played: Played): Violation[] {
	const { asked, answers, killed, processes, limit } = played;
	const found: Violation[] = [];
	const tell = (promise: Promised, seen: string) => found.push(violation(promise, seen));
	for (const { id, text, place } of asked) {
		const sent = world.service.accepted.filter(({ sent: each }) => each.includes(text));
		if (sent.length > 1) tell(QUESTION_SENT_ONCE, `${text} was sent ${sent.length} times`);
		const outputs = world.n8n.outputs.filter(({ execution }) => execution === `execution ${id}`);
		const all = answers.filter((each) => each.text === text);
		if (all.some(({ isIncomplete, said }) => isIncomplete && said === RECORDED)) {
			tell(COMPLETE_ANSWERS_ONLY, `execution ${id}: ${text}`);
		}
		const mine = all.filter(({ isIncomplete }) => !isIncomplete);
		const confirmed = mine.filter(({ said }) => said === RECORDED);
		const results = outputs.map(({ items }) => items[place].json.data as Record<string, unknown>);
		// docs/asking-a-person.md#limits: after a kill, a confirmed answer may be lost, and the next node may run twice.
		const isCrashed = all.some(({ host }) => killed.includes(host)) || killed.length > 0;
		if (results.length > 1 && !isCrashed) {
			tell(ONE_ANSWER, `execution ${id} went on ${results.length} times`);
		}
		// docs/asking-a-person.md#limits: on an overloaded n8n, the end of a limit may continue the execution twice.
		const isAlone = processes === 1 && !isCrashed && !world.n8n.continuedTwice.has(id);
		if (confirmed.length > 1 && isAlone) {
			tell(ONLY_THE_COUNTING_CONFIRMED, `execution ${id}: ${confirmed.length}`);
		}
		const [result] = results;
		if (results.length > 0 && !result) {
			tell(OUTPUT_SAYS_WHETHER, JSON.stringify(outputs[0].items));
		}
		const decision = result && decisionIn(result);
		if (result && !result.timedOut && !mine.some((each) => each.decision === decision)) {
			tell(ANSWER_IS_THE_BUTTON, `execution ${id}: ${JSON.stringify(result)}`);
		}
		if (result?.timedOut && confirmed.length > 0 && isAlone) {
			tell(IN_TIME_ONLY, `execution ${id} timed out after an answer was confirmed`);
		}
		const status = world.n8n.database.executions.get(id)?.status;
		// In a loop, the next question follows or fails. The node behind the loop runs after all answers.
		const followers = asked.filter((each) => each.id === id && each.place > place);
		const hasFollowed =
			followers.length > 0 &&
			(status === 'error' ||
				world.service.accepted.some(({ sent: each }) => each.includes(followers[0].text)));
		if (!result && !hasFollowed && confirmed.length > 0 && isAlone) {
			tell(CONFIRMED_CONTINUES, `execution ${id} still waits`);
		}
		if (
			result &&
			!result.timedOut &&
			isAlone &&
			!confirmed.some((each) => each.decision === decision)
		) {
			tell(ONLY_THE_COUNTING_CONFIRMED, `execution ${id}: ${decision} counts`);
		}
		const closes = limit > 0 ? (sent[0]?.at ?? 0) + limit * 0.9 - 1000 : Infinity;
		// docs/asking-a-person.md#how-long-it-waits: an interval counts from the answer of the service to the question.
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
			tell(IN_TIME_COUNTS, `execution ${id}: ${text}: ${refused.said}`);
		}
		const late = confirmed.filter(({ at }) => limit > 0 && at > sentAt + limit + 5000);
		if (late.length > 0) tell(IN_TIME_ONLY, `execution ${id}: ${late[0].at - sent[0].at} ms`);
		if (status === 'waiting' && !hasFollowed && limit > 0 && sent.length > 0 && !isCrashed) {
			tell(WAIT_ENDS, `execution ${id} still waits`);
		}
	}
	return found;
}
