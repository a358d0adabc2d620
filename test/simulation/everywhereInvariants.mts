import { logOfNobody } from './engine.mts';
import { Job } from './n8n.mts';
import type { Exchange } from './network.mts';
import { KEY } from './service.mts';
import type { Violation, World } from './world.mts';
import { promise, violation } from './promises.mts';

/* Checks of the promises that hold in every world (invariants.mts). */

const CANCELLING_STOPS = promise(
	'nothing leaves after cancelling',
	'A cancelled execution sends no further message.',
);

export function nothingAfterCancelling({ exchanges }: World): Violation[] {
	return exchanges
		.filter(({ owner, method }) => owner instanceof Job && method === 'POST')
		.filter(({ owner, startedAt }) => startedAt > ((owner as Job).cancelledAt ?? Infinity))
		.map(({ owner }) => violation(CANCELLING_STOPS, `${String(owner)} sent a request afterwards`));
}

/** ms by which a timer may be late. */
const SLACK = 1500;

const LIMITS_HOLD = promise(
	'nothing waits longer than its limit',
	'Timeout limits a whole request, from its start to the last byte of its answer. No execution runs for ever.',
);

export function nothingWaitsTooLong({ exchanges, clock }: World): Violation[] {
	// Listing templates has the default limit, whatever the option says.
	const limitOf = ({ method, path, owner }: Exchange) =>
		method === 'GET' && !path.endsWith('/logs') ? 60_000 : (owner as Job).requestLimit;
	return exchanges
		.filter(({ owner }) => owner?.isAlive)
		.filter(
			(exchange) =>
				(exchange.endedAt ?? clock.now) - exchange.startedAt > limitOf(exchange) + SLACK,
		)
		.map((exchange) => {
			const { method, path, startedAt, endedAt, owner } = exchange;
			const took = endedAt === undefined ? 'did not end' : `took ${endedAt - startedAt} ms`;
			return violation(
				LIMITS_HOLD,
				`${method} ${path} of ${String(owner)} ${took}; its limit is ${limitOf(exchange)} ms`,
			);
		});
}

const KEY_IS_SECRET = promise(
	'the key is nowhere',
	'The API key is in no error, no log line, no address, no message, no output, and in nothing that n8n saves.',
);

export function keyIsNowhere({ n8n, service }: World): Violation[] {
	const places: Array<[string, string]> = [
		...[...n8n.database.executions.values()].map(({ id, data }): [string, string] => [
			`execution ${id}`,
			data,
		]),
		...[...n8n.database.staticData].map(([id, data]): [string, string] => [
			`static data of ${id}`,
			data,
		]),
		...[...n8n.database.processed].map(([id, data]): [string, string] => [
			`deduplication of ${id}`,
			data.join(' '),
		]),
		...n8n.processes.map((process): [string, string] => [
			`the log of ${process}`,
			process.log.join('\n'),
		]),
		["n8n's log", logOfNobody.join('\n')],
		['an output', JSON.stringify(n8n.outputs)],
		['an address or a message', service.sent.join('\n')],
	];
	return places
		.filter(([, text]) => text.includes(KEY))
		.map(([place]) => violation(KEY_IS_SECRET, `it is in ${place}`));
}
