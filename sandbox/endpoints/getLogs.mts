import type { App } from '../http/app.mts';
import { endpoints } from '../interface/endpoints.mts';
import { LogsQuery } from '../interface/requests.mts';
import { logRecordOf } from '../state/messageBook.mts';

const defaultPageSize = 20;
const largestPageSize = 1000;

/** 4.7: the logs, page by page, oldest message first. */
export function getLogs(app: App): void {
	app.get(
		endpoints.getLogs.path,
		{ config: { endpoint: 'getLogs' }, schema: { querystring: LogsQuery } },
		async ({ world, query }) => {
			const found = world.messages.find(query);
			const size = Math.min(Number(query['page[size]'] ?? defaultPageSize), largestPageSize);
			const page = Number(query['page[number]'] ?? 1);
			return {
				count: found.length,
				data: found.slice((page - 1) * size, page * size).map(logRecordOf),
				currentPage: page,
				totalPage: Math.ceil(found.length / size),
				message: 'Logs fetched',
				success: true,
			};
		},
	);
}
