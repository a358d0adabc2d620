import type { IDataObject } from 'n8n-workflow';
import { brokenEverywhere } from '../invariants.mts';
import type { Process } from '../n8n.mts';
import { SENDER } from '../service.mts';
import { callWaiting, trackWaiting } from '../webhooks.mts';
import { inARow, node, to } from '../workflow.mts';
import { type Scenario, type Violation, violation, type World } from '../world.mts';

/*
 * Questions are asked, and people press a button or write a text: nobody, one, two at once, late or twice. n8n is killed and
 * starts again, and several processes take the answers.
 */

const WORKFLOW = 'asking';

export const sendAndWait: Scenario = {
	name: 'send and wait',
	async play(world) {
		const { choices: c, clock, n8n, service } = world;
		const seconds = c.oneOf('limit/s', [120, 0, 5, 60, 3600]);
		const processes = c.oneOf('processes', [1, 1, 1, 2]);
		const responseType = c.oneOf('response', ['approval', 'approval', 'freeText']);
		const limit = {
			limitType: 'afterTimeInterval',
			resumeAmount: seconds / 60,
			resumeUnit: 'minutes',
		};
		const asking = node('Ask', 'n8n-nodes-messaging.messaging', {
			resource: 'message',
			operation: 'sendAndWait',
			from: { __rl: true, mode: 'phone', value: SENDER },
			to: '={{ $json.phone }}',
			message: '={{ $json.text }}',
			responseType,
			approvalOptions: { values: { approvalType: 'double' } },
			options: { ...(seconds > 0 && { limitWaitTime: { values: limit } }) },
		});
		const isLoop = c.chance('questions in a loop', 0.3);
		const [start, after] = [node('Start', 'simulated.start'), node('After', 'simulated.after')];
		n8n.workflows.set(
			WORKFLOW,
			isLoop
				? {
						id: WORKFLOW,
						nodes: [start, asking, after, node('Loop', 'simulated.loop')],
						connections: {
							Start: { main: [[to('Loop')]] },
							Loop: { main: [[to('After')], [to('Ask')]] },
							Ask: { main: [[to('Loop')]] },
						},
					}
				: inARow(WORKFLOW, [start, asking, after]),
		);
		const hosts = Array.from({ length: processes }, () => n8n.startProcess());
		trackWaiting(n8n, hosts[0]);
		world.tell(
			`questions for ${responseType} wait ${seconds ? `${seconds} s` : 'for ever'}, in ${processes} processes`,
		);
		const killed: Process[] = [];
		world.killAtEvents(
			0.35,
			150,
			() => hosts[0],
			(_, victim) => {
				killed.push(victim);
				void world.wait(c.oneOf('kill/starts again after ms', [500, 30_000, 200_000])).then(() => {
					if (hosts[0].isAlive) return;
					n8n.startAgain(hosts, 0);
					trackWaiting(n8n, hosts[0]);
				});
			},
		);

		const answers: Answered[] = [];
		const asked: Asked[] = [];
		let calls = 0;
		const questions = Array.from({ length: c.int('questions', 1, 3) }, (_, index) => ({
			question: `question ${index + 1}`,
			text: `May we ship N${index + 1}?`,
			phone: `38591700${String(1100 + index * 7)}`,
		}));
		/** ms that a question may take at most, from its sending until the next node has run. */
		const longest = seconds * 1000 + 600_000;
		/** Starts an execution that asks one question, or, in a loop, all of them. */
		const ask = (asking: typeof questions) => {
			if (!hosts[0].isAlive) return;
			const { id } = n8n.start(
				hosts[0],
				WORKFLOW,
				asking.map(({ phone, text }) => ({ phone, text })),
			);
			for (const [place, { text }] of asking.entries()) asked.push({ id, text, place });
		};
		const isOver = (id: string) => {
			const { status } = n8n.database.executions.get(id) ?? {};
			return status !== undefined && !['new', 'running', 'waiting'].includes(status);
		};
		/** Waits until a question is sent, or until it cannot be sent any more. */
		const sent = async (id: string, text: string) => {
			const until = clock.now + longest * (isLoop ? questions.length : 1);
			for (;;) {
				const message = service.accepted.find(({ sent: each }) => each.includes(text));
				if (message || isOver(id) || clock.now >= until) return message;
				await world.wait(2000);
			}
		};
		const answer = async ({ question, text }: (typeof questions)[number]) => {
			const { id } = asked.find((each) => each.text === text) ?? { id: '' };
			const message = await sent(id, text);
			const links = [...(message?.text ?? '').matchAll(/https:\/\/n8n\.test\/\S+/g)].map(
				([link]) => link,
			);
			if (links.length === 0) return;
			const people = c.int(`${question}/presses`, 0, 3);
			await Promise.all(
				Array.from({ length: people }, async (_, person) => {
					const name = `${question}/press ${person + 1}`;
					const near = Math.max(0, seconds * 1000 - 2000);
					const after = c.oneOf(`${name}/after ms`, [
						1000,
						1000,
						1005,
						6000,
						near,
						near + 1200,
						near + 2500,
						near + 60_000,
						near,
						near,
						12_000,
						near + 12_000,
					]);
					// The time counts from the sending of the question, which this loop notices a little later.
					await world.wait(Math.max(0, message!.at + after - clock.now));
					const button = c.oneOf(`${name}/decision`, ['approve', 'disapprove']);
					const host = hosts[c.int(`${name}/process`, 0, 1) % hosts.length];
					const call = `press ${++calls}`;
					const decision = responseType === 'approval' ? button : `${call}\nYes & <no>`;
					const isIncomplete = responseType !== 'approval' && c.chance(`${name}/incomplete`, 0.25);
					const form = formOf(responseType, isIncomplete ? '' : decision);
					world.tell(
						`${call}: ${responseType === 'approval' ? decision : 'a text'} for execution ${id} in ${host}`,
					);
					if (c.chance(`${name}/looks first`, 0.3)) {
						const look = callWaiting(n8n, host, links[0], undefined, `${call}, a look`);
						await look.reply;
					}
					const submit = async (submitted: IDataObject, isIncomplete: boolean) => {
						const pressed: Answered = { text, decision, host, at: clock.now, isIncomplete };
						answers.push(pressed);
						const reply = await callWaiting(n8n, host, links[0], submitted, call).reply;
						pressed.said = reply === 'broken' ? undefined : saidIn(reply.body);
						world.tell(`${call} reads: ${pressed.said ?? 'nothing'}`);
					};
					await submit(form, isIncomplete);
					if (isIncomplete && c.chance(`${name}/completes it`, 0.7)) {
						await world.wait(500);
						world.tell(`${call} is completed`);
						await submit(formOf(responseType, decision), false);
					}
				}),
			);
		};
		if (isLoop) ask(questions);
		await Promise.all(
			questions.map(async (each) => {
				if (!isLoop) {
					await world.wait(c.oneOf(`${each.question}/after ms`, [0, 0, 3000, 50_000]));
					ask([each]);
				}
				await answer(each);
			}),
		);
		await world.wait(longest);
		return [
			...answersCount(world, { asked, answers, killed, processes, limit: seconds * 1000 }),
			...brokenEverywhere(world),
		];
	},
};

