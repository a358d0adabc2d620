import type { IDataObject } from 'n8n-workflow';
import { brokenEverywhere, brokenInWaiting } from '../invariants.mts';
import type { Answered, Asked } from '../waitingInvariants.mts';
import type { Process } from '../n8n.mts';
import { SENDER } from '../service.mts';
import { callWaiting, trackWaiting } from '../webhooks.mts';
import { inARow, node, to } from '../workflow.mts';
import type { Scenario } from '../world.mts';

/*
 * Questions are asked, and people press a button or write a text: nobody, one, two at once, late or twice. n8n waits for capacity before it
 * continues, is killed and starts again, and several processes take the answers.
 */

const WORKFLOW = 'asking';

export const sendAndWait: Scenario = {
	name: 'send and wait',
	async play(world) {
		const { choices: c, clock, n8n, service } = world;
		const seconds = c.oneOf('limit/s', [120, 0, 5, 60, 3600]);
		const processes = c.oneOf('processes', [1, 1, 1, 2]);
		const capacity = c.oneOf('waits for capacity/ms', [0, 0, 2000, 90_000]);
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
		trackWaiting(n8n, hosts[0], capacity);
		world.tell(
			`questions for ${responseType} wait ${seconds ? `${seconds} s` : 'for ever'}, ${capacity} ms for capacity, in ${processes} processes`,
		);
		const steps = c.chance('kill', 0.35) ? [c.int('kill/at event', 1, 150)] : [];
		const killed: Process[] = [];
		clock.beforeEach = (step) => {
			if (!steps.includes(step)) return;
			const [victim] = hosts;
			world.tell(`${victim} is killed`);
			killed.push(victim);
			n8n.kill(victim);
			void world.wait(c.oneOf('kill/starts again after ms', [500, 30_000, 200_000])).then(() => {
				hosts[0] = n8n.startProcess();
				n8n.recover(false);
				trackWaiting(n8n, hosts[0], capacity);
				world.tell(`n8n starts again as ${hosts[0]}`);
			});
		};

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
						const look = callWaiting(n8n, host, links[0], undefined, `${call}, a look`, capacity);
						await look.reply;
					}
					const submit = async (submitted: IDataObject, isIncomplete: boolean) => {
						const pressed: Answered = { text, decision, host, at: clock.now, isIncomplete };
						answers.push(pressed);
						const reply = await callWaiting(n8n, host, links[0], submitted, call, capacity).reply;
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
			...brokenInWaiting(world, {
				asked,
				answers,
				killed,
				processes,
				limit: seconds * 1000,
			}),
			...brokenEverywhere(world),
		];
	},
};

/** Returns what a browser submits. Its line breaks are CRLF. */
const formOf = (responseType: string, answer: string): IDataObject =>
	responseType === 'approval' ? { decision: answer } : { answer: answer.replaceAll('\n', '\r\n') };

const saidIn = (body: unknown): string =>
	/<h1[^>]*>(.*?)<\/h1>/s.exec(String(body))?.[1] ?? JSON.stringify(body);
