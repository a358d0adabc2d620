import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';
import { DataDeduplicationService } from 'n8n-core';

/**
 * n8n's store for *Remove Duplicates*, with the behaviour of n8n 2.40: one row for each node, which n8n reads and
 * writes back as a whole without a lock. Inserting a row that another process has inserted meanwhile fails.
 */
export class ProcessedData implements IDataDeduplicator {
	/** By workflow and node, oldest first. */
	rows = new Map<string, DeduplicationItemTypes[]>();

	/** When set, the database is unavailable. */
	error?: Error;

	/** Called after each write, so that a test can let another process write in between. */
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

/** The database of the n8n of a test file. */
export const database = new ProcessedData();

/** Gives the engine this database, as n8n does when it starts. The engine is the same for all files of a worker. */
export async function installDatabase() {
	const service = DataDeduplicationService as unknown as { instance?: unknown };
	service.instance = undefined;
	await DataDeduplicationService.init(database);
}
