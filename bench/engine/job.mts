import type { INode } from 'n8n-workflow';
import type { Input } from './items.mts';
import type { Cost } from './meters.mts';
import type { Tally } from './tally.mts';

/** What a fresh process is told to do: one run of one node for so many recipients. */
export interface Job {
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;
	items: number;
	/** How they come in; `rows` when undefined. */
	input?: Input;
	/** The service's address. */
	url: string;
	/** Requests at once, for what has no option for it. */
	concurrency: number;
	/** A credential that n8n has read before: any other than the node's own. */
	warmCredential: NonNullable<INode['credentials']>;
	/** Where to write a processor profile of the run; none when undefined. */
	profile?: string;
}

export interface Figures extends Cost, Tally {
	outputItems: number;
}

export type Report = { ready: true } | { figures: Figures } | { failed: string };
