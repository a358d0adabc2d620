import type { App } from '../http/app.mts';
import { Refusal } from '../http/failures.mts';
import { endpoints } from '../interface/endpoints.mts';
import { ChannelsQuery, IdParams, LogsQuery } from '../interface/requests.mts';
import { logRecordOf } from '../state/messageStore.mts';

/** Adds the six endpoints that only read. */
export function addReads(app: App): void {
	getOtpTemplates(app);
	getChannels(app);
	getChannelTemplates(app);
	getLogs(app);
	getChannel(app);
	getSmsReport(app);
}

/** docs/development/interface.md, "Get OTP templates" */
function getOtpTemplates(app: App): void {
	app.get(
		endpoints.getOtpTemplates.path,
		{ config: { endpoint: 'getOtpTemplates' } },
		async ({ world }) => ({
			body: world.directory.otpTemplates,
			message: 'Templates fetched',
			success: true,
		}),
	);
}

/** docs/development/interface.md, "Get channels" */
function getChannels(app: App): void {
	app.get(
		endpoints.getChannels.path,
		{ config: { endpoint: 'getChannels' }, schema: { querystring: ChannelsQuery } },
		async ({ world, query: { name, status } }) => {
			const data = world.directory
				.chatAppChannels()
				.filter((channel) => !name || channel.name === name)
				.filter((channel) => !status || channel.status === status);
			return { data, message: 'Channels fetched', success: true };
		},
	);
}

/** docs/development/interface.md, "Get channel by id" */
function getChannel(app: App): void {
	app.get(
		endpoints.getChannel.path,
		{ config: { endpoint: 'getChannel' }, schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const data = world.directory.channel(id);
			if (!data) throw new Refusal(404, 'Channel not found');
			return { data, message: 'Channel fetched', success: true };
		},
	);
}

/** docs/development/interface.md, "Get channel templates" */
function getChannelTemplates(app: App): void {
	app.get(
		endpoints.getChannelTemplates.path,
		{ config: { endpoint: 'getChannelTemplates' }, schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const channel = world.directory.channel(id);
			if (!channel) throw new Refusal(404, 'Channel not found');
			if (channel.medium !== 'CHATAPP') {
				throw new Refusal(422, `A channel of medium ${channel.medium} has no templates`);
			}
			const body = world.directory.templates(channel);
			return { body, message: 'Templates fetched', success: true };
		},
	);
}

const defaultPageSize = 20;
const largestPageSize = 1000;

/** docs/development/interface.md, "Get logs" */
function getLogs(app: App): void {
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

/** docs/development/interface.md, "Get SMS delivery report" */
function getSmsReport(app: App): void {
	app.get(
		endpoints.getSmsReport.path,
		{ config: { endpoint: 'getSmsReport' }, schema: { params: IdParams } },
		async ({ world, params: { id } }) => {
			const report = world.directory.smsReport(id);
			if (!report) throw new Refusal(404, 'Message not found');
			return report;
		},
	);
}
