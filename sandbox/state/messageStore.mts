import { randomUUID } from 'node:crypto';

import type { SendingEndpoint } from '../interface/endpoints.mts';
import type { LogRecord } from '../interface/records.mts';
import type { TemplateObject } from '../interface/requests.mts';
import { progressOf } from './run.mts';
import type { Run } from './run.mts';

/** A message of a request. */
export interface Draft {
	readonly to: string;
	readonly identifier?: string | undefined;
	readonly template?: TemplateObject;
	readonly message?: string;
	readonly save?: boolean | undefined;
	readonly metadata?: Record<string, unknown> | undefined;
}

/** A message that the service accepted, also when its answer was lost afterwards. */
export interface AcceptedMessage {
	readonly id: string;
	readonly externalId: string;
	readonly endpoint: SendingEndpoint;
	readonly run: Run;
	readonly index: number;
	readonly draft: Draft;
}

/** Filters of the logs. A record must match all given filters. */
export interface LogFilters {
	readonly id?: string | undefined;
	readonly campaign_id?: string | undefined;
	readonly identifier?: string | undefined;
}

/** Every message accepted since the last reset, in the order of acceptance. */
export class MessageStore {
	readonly #all: AcceptedMessage[] = [];
	readonly #byId = new Map<string, AcceptedMessage>();
	readonly #byRun = new Map<string, AcceptedMessage[]>();
	readonly #byIdentifier = new Map<string, AcceptedMessage[]>();
	readonly #byRecipient = new Map<string, AcceptedMessage[]>();

	/** Accepts all messages of one request. @returns them in the order of the request */
	accept(endpoint: SendingEndpoint, run: Run, drafts: readonly Draft[]): AcceptedMessage[] {
		const accepted = drafts.map((draft, index) => {
			const id = randomUUID();
			return { id, externalId: `chat-${id.slice(0, 13)}`, endpoint, run, index, draft };
		});
		for (const message of accepted) {
			this.#all.push(message);
			this.#byId.set(message.id, message);
			file(this.#byRecipient, message.draft.to, message);
			if (message.draft.identifier) {
				file(this.#byIdentifier, message.draft.identifier, message);
			}
		}
		this.#byRun.set(run.id, accepted);
		return accepted;
	}

	/** @returns the messages that match the filters, oldest first (the order is not documented) */
	find(filters: LogFilters): readonly AcceptedMessage[] {
		const { id, campaign_id: runId, identifier } = filters;
		return this.#narrowest(filters).filter(
			(message) =>
				(!id || message.id === id) &&
				(!runId || message.run.id === runId) &&
				(!identifier || message.draft.identifier === identifier),
		);
	}

	/** @returns the accepted messages to one recipient, or all of them, oldest first */
	acceptedBy(recipient: string | undefined): readonly AcceptedMessage[] {
		return recipient === undefined ? this.#all : (this.#byRecipient.get(recipient) ?? []);
	}

	#narrowest({ id, campaign_id: runId, identifier }: LogFilters): readonly AcceptedMessage[] {
		if (id) return asList(this.#byId.get(id));
		if (identifier) return this.#byIdentifier.get(identifier) ?? [];
		if (runId) return this.#byRun.get(runId) ?? [];
		return this.#all;
	}

	/** @returns how often each recipient and each identifier was accepted */
	tally() {
		return {
			messages: this.#all.length,
			byRecipient: sizes(this.#byRecipient),
			byIdentifier: sizes(this.#byIdentifier),
		};
	}
}

/** @returns the current log record of a message */
export function logRecordOf(message: AcceptedMessage): LogRecord {
	const { run, draft } = message;
	const progress = progressOf(run, message.index, draft.to);
	return {
		id: message.id,
		externalId: message.externalId,
		status: progress.status,
		reason: progress.reason,
		from: run.from,
		to: draft.to,
		units: progress.units,
		delivered_time:
			progress.deliveredAt === null ? null : new Date(progress.deliveredAt).toISOString(),
		createdAt: new Date(run.startedAt).toISOString(),
		campaign_id: run.id,
		identifier: draft.identifier ?? '',
	};
}

function file(index: Map<string, AcceptedMessage[]>, key: string, message: AcceptedMessage) {
	const list = index.get(key);
	if (list) list.push(message);
	else index.set(key, [message]);
}

function asList(message: AcceptedMessage | undefined): readonly AcceptedMessage[] {
	return message ? [message] : [];
}

function sizes(index: ReadonlyMap<string, readonly unknown[]>): Record<string, number> {
	return Object.fromEntries([...index].map(([key, list]) => [key, list.length]));
}
