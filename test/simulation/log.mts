import type { LogRecord } from '../../sandbox/interface/records.mts';
import { type Accepted, SENDER } from './service.mts';
import type { World } from './world.mts';

/** Changes that may happen to the log before it answers a request for a page. */
const CHANGES = [
	'records move',
	'pages become shorter',
	'a record is deleted',
	'a record is missing for a while',
	'a record is added',
] as const;

/** The log of the service: which record it shows for each message, and on which page. */
export class Log {
	/** When records moved to other pages. */
	readonly moved: number[] = [];

	/** When a record disappeared, for ever or for a while. */
	readonly went: number[] = [];

	/** When it gave `null` in place of a list, which is read as an empty one. */
	readonly saidNone: number[] = [];

	/** When a page was empty although others followed. */
	readonly lost: number[] = [];

	/** Records are sorted by status, so a record moves when its status changes. */
	sortsByStatus = false;

	/** The probability that a page is empty although others follow. */
	losesPages = 0;

	/** The probability that the log changes between two requests. */
	restlessness = 0;

	/** It returns the records of all campaigns, whatever the filters say. */
	ignoresFilters = false;

	readonly #world: World;

	/** ms that the service's clock is ahead of n8n's. */
	readonly #skew: number;

	readonly #order: 'oldest first' | 'newest first';

	/** The largest page that it returns, whatever size is asked for. */
	#mostOnPage: number;

	/** Decides the order of the records after they have moved; 0 for their usual order. */
	#salt = 0;

	constructor(world: World, skew: number) {
		const { choices } = world;
		this.#world = world;
		this.#skew = skew;
		this.#order = choices.oneOf('service/log order', ['oldest first', 'newest first'] as const);
		this.#mostOnPage = choices.oneOf('service/most on a page', [1000, 1000, 20, 3, 3]);
	}

	/** Draws everything that can be wrong with a log, for scenarios that test reading it. */
	drawHabits(): void {
		const { choices: c } = this.#world;
		this.sortsByStatus = c.chance('the log is sorted by status', 0.35);
		this.losesPages = c.oneOf('pages come empty', [0, 0, 0, 0.05, 0.3, 0.6]);
		this.restlessness = c.oneOf('the log changes while it is read', [0, 0, 0.05, 0.3, 0.6]);
	}

	/** Whether somebody who reads the log between two moments can tell that all records came. */
	canBeReadWhole(from: number, to: number): boolean {
		const lost = this.lost.filter((at) => at >= from && at <= to).length;
		return this.restlessness === 0 && !this.sortsByStatus && lost <= 1;
	}

	/** Whether the log shows a message at a moment. */
	has({ loggedAt, goneAt = Infinity, gaps }: Accepted, at = this.#world.clock.now): boolean {
		const isMissing = gaps.some(({ from, until }) => from <= at && at < until);
		return loggedAt <= at && at < goneAt && !isMissing;
	}

	/** Whether the log shows a message all the time between two moments. */
	keeps(message: Accepted, from: number, to: number): boolean {
		const { goneAt = Infinity, gaps } = message;
		const hasGap = gaps.some((gap) => gap.from <= to && gap.until > from);
		return message.loggedAt <= from && goneAt > to && !hasGap;
	}

	/** Whether the log shows a message at some time between two moments. */
	shows(message: Accepted, from: number, to: number): boolean {
		const { loggedAt, goneAt = Infinity, gaps } = message;
		if (loggedAt > to || goneAt <= from) return false;
		const first = Math.max(from, loggedAt);
		const gap = gaps.find((each) => each.from <= first && first < each.until);
		return !gap || gap.until <= to;
	}

	/**
	 * Whether a reader cannot notice that a record disappeared between two moments (docs/reports.md#limits): others came, so
	 * that the count stayed the same, or records moved, or the service said that there are none.
	 */
	canDeceive(campaign: readonly Accepted[], from: number, to: number): boolean {
		const messages = this.ignoresFilters ? this.#world.service.accepted : campaign;
		const isWithin = (at = Infinity) => at >= from && at <= to;
		if (this.hasSaidNone(from, to)) return true;
		const went = this.went.some(isWithin);
		const came = messages.some(
			({ loggedAt, gaps }) => isWithin(loggedAt) || gaps.some(({ until }) => isWithin(until)),
		);
		return went && (came || this.moved.some(isWithin));
	}

	/** Whether it said between two moments that there are no records. */
	hasSaidNone(from: number, to: number): boolean {
		return this.saidNone.some((at) => at >= from && at <= to);
	}

