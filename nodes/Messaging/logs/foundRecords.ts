import { LargeMap } from '../utils/largeMap';
import { TimeSlice } from '../utils/concurrency';
import type { LogRecord } from '../service/types';
import type { StatusFilter } from './logFilters';
import { hasId, idText } from './record';

/** Receives the records of a page that no earlier page had, in the service's order. */
export type OnRecords = (records: LogRecord[]) => void | Promise<void>;

/** Whether the service's number of records or pages can be used. */
export const isCount = (value: number | undefined): value is number =>
	Number.isInteger(value) && value! >= 0;

/** The result of adding a page. */
export type PageResult = {
	/** How many of its records were not on an earlier page of the same pass. */
	firstInPass: number;
	/** One of its records was also on an earlier page of the same pass: it moved while the log was read. */
	repeated: boolean;
};

/**
 * The records found so far, over all passes through the log. Keeps only their ids, so that each record is
 * handed over once.
 */
export class FoundRecords {
	/** The pass in which each id was last found. */
	private readonly lastPass = new LargeMap<number>();

	private readonly slice = new TimeSlice();

	private pass = 0;

	/** Records with an id found in this pass, also those that earlier passes had found. */
	private inPass = 0;

	private withoutId = 0;

	/** Records found, whether they fit the filters or not. */
	private found = 0;

	private handedOver = 0;

	/** Records that do not fit the filters, and so were not handed over. */
	leftOut = 0;

	/** The largest number of records that the service has counted. */
	highestCount = 0;

	/** The service counted fewer records than it had counted before: records were deleted meanwhile. */
	private countFell = false;

	/**
	 * @param limit how many records are wanted; Infinity for all
	 * @param fits whether a record matches the filters of the request
	 * @param isWanted whether to hand over a record that fits
	 */
	constructor(
		private readonly limit: number,
		private readonly fits: (record: LogRecord) => boolean,
		private readonly onRecords: OnRecords,
		private readonly isWanted: StatusFilter = () => true,
	) {}

	startPass() {
		this.pass++;
		this.inPass = 0;
	}

	/**
	 * Notes how many records an answer counts.
	 *
	 * @param before `highestCount` when the page was requested: pages in flight together may be answered in any order
	 */
	noteCount(count: number | undefined, before: number) {
		if (!isCount(count)) return;
		this.countFell ||= count < before;
		this.highestCount = Math.max(this.highestCount, count);
	}

	/** Hands over the records of a page that are new and fit, up to the limit. */
	async add(records: LogRecord[]): Promise<PageResult> {
		let firstInPass = 0;
		let repeated = false;
		const fresh: LogRecord[] = [];
		for (const record of records) {
			if (this.slice.isOver) await this.slice.yieldIfOver();
			if (!hasId(record)) {
				firstInPass++;
				// Without an id it looks like a record of an earlier pass, so only the first pass hands it over.
				if (this.pass > 1) continue;
				this.withoutId++;
				fresh.push(record);
				continue;
			}
			const key = idText(record.id);
			const last = this.lastPass.get(key);
			if (last === this.pass) {
				repeated = true;
				continue;
			}
			firstInPass++;
			this.inPass++;
			if (last === undefined) fresh.push(record);
			this.lastPass.set(key, this.pass);
		}
		await this.handOver(fresh);
		return { firstInPass, repeated };
	}

	private async handOver(fresh: LogRecord[]) {
		const fitting: LogRecord[] = [];
		for (const record of fresh) {
			if (this.wanted <= 0) break;
			this.found++;
			if (this.fits(record)) {
				if (!this.isWanted(record)) continue;
				this.handedOver++;
				fitting.push(record);
			} else {
				this.leftOut++;
			}
		}
		if (fitting.length > 0) await this.onRecords(fitting);
	}

	get isReadAgain() {
		return this.pass > 1;
	}

	/** How many more records the limit allows. */
	get wanted() {
		return this.limit - this.handedOver;
	}

	/**
	 * How many records to compare with the service's count: those of all passes, because records move
	 * between pages. If the count has fallen, only those of this pass, because earlier passes may have found records
	 * that are deleted now.
	 */
	get comparable(): number {
		return this.countFell ? this.inPass + this.withoutId : this.found;
	}
}
