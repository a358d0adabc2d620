import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One action that a user can choose: its fields, and what the node does with them. */
export type Operation = {
	/** The saved value; never changes once released. */
	value: string;
	name: string;
	/** The sentence in the node's list of actions, and the description of the tool for an AI agent. */
	action: string;
	description: string;
	/** For n8n's assistants: how it is used in a workflow, and the fields of its output; by default those that *Simplify* keeps. */
	hint?: string;
	/** In the order in which a person fills them in. */
	fields: INodeProperties[];
	/** Handles all input items together and returns the node's outputs. */
	execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
};

/** Loads what is needed only when an operation is executed, or when the editor asks. */
export const onDemand = async () => await import('./onDemand');

/** The operations on one kind of record or message. */
export type Resource = {
	/** The saved value; never changes once released. */
	value: string;
	name: string;
	operations: Operation[];
};
