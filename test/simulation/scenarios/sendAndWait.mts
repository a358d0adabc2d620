import type { IDataObject, INode } from 'n8n-workflow';
import { everywhere } from '../invariants.mts';
import { type Answered, type Asked, waitingPromises } from '../waitingInvariants.mts';
import type { Process } from '../n8n.mts';
import { SENDER } from '../service.mts';
import { callWaiting, trackWaiting } from '../webhooks.mts';
import type { Scenario } from '../world.mts';

/*
 * Questions are asked, and people answer: nobody, one, two at once, late or twice. n8n waits for capacity before it
 * continues, is killed and starts again, and several processes take the answers.
 */

const WORKFLOW = 'asking';

const node = (name: string, type: string, parameters: IDataObject): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
	credentials: { messagingApi: { id: '1', name: 'Messaging API' } },
});

const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });

export const sendAndWait: Scenario = {
	name: 'send and wait',
	async play(world) {
		const { choices: c, clock, n8n, service } = world;
		const seconds = c.oneOf('limit/s', [120, 0, 5, 60, 3600]);
		const processes = c.oneOf('processes', [1, 1, 1, 2]);
		const capacity = c.oneOf('waits for capacity/ms', [0, 0, 2000, 90_000]);
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
			approvalOptions: { values: { approvalType: 'double' } },
			options: { ...(seconds > 0 && { limitWaitTime: { values: limit } }) },
		});
		n8n.workflows.set(WORKFLOW, {
			id: WORKFLOW,
			connections: { Start: to('Ask'), Ask: to('After') },
			nodes: [node('Start', 'simulated.start', {}), asking, node('After', 'simulated.after', {})],
		});
		const hosts = Array.from({ length: processes }, () => n8n.startProcess());
		trackWaiting(n8n, hosts[0], capacity);
		world.tell(
			`questions wait ${seconds ? `${seconds} s` : 'for ever'}, ${capacity} ms for capacity, in ${processes} processes`,
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
		const ask = async (index: number) => {
			const question = `question ${index + 1}`;
			await world.wait(c.oneOf(`${question}/after ms`, [0, 0, 3000, 50_000]));
			const text = `May we ship N${index + 1}?`;
			if (!hosts[0].isAlive) return;
			const phone = `38591700${String(1100 + index * 7)}`;
			const running = n8n.start(hosts[0], WORKFLOW, [{ phone, text }]);
			const each: Asked = { id: running.id, text, askedAt: clock.now };
			asked.push(each);
			await running.over;
			const message = service.accepted.find(({ sent }) => sent.includes(text));
			const links = [...(message?.text ?? '').matchAll(/https:\/\/n8n\.test\/\S+/g)].map(
				([link]) => link,
			);
			if (links.length === 0) return;
			const people = c.int(`${question}/presses`, 0, 3);
			await Promise.all(
				Array.from({ length: people }, async (_, person) => {
					const name = `${question}/press ${person + 1}`;
					const near = Math.max(0, seconds * 1000 - 2000);
					await world.wait(
						c.oneOf(`${name}/after ms`, [
							1000,
							1000,
							1005,
							6000,
							near,
							near + 1200,
							near + 2500,
							near + 60_000,
						]),
					);
					const decision = c.oneOf(`${name}/decision`, ['approve', 'disapprove']);
					const host = hosts[c.int(`${name}/process`, 0, 1) % hosts.length];
					const call = `press ${++calls}`;
					world.tell(`${call}: ${decision} for execution ${running.id} in ${host}`);
					if (c.chance(`${name}/looks first`, 0.3)) {
						const look = callWaiting(n8n, host, links[0], undefined, `${call}, a look`, capacity);
						await look.reply;
					}
					const answer: Answered = { id: running.id, decision, host, at: clock.now };
					answers.push(answer);
					const reply = await callWaiting(n8n, host, links[0], { decision }, call, capacity).reply;
					answer.said = reply === 'broken' ? undefined : saidIn(reply.body);
					world.tell(`${call} reads: ${answer.said ?? 'nothing'}`);
				}),
			);
		};
		await Promise.all(
			Array.from({ length: c.int('questions', 1, 3) }, async (_, at) => await ask(at)),
		);
		await world.wait(seconds * 1000 + 600_000);
		return [
			...waitingPromises(world, { asked, answers, killed, processes, limit: seconds * 1000 }),
			...everywhere(world),
		];
	},
};

const saidIn = (body: unknown): string =>
	/<p[^>]*>(.*?)<\/p>/s.exec(String(body))?.[1] ?? JSON.stringify(body);
