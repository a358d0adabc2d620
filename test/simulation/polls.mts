import type { INodeExecutionData } from 'n8n-workflow';
import { beginsAt } from '../support/n8n/execution.mts';
import { inTheNameOf } from '../support/n8n/owners.mts';
import { clockNow } from './clock.mts';
import { core, workflow as w } from './engine.mts';
import { Job, type N8n, type Process } from './n8n.mts';
import { worldNow } from './world.mts';

/*
 * How n8n lets a published workflow with a polling trigger poll: `active-workflow-manager.js` (`add`),
 * `workflows/triggers/trigger-execution-context.factory.js` (`__emit`) and `workflows/workflow-static-data.service.js` of
 * n8n 2.40, below `n8n/dist/`; `execution-engine/active-workflow-triggers.js` (`activatePollTrigger`) and
 * `execution-engine/poll-trigger-executor.js` of n8n-core. n8n does not prevent two polls of the same trigger from running at the same time.
 */

/** One poll of a trigger. */
export interface Poll {
	/** The owner of its requests. */
	job: Job;
	beganAt: number;
	endedAt: number;
	/** `discarded`: the workflow was published again meanwhile. */
	end: 'found' | 'nothing' | 'failed' | 'discarded';
	/** Its output. */
	items: INodeExecutionData[];
	/** The lines that n8n logged meanwhile. */
	logged: string[];
	/** n8n could not store the execution that was to start. */
	hasFailedToStart?: true;
}

/** One publication of a workflow, until the workflow is published again or its process dies. */
export interface Publication {
	process: Process;
	/** The polls in the order in which they ended. */
	polls: Poll[];
	/** How many of {@link polls} had ended when n8n last saved their static data; undefined if it never did. */
	saved: number | undefined;
	/** The first poll has succeeded, and n8n shows the workflow as published. */
	isPublished: boolean;
	/** Unpublishes the workflow. */
	end: () => void;
}

/**
 * Publishes a workflow in a process, as n8n also does when it starts: it polls once, saves the static data, and then
 * polls regularly. If the first poll fails, n8n or a person tries again.
 */
export function publish(
	n8n: N8n,
	process: Process,
	workflowId: string,
	every: number,
): Publication {
	const { database } = n8n;
	const saved = n8n.workflows.get(workflowId)!;
	const polls: Poll[] = [];
	let timer: NodeJS.Timeout | undefined;
	let isCurrent = true;
	const publication: Publication = {
		process,
		polls,
		saved: undefined,
		isPublished: false,
		end: () => {
			isCurrent = false;
			clearInterval(timer);
		},
	};
	const activate = async (): Promise<void> => {
		const read = () => database.staticData.get(workflowId) ?? '{}';
		const text = await database.access(`static data of ${workflowId}`, read);
		const workflow = process.workflow(structuredClone(saved), JSON.parse(text));
		const node = Object.values(workflow.nodes).find(
			({ type }) => process.nodeTypes.getByNameAndVersion(type).poll,
		)!;
		const { poll } = process.nodeTypes.getByNameAndVersion(node.type);
		const data = process.additionalData({ currentNodeParameters: node.parameters });
		const context = new core.PollContext(workflow, node, data, 'trigger', 'activate');

		const saveStaticData = async () => {
			if ((workflow.staticData as { __dataChanged?: boolean }).__dataChanged !== true) return;
			const changed = JSON.stringify(workflow.staticData);
			const ended = polls.length;
			try {
				await database.access(`save static data of ${workflowId}`, () => {
					database.staticData.set(workflowId, changed);
					publication.saved = ended;
				});
				(workflow.staticData as { __dataChanged?: boolean }).__dataChanged = false;
			} catch (error) {
				process.log.push(`error: ${(error as Error).message}`);
			}
		};

		const emit = async (made: Poll) => {
			void saveStaticData();
			const run = w.createRunExecutionData(beginsAt(node, [structuredClone(made.items)]));
			try {
				await n8n.startFromTrigger(process, saved, run, 'trigger');
			} catch (error) {
				made.hasFailedToStart = true;
				process.log.push(`error: ${(error as Error).message}`);
			}
		};

		const pollOnce = async (isTest: boolean): Promise<void> => {
			if (!isTest && !isCurrent) return;
			const job = new Job(process, `poll ${++n8n.polls}`);
			const beganAt = clockNow().now;
			const loggedBefore = process.log.length;
			const over = (end: Poll['end'], items: INodeExecutionData[] = []) => {
				const logged = process.log.slice(loggedBefore);
				polls.push({ job, beganAt, endedAt: clockNow().now, end, items, logged });
			};
			await inTheNameOf(job, async () => {
				worldNow().note('poll');
				try {
					const found = await poll!.call(context);
					if (!isTest && !isCurrent) return over('discarded');
					if (found === null) return over('nothing');
					over('found', structuredClone(found[0]));
					worldNow().tell(`${job} finds ${found[0].length} changes`);
					void emit(polls.at(-1)!);
				} catch (error) {
					over(isTest || isCurrent ? 'failed' : 'discarded');
					worldNow().tell(`${job} fails: ${(error as Error).message}`, 'polls fail');
					if (isTest) throw error;
				}
			});
		};

		await pollOnce(true);
		timer = setInterval(() => void pollOnce(false), every);
		await saveStaticData();
		publication.isPublished = true;
	};
	const start = async (wait: number): Promise<void> => {
		try {
			await activate();
		} catch {
			await new Promise((resolve) => setTimeout(resolve, wait));
			if (isCurrent) await start(Math.min(wait * 2, 60_000));
		}
	};
	void inTheNameOf(new Job(process, `publication in ${process}`), async () => await start(1000));
	return publication;
}
