import { clockNow, ownerNow, type Owner } from './clock.mts';
import { worldNow } from './world.mts';

/** An execution as n8n's database holds it (`execution_entity` and `execution_data`). */
export interface StoredExecution {
	id: string;
	status: 'new' | 'running' | 'success' | 'error' | 'canceled' | 'crashed' | 'waiting';
	finished: boolean;
	mode: string;
	data: string;
	/** The workflow as it was when the execution began. */
	workflow: string;
	retryOf: string | undefined;
	owner: Owner | undefined;
	/** In queue mode: the process that waits for what the worker comes to. */
	enqueuedBy?: Owner;
	/** While it waits: when n8n continues it by itself, in ms since 1970. */
	waitTill?: number;
}

/**
 * n8n's database. Every access takes time, in two parts: until it happens, and until the process hears of it. Between
 * the two a process can be killed. Nothing is locked from one access to the next, as in n8n.
 */
export class Database {
	readonly executions = new Map<string, StoredExecution>();

	/** By workflow: saved whole, the last writer wins (`workflows/workflow-static-data.service.js`). */
	readonly staticData = new Map<string, string>();

	/**
	 * By workflow and node: what n8n's deduplication of items keeps (`processed_data`). Never changed in place: a row is
	 * written whole.
	 */
	readonly processed = new Map<string, readonly string[]>();

	/** While it says so, every access fails, as when a disk is full or other work locks the tables. */
	isBroken: () => boolean = () => false;

	#accesses = 0;

	async access<T>(what: string, work: () => T): Promise<T> {
		const owner = ownerNow();
		const clock = clockNow();
		const { choices } = worldNow();
		const question = `database ${++this.#accesses}`;
		const [before, after] = [
			choices.int(`${question}/ms before`, 0, 8),
			choices.int(`${question}/ms after`, 0, 4),
		];
		return await new Promise((resolve, reject) => {
			clock.plan(before, undefined, () => {
				// What a killed process had just asked for may have arrived all the same.
				if (owner && !owner.isAlive && !choices.chance(`${question}/arrives`, 0.5)) return;
				worldNow().note(`database: ${what}`);
				try {
					if (this.isBroken()) throw new Error('SQLITE_BUSY: database is locked');
					const result = work();
					clock.plan(after, owner, () => resolve(result));
				} catch (error) {
					clock.plan(after, owner, () => reject(error));
				}
			});
		});
	}
}
