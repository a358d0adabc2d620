import { LargeMap } from '../utils/largeMap';
import { TimeSlice } from '../utils/concurrency';
import type { LogRecord } from '../service/types';
import { hasId } from './hasId';
import { idText } from './idText';

/** What came of a page, apart from the records themselves. */
export type Taken = {
	/** Records that had not come before in this pass. */
	firstInPass: number;
	/** A record came for the second time in this pass: it moved while we read. */
	repeated: boolean;
};

/** Which records were handed over, by their ids, so that none is twice. */
export class Found {
	/** The pass in which each id was last seen. */
	private readonly lastSeen = new LargeMap<number>();

	private readonly slice = new TimeSlice();

	private pass = 1;

	private seen = 0;

	private withoutId = 0;

	private came = 0;

	private handedOver = 0;

	/** Records that do not fit. */
	leftOut = 0;

	constructor(
		private readonly limit: number,
		private readonly take: (records: LogRecord[]) => void | Promise<void>,
		private readonly fits: (record: LogRecord) => boolean,
	) {}

	begin(pass: number) {
		this.pass = pass;
		this.seen = 0;
	}

	/** Hands over those records of a page that are new and fit, up to the limit. */
	async add(records: LogRecord[]): Promise<Taken> {
		let firstInPass = 0;
		let repeated = false;
		const fresh: LogRecord[] = [];
		for (const record of records) {
			if (this.slice.isOver) await this.slice.yieldIfOver();
			if (!hasId(record)) {
				firstInPass++;
				// It cannot be told from one of an earlier pass: it is taken in the first only.
				if (this.pass > 1) continue;
				this.withoutId++;
				fresh.push(record);
				continue;
			}
			const key = idText(record.id);
			const last = this.lastSeen.get(key);
			if (last === this.pass) {
				repeated = true;
				continue;
			}
			firstInPass++;
			this.seen++;
			if (last === undefined) fresh.push(record);
			this.lastSeen.set(key, this.pass);
		}
		const kept: LogRecord[] = [];
		for (const record of fresh) {
			if (this.handedOver >= this.limit) break;
			this.came++;
			if (this.fits(record)) {
				this.handedOver++;
				kept.push(record);
			} else {
				this.leftOut++;
			}
		}
		if (kept.length > 0) await this.take(kept);
		return { firstInPass, repeated };
	}

	get isReadAgain() {
		return this.pass > 1;
	}

	/** How many came, whether they fit or not: so many the service counts. */
	get size() {
		return this.came;
	}

	/** How many there are by what came in this pass alone; those without an id as in the first. */
	get sizeInPass() {
		return this.seen + this.withoutId;
	}

	/** How many the limit still allows. */
	get wanted() {
		return this.limit - this.handedOver;
	}
}
