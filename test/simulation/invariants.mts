import { logOfNobody } from './engine.mts';
import { Job } from './n8n.mts';
import type { Exchange } from './network.mts';
import { KEY } from './service.mts';
import { type Violation, violation, type World } from './world.mts';

/*
 * The promises that hold in every world, each beside its check. The promises of a scenario stand in its file, those about
 * sending in sendingInvariants.mts. An exception links the heading in docs/ that tells users of it.
 */

const CANCELLING_STOPS = 'nothing leaves after cancelling';

function nothingAfterCancelling({ exchanges }: World): Violation[] {
	return exchanges
		.filter(({ owner, method }) => owner instanceof Job && method === 'POST')
		.filter(({ owner, startedAt }) => startedAt > ((owner as Job).cancelledAt ?? Infinity))
		.map(({ owner }) => violation(CANCELLING_STOPS, `${String(owner)} sent a request afterwards`));
}

const ONE_AFTER_THE_OTHER =
	'of an execution, two requests with messages to one recipient are never in flight at once';

function oneAfterTheOther({ exchanges }: World): Violation[] {
	const requests = exchanges.filter(({ recipients }) => recipients.length > 0);
	const ofOwner = Map.groupBy(requests, ({ owner }) => owner);
	return [...ofOwner].flatMap(([owner, own]) =>
		own.flatMap(({ startedAt, recipients }, index) =>
			own
				.slice(0, index)
				.filter((earlier) => (earlier.endedAt ?? Infinity) > startedAt)
				.flatMap((earlier) => earlier.recipients.filter((each) => recipients.includes(each)))
				.map((to) => violation(ONE_AFTER_THE_OTHER, `${String(owner)}: to ${to}`)),
		),
	);
}

/** ms by which a timer may be late. */
const SLACK = 1500;

const LIMITS_HOLD = 'nothing waits longer than its limit';

function nothingWaitsTooLong({ exchanges, clock, n8n }: World): Violation[] {
	// Listing templates has the default limit, whatever the option says.
	const limitOf = ({ method, path }: Exchange) =>
		method === 'GET' && !path.endsWith('/logs') ? 60_000 : n8n.requestLimit;
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

const KEY_IS_SECRET = 'the key is nowhere';

function keyIsNowhere({ n8n, service }: World): Violation[] {
	const { executions, staticData, processed } = n8n.database;
	const places = [
		...[...executions.values()].map(({ id, data }) => [`execution ${id}`, data]),
		...[...staticData].map(([id, data]) => [`static data of ${id}`, data]),
		...[...processed.rows].map(([id, data]) => [`deduplication of ${id}`, data.join(' ')]),
		...n8n.processes.map((process) => [`the log of ${process}`, process.log.join('\n')]),
		["n8n's log", logOfNobody.join('\n')],
		['an output', JSON.stringify(n8n.outputs)],
		['an address or a message', service.sent.join('\n')],
	];
	return places
		.filter(([, text]) => text.includes(KEY))
		.map(([place]) => violation(KEY_IS_SECRET, `it is in ${place}`));
}

export const brokenEverywhere = (world: World): Violation[] => [
	...nothingWaitsTooLong(world),
	...nothingAfterCancelling(world),
	...oneAfterTheOther(world),
	...keyIsNowhere(world),
];