/** Returns what a browser submits. Its line breaks are CRLF. */
const formOf = (responseType: string, answer: string): IDataObject =>
	responseType === 'approval' ? { decision: answer } : { answer: answer.replaceAll('\n', '\r\n') };

const saidIn = (body: unknown): string =>
	/<h1[^>]*>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? JSON.stringify(body);

/** A question that an execution asks. */
interface Asked {
	id: string;
	text: string;
	/** Its index among the questions of its execution. */
	place: number;
}

/** A button that somebody pressed, or a text that somebody submitted. */
interface Answered {
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

/** What was played. */
interface Played {
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

const QUESTION_SENT_ONCE = 'each question is sent once';
const ONE_ANSWER = 'a question has one answer';
const ONLY_THE_COUNTING_CONFIRMED = 'only the answer that counts is confirmed';
const OUTPUT_SAYS_WHETHER = 'the output says whether somebody answered';
const ANSWER_IS_THE_BUTTON = 'the answer is the button that was pressed';
const COMPLETE_ANSWERS_ONLY = 'only a complete answer is confirmed';
const IN_TIME_ONLY = 'only an answer in time is confirmed';
const CONFIRMED_CONTINUES = 'a confirmed answer continues the workflow';
const IN_TIME_COUNTS = 'an answer in time counts';
const WAIT_ENDS = 'a wait ends with its limit';

/** Checks each question: who was asked, whose answer was confirmed, and how the workflow continued. */
function* answersCount(world: World, played: Played): Generator<Violation> {
	const { asked, answers, killed, processes, limit } = played;
	for (const { id, text, place } of asked) {
		const sent = world.service.accepted.filter(({ sent: each }) => each.includes(text));
		if (sent.length > 1)
			yield violation(QUESTION_SENT_ONCE, `${text} was sent ${sent.length} times`);
		const outputs = world.n8n.outputs.filter(({ execution }) => execution === `execution ${id}`);
		const all = answers.filter((each) => each.text === text);
		if (all.some(({ isIncomplete, said }) => isIncomplete && said === RECORDED)) {
			yield violation(COMPLETE_ANSWERS_ONLY, `execution ${id}: ${text}`);
		}
		const mine = all.filter(({ isIncomplete }) => !isIncomplete);
		const confirmed = mine.filter(({ said }) => said === RECORDED);
		const results = outputs.map(({ items }) => items[place].json.data as Record<string, unknown>);
		// docs/asking-a-person.md#limits: after a kill, a confirmed answer may be lost, and the next node may run twice.
		const isCrashed = all.some(({ host }) => killed.includes(host)) || killed.length > 0;
		if (results.length > 1 && !isCrashed) {
			yield violation(ONE_ANSWER, `execution ${id} went on ${results.length} times`);
		}
		const isAlone = processes === 1 && !isCrashed;
		if (confirmed.length > 1 && isAlone) {
			yield violation(ONLY_THE_COUNTING_CONFIRMED, `execution ${id}: ${confirmed.length}`);
		}
		const [result] = results;
		if (results.length > 0 && !result) {
			yield violation(OUTPUT_SAYS_WHETHER, JSON.stringify(outputs[0].items));
		}
		const decision = result && decisionIn(result);
		if (result && !result.timedOut && !mine.some((each) => each.decision === decision)) {
			yield violation(ANSWER_IS_THE_BUTTON, `execution ${id}: ${JSON.stringify(result)}`);
		}
		if (result?.timedOut && confirmed.length > 0 && isAlone) {
			yield violation(IN_TIME_ONLY, `execution ${id} timed out after an answer was confirmed`);
		}
		const status = world.n8n.database.executions.get(id)?.status;
		// In a loop, the next question follows or fails. The node behind the loop runs after all answers.
		const followers = asked.filter((each) => each.id === id && each.place > place);
		const hasFollowed =
			followers.length > 0 &&
			(status === 'error' ||
				world.service.accepted.some(({ sent: each }) => each.includes(followers[0].text)));
		if (!result && !hasFollowed && confirmed.length > 0 && isAlone) {
			yield violation(CONFIRMED_CONTINUES, `execution ${id} still waits`);
		}
		if (
			result &&
			!result.timedOut &&
			isAlone &&
			!confirmed.some((each) => each.decision === decision)
		) {
			yield violation(ONLY_THE_COUNTING_CONFIRMED, `execution ${id}: ${decision} counts`);
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
			yield violation(IN_TIME_COUNTS, `execution ${id}: ${text}: ${refused.said}`);
		}
		const late = confirmed.filter(({ at }) => limit > 0 && at > sentAt + limit + 5000);
		if (late.length > 0)
			yield violation(IN_TIME_ONLY, `execution ${id}: ${late[0].at - sent[0].at} ms`);
		if (status === 'waiting' && !hasFollowed && limit > 0 && sent.length > 0 && !isCrashed) {
			yield violation(WAIT_ENDS, `execution ${id} still waits`);
		}
	}
}
