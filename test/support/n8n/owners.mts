import { AsyncLocalStorage } from 'node:async_hooks';

/** Owns a piece of work: an execution in a process of n8n. */
export interface Owner {
	/** False for a killed process: none of its events happen any more. */
	readonly isAlive: boolean;
}

const owners = new AsyncLocalStorage<Owner | undefined>();

/** The owner of the code that calls this. */
export const ownerNow = (): Owner | undefined => owners.getStore();

/** Runs work for an owner. Timers and promises that the work creates have the same owner. */
export const inTheNameOf = <T,>(owner: Owner | undefined, work: () => T): T =>
	owners.run(owner, work);