	/** Returns a page of the log. */
	page(query: URLSearchParams, request: number): object {
		this.#change(request);
		const found = this.#found(query);
		const size = Math.min(Number(query.get('page[size]') ?? 20), this.#mostOnPage);
		const page = Number(query.get('page[number]') ?? 1);
		const pages = Math.ceil(found.length / size);
		const isLost = page < pages && this.#losesPage(request);
		if (isLost) this.lost.push(this.#world.clock.now);
		const data = isLost
			? []
			: found.slice((page - 1) * size, page * size).map((message) => this.#recordOf(message));
		return {
			success: true,
			message: 'OK',
			count: found.length,
			currentPage: page,
			totalPage: pages,
			data,
		};
	}

	#losesPage(request: number): boolean {
		if (this.losesPages === 0) return false;
		return this.#world.choices.chance(`request ${request}/empty page`, this.losesPages);
	}

	#found(query: URLSearchParams): Accepted[] {
		const wanted = (field: string) => query.get(field);
		const fits = (message: Accepted) =>
			(!wanted('id') || wanted('id') === message.id) &&
			(!wanted('identifier') || wanted('identifier') === message.identifier) &&
			(!wanted('campaign_id') || wanted('campaign_id') === message.campaignId);
		const found = this.#world.service.accepted.filter(
			(message) => this.has(message) && (this.ignoresFilters || fits(message)),
		);
		if (this.#order === 'newest first') found.reverse();
		if (this.#salt > 0) {
			const place = ({ request, index }: Accepted) =>
				(Math.imul(request * 31 + index + 1, this.#salt * 2654435761 + 1) >>> 8) % 1009;
			found.sort((a, b) => place(a) - place(b));
		}
		if (this.sortsByStatus) {
			found.sort((a, b) => this.statusOf(a).localeCompare(this.statusOf(b)));
		}
		return found;
	}

	#change(request: number): void {
		const { choices: c, clock, service } = this.#world;
		const question = `request ${request}/log`;
		if (this.restlessness === 0 || !c.chance(`${question} changes`, this.restlessness)) return;
		const change = c.oneOf(`${question}/change`, CHANGES);
		const there = service.accepted.filter((message) => this.has(message));
		const one = there[c.int(`${question}/which`, 0, Math.max(0, there.length - 1))];
		if (change === 'records move' || change === 'pages become shorter') this.moved.push(clock.now);
		if (change === 'records move') this.#salt = request;
		if (change === 'pages become shorter') {
			this.#mostOnPage = this.#mostOnPage > 20 ? 7 : Math.max(1, this.#mostOnPage >> 1);
		}
		if (one && (change === 'a record is deleted' || change === 'a record is missing for a while')) {
			this.went.push(clock.now);
		}
		if (change === 'a record is deleted' && one) one.goneAt = clock.now;
		if (change === 'a record is missing for a while' && one) {
			const until = clock.now + c.oneOf(`${question}/for ms`, [100, 20, 3000, 7_200_000]);
			one.gaps.push({ from: clock.now, until });
		}
		if (change === 'a record is added') {
			for (const added of service.takeFromElsewhere(1)) added.loggedAt = clock.now;
		}
		this.#world.tell(`the log changes: ${change}`, 'the log changes');
	}

	/** The status of a message, which changes with time. */
	statusOf(message: Accepted, now = this.#world.clock.now): string {
		const { delivered, read, fails } = this.#course(message);
		if (now < delivered) return 'sent';
		if (fails) return 'failed';
		return now >= read ? 'read' : 'delivered';
	}

	/** The statuses that a message had between two moments. */
	statusesBetween(message: Accepted, from: number, to: number): Set<string> {
		const { delivered, read } = this.#course(message);
		const moments = [from, delivered, read, to].filter((at) => at >= from && at <= to);
		return new Set(moments.map((at) => this.statusOf(message, at)));
	}

	#course({ at, request, index }: Accepted) {
		const { choices } = this.#world;
		const question = `request ${request}`;
		const after = choices.oneOf(`${question}/delivered after s`, [0, 5, 90, 4000, 100_000]);
		const more = choices.oneOf(`${question}/read after s`, [0, 10, 300, 9000]);
		const fails = index % 3 === 2 && choices.chance(`${question}/some fail`, 0.3);
		const delivered = at + after * 1000;
		return { delivered, read: more > 0 && !fails ? delivered + more * 1000 : Infinity, fails };
	}

	#recordOf(message: Accepted): LogRecord {
		const { id, externalId, to, campaignId, identifier } = message;
		const status = this.statusOf(message);
		const isDelivered = status === 'delivered' || status === 'read';
		const { delivered } = this.#course(message);
		return {
			id,
			externalId,
			status,
			reason: status === 'failed' ? 'No such number' : null,
			from: SENDER,
			to,
			units: 1,
			delivered_time: isDelivered ? new Date(delivered + this.#skew).toISOString() : null,
			createdAt: new Date(message.at + this.#skew).toISOString(),
			campaign_id: campaignId,
			identifier: identifier ?? '',
		};
	}
}
