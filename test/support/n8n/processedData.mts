import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';

type Check = Parameters<IDataDeduplicator['checkProcessedAndRecord']>;
type Remove = Parameters<IDataDeduplicator['removeProcessed']>;

/** An access to the database, which may take time, or fail. */
type Access = <T>(what: string, work: () => T) => Promise<T>;

/** The row of a node, or of the whole workflow. */
export const rowOf = ({ workflow, node }: Check[2], scope: Check[1] = 'node') =>
	`${workflow.id} ${scope === 'node' ? node!.id : ''}`;

/**
 * n8n's store for *Remove Duplicates* (n8n 2.41, `deduplication/deduplication-helper.js`): one row for each node, which n8n
 * reads and writes back as a whole without a lock. Inserting a row that another process has inserted meanwhile fails.
 */
export class ProcessedData implements IDataDeduplicator {
	/** By workflow and node, oldest first. */
	readonly rows = new Map<string, DeduplicationItemTypes[]>();

	/** When set, the database is unavailable. */
	error?: Error;

	/** Called after each write, so that a test can let another process write in between. */
	afterWrite: (row: string, before: DeduplicationItemTypes[] | undefined) => void = () => {};

	readonly #access: Access;

	constructor(access: Access = async (_what, work) => work()) {
		this.#access = access;
	}

	get entries() {
		return [...this.rows.values()].flat();
	}

	async checkProcessedAndRecord(...[items, scope, context, { maxEntries }]: Check) {
		if (this.error) throw this.error;
		const row = rowOf(context, scope);
		const before = await this.#access(`read ${row}`, () => this.rows.get(row));
		const known = new Set(before);
		const added = items.filter((item) => !known.has(item));
		const all = [...(before ?? []), ...added];
		all.splice(0, all.length - (maxEntries ?? all.length));
		await this.#access(`write ${row}`, () => {
			if (!before && this.rows.has(row)) throw new Error('UNIQUE constraint failed');
			this.#write(row, all, before);
		});
		return { new: added, processed: items.filter((item) => known.has(item)) };
	}

	async removeProcessed(...[items, scope, context]: Remove) {
		if (this.error) throw this.error;
		const row = rowOf(context, scope);
		const before = await this.#access(`read ${row}`, () => this.rows.get(row));
		if (!before) return;
		const left = before.filter((item) => !items.includes(item));
		await this.#access(`write ${row}`, () => this.#write(row, left, before));
	}

	#write(row: string, items: DeduplicationItemTypes[], before?: DeduplicationItemTypes[]) {
		this.rows.set(row, items);
		this.afterWrite(row, before);
	}

	async clearAllProcessedItems() {
		this.rows.clear();
	}

	async getProcessedDataCount() {
		return this.entries.length;
	}
}
