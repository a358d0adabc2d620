import { Database as DatabaseOfN8n } from '../support/n8n/installation.mts';
import { ProcessedData, rowOf } from '../support/n8n/processedData.mts';
import { ownerNow } from '../support/n8n/owners.mts';
import { clockNow } from './clock.mts';
import { Job } from './n8n.mts';
import { worldNow } from './world.mts';

type Check = Parameters<ProcessedData['checkProcessedAndRecord']>;
type Remove = Parameters<ProcessedData['removeProcessed']>;

/** n8n's deduplication of items. It sees when another process overwrites the notes of an execution. */
class NotedData extends ProcessedData {
	/** The notes of each execution, with their row. */
	readonly #noted = new Map<Job, Map<string, string>>();

	override afterWrite = () => {
		for (const job of this.#noted.keys()) job.hasLostNotes ||= this.#isMissing(job);
	};

	#isMissing = (job: Job) =>
		[...this.#noted.get(job)!].some(([item, row]) => !this.rows.get(row)?.includes(item));

	override async checkProcessedAndRecord(...[items, scope, context, options]: Check) {
		const found = await super.checkProcessedAndRecord(items, scope, context, options);
		const owner = ownerNow();
		if (owner instanceof Job) {
			const notes = this.#noted.get(owner) ?? new Map<string, string>();
			for (const item of items) notes.set(String(item), rowOf(context));
			this.#noted.set(owner, notes);
			owner.hasLostNotes = this.#isMissing(owner);
		}
		return found;
	}

	override async removeProcessed(...[items, scope, context, options]: Remove) {
		const owner = ownerNow();
		if (owner instanceof Job)
			for (const item of items) this.#noted.get(owner)?.delete(String(item));
		await super.removeProcessed(items, scope, context, options);
	}
}

/**
 * n8n's database. Every access takes time, in two parts: until it happens, and until the process gets the result. A
 * process can be killed between the two. As in n8n, nothing is locked between two accesses.
 */
export class Database extends DatabaseOfN8n {
	/** The rows of n8n's deduplication of items (`processed_data`). */
	readonly processed = new NotedData(async (what, work) => await this.access(what, work));

	/** While it returns true, every access fails, as with a full disk or locked tables. */
	isBroken: () => boolean = () => false;

	#accesses = 0;

	override async access<T>(what: string, work: () => T): Promise<T> {
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
				// The last access of a killed process may have arrived at the database.
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
