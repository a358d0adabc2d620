import type { LogRecord } from '../../sandbox/interface/records.mts';
import { type Accepted, SENDER } from './service.mts';
import type { World } from './world.mts';

/** The log of the service: the records of the messages that it has accepted, which appear there late. */
export class Log {
	readonly #world: World;

	/** ms that the service's clock is ahead of n8n's. */
	readonly #skew: number;

	readonly #order: 'oldest first' | 'newest first';

	/** The largest page that it returns, whatever size is asked for. */
	readonly #mostOnPage: number;

	constructor(world: World, skew: number) {
		const { choices } = world;
		this.#world = world;
		this.#skew = skew;
		this.#order = choices.oneOf('service/log order', ['oldest first', 'newest first'] as const);
		this.#mostOnPage = choices.oneOf('service/most on a page', [1000, 1000, 20, 3, 3]);
	}

	/** Returns a page of the log. */
	page(query: URLSearchParams): object {
		const found = this.#found(query);
		const size = Math.min(Number(query.get('page[size]') ?? 20), this.#mostOnPage);
		const page = Number(query.get('page[number]') ?? 1);
		const shown = found.slice((page - 1) * size, page * size);
		return {
			success: true,
			message: 'OK',
			count: found.length,
			currentPage: page,
			totalPage: Math.ceil(found.length / size),
			data: shown.map((message) => this.#recordOf(message)),
		};
	}

	#found(query: URLSearchParams): Accepted[] {
		const wanted = (field: string) => query.get(field);
		const found = this.#world.service.accepted.filter(
			(message) =>
				message.loggedAt <= this.#world.clock.now &&
				(!wanted('id') || wanted('id') === message.id) &&
				(!wanted('identifier') || wanted('identifier') === message.identifier) &&
				(!wanted('campaign_id') || wanted('campaign_id') === message.campaignId),
		);
		return this.#order === 'newest first' ? found.reverse() : found;
	}

	#recordOf({ id, externalId, to, campaignId, identifier, at }: Accepted): LogRecord {
		return {
			id,
			externalId,
			status: 'sent',
			reason: null,
			from: SENDER,
			to,
			units: 1,
			delivered_time: null,
			createdAt: new Date(at + this.#skew).toISOString(),
			campaign_id: campaignId,
			identifier: identifier ?? '',
		};
	}
}
