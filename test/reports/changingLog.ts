import type { ServiceRequest } from '../../nodes/Messaging/service/endpoints';
import type { Json } from '../../nodes/Messaging/service/payload';

/** What happens to the log before a request is answered. */
export type Change =
	| { kind: 'none' }
	| { kind: 'status'; at: number; status: string }
	| { kind: 'remove'; at: number }
	| { kind: 'addFirst' | 'addLast'; count: number }
	| { kind: 'shuffle'; salt: number }
	| { kind: 'lowerPageSize'; by: number };

export type Habits = {
	records: number;
	/** The service gives no more than this on a page, whatever is asked for. */
	pageSize: number;
	/** Sorted by status, so that records move when it changes; otherwise in the order of creation. */
	sortsByStatus: boolean;
	saysCount: boolean;
	/** What is said instead of the number of pages: more, less, or nothing. */
	totalPage: 'true' | 'none' | { wrongBy: number };
	/** The pages, from 1, that come empty the first time, unless they are the last. */
	emptyOnce: number[];
	/** In turn, one before each request; afterwards nothing changes any more. */
	changes: Change[];
};

/** A logs endpoint (4.7) in memory whose log changes between requests. */
export class ChangingLog {
	private readonly records: Json[];

	private pageSize: number;

	private readonly toBeEmpty: Set<number>;

	private added = 0;

	/** Ids that were there before the first request, and still are. */
	always: string[];

	requests = 0;

	constructor(private readonly habits: Habits) {
		this.always = Array.from({ length: habits.records }, (_, index) => `r${index}`);
		this.records = this.always.map((id) => ({ id, status: 'queued' }));
		this.pageSize = habits.pageSize;
		this.toBeEmpty = new Set(habits.emptyOnce);
	}

	ask = async <Payload>({ query = {}, read }: ServiceRequest<Payload>): Promise<Payload> => {
		// As over a network: what is asked for together is answered at different moments.
		for (let wait = (this.requests * 7) % 4; wait >= 0; wait--) await null;
		const change = this.habits.changes[this.requests++];
		if (change) this.apply(change);
		return read(this.page(Number(query['page[number]']), Number(query['page[size]'])))!;
	};

	private apply(change: Change) {
		const { records } = this;
		switch (change.kind) {
			case 'none':
				return;
			case 'status': {
				const { length } = records;
				if (length > 0) records[change.at % length].status = change.status;
				return;
			}
			case 'remove': {
				const [removed] = records.splice(change.at % (records.length || 1), 1);
				this.always = this.always.filter((id) => id !== removed?.id);
				return;
			}
			case 'lowerPageSize':
				this.pageSize = Math.max(1, this.pageSize - change.by);
				return;
			case 'shuffle':
				records.forEach((_, index) => {
					const other = (index * 31 + change.salt) % records.length;
					[records[index], records[other]] = [records[other], records[index]];
				});
				return;
			default: {
				const fresh = Array.from({ length: change.count }, () => ({
					id: `added${this.added++}`,
					status: 'queued',
				}));
				if (change.kind === 'addFirst') records.unshift(...fresh);
				else records.push(...fresh);
			}
		}
	}

	private page(number: number, asked: number): Json {
		const { emptyOnce, saysCount, sortsByStatus, totalPage } = this.habits;
		const sorted = sortsByStatus
			? [...this.records].sort((a, b) => String(a.status).localeCompare(String(b.status)))
			: this.records;
		const size = Math.min(asked, this.pageSize);
		const pages = Math.ceil(sorted.length / size);
		// Not two in a row: that is where a log without a count ends.
		const isEmpty =
			number < pages && !emptyOnce.includes(number - 1) && this.toBeEmpty.delete(number);
		return {
			success: true,
			data: isEmpty ? [] : sorted.slice((number - 1) * size, number * size).map((r) => ({ ...r })),
			...(saysCount && { count: sorted.length }),
			...(totalPage !== 'none' && {
				totalPage: totalPage === 'true' ? pages : Math.max(0, pages + totalPage.wrongBy),
			}),
		};
	}
}
