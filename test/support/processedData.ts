import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';

/**
 * What n8n's deduplication keeps, done as n8n 2.40 does it: one row for a node, read whole and written back
 * whole without a lock, and the first row inserted.
 */
export class ProcessedData implements IDataDeduplicator {
	/** By workflow and node, oldest first. */
	rows = new Map<string, DeduplicationItemTypes[]>();

	/** When set, the database is away. */
	error?: Error;

	/** Is called after each write: another process may come in between. */
	afterWrite: (place: string, before: DeduplicationItemTypes[] | undefined) => void = () => {};

	get entries() {
		return [...this.rows.values()].flat();
	}

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		_scope,
		{ workflow, node },
		{ maxEntries },
	) => {
		if (this.error) throw this.error;
		const place = `${workflow.id} ${node!.id}`;
		const before = this.rows.get(place);
		await Promise.resolve();
		if (!before && this.rows.has(place)) throw new Error('UNIQUE constraint failed');
		const known = new Set(before);
		const added = items.filter((item) => !known.has(item));
		const row = [...(before ?? []), ...added];
		row.splice(0, row.length - (maxEntries ?? row.length));
		this.rows.set(place, row);
		this.afterWrite(place, before);
		return { new: added, processed: items.filter((item) => known.has(item)) };
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (
		items,
		_scope,
		{ workflow, node },
	) => {
		if (this.error) throw this.error;
		const place = `${workflow.id} ${node!.id}`;
		const before = this.rows.get(place);
		await Promise.resolve();
		if (before) {
			this.rows.set(
				place,
				before.filter((item) => !items.includes(item)),
			);
			this.afterWrite(place, before);
		}
	};

	async clearAllProcessedItems() {
		this.rows.clear();
	}

	async getProcessedDataCount() {
		return this.entries.length;
	}
}
