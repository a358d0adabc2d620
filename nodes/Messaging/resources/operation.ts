import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One thing that a user wants to do: what is filled in, and what happens then. */
export type Operation = {
	/** The saved value; never changes once released. */
	value: string;
	name: string;
	/** The sentence in the node's list of actions, and what an AI agent is told the tool does. */
	action: string;
	description: string;
	/** In the order in which a person fills them in. */
	fields: INodeProperties[];
	/** From all input items to the node's outputs. */
	execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
};

/** A kind of thing that operations are about. */
export type Resource = {
	value: string;
	name: string;
	operations: Operation[];
};
