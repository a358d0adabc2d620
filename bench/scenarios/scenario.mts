import type { Job } from '../engine/job.mts';
import type { Protocol } from '../service/service.mts';

/** Something that is measured; how often, with how many items and how slow a service, says its set. */
export interface Scenario {
	/** Its name in results and on the command line. */
	name: string;
	/** What it is, for people. */
	title: string;
	program: 'worker.mts' | 'raw.mts';
	/** How recipients come in; as rows when undefined. */
	input?: Job['input'];
	node: (target: Target) => Job['node'];
	/** Requests that n items make, where that is fixed; a run that made others is an error. */
	requests?: (items: number) => number;
	/** Messages that must have arrived after n items. */
	messages?: (items: number) => number;
}

export interface Target {
	protocol: Protocol;
	url: string;
	concurrency: number;
}
