import { comparableId } from '../logs/record';
import { text } from '../n8n/values';
import { isObject, type Json } from '../service/types';
import {
	eachOn,
	fieldsOf,
	isSame,
	leadsTo,
	MOST_VALUES,
	type Call,
	type Field,
	type Share,
} from './call';
import { isId, isUsualId, judge, ownerOf } from './rule';
import { judgeTold, type Told } from './told';

export type EventName = 'campaignCompleted' | 'smsDeliveryReport' | 'other';

/** What a call is about. `name` tells it from other events of its campaign, and SMS reports from each other. */
export type WebhookEvent = { event: EventName; campaignId?: string; name?: string; why?: string };

/** `id`: the first campaign's that has not completed, and `why`. `hasGivenUp`: it is too large to be read. `visits`: of values. */
export type CallReading = {
	events: WebhookEvent[];
	id?: Field;
	why?: string;
	hasGivenUp: boolean;
	visits: number;
};

/** A call of more campaigns is refused: each may be a question to the logs, and whoever calls may be a stranger. */
export const MOST_CAMPAIGNS = 100;

/** Tells what a call is about. */
export function readEvents(call: Call, told: Told): CallReading {
	const left = { values: MOST_VALUES };
	const { idPath, when } = told;
	const usual = idPath ? undefined : usualIn(fieldsOf(call, left, toFindId));
	const owner = idPath ?? (usual && ownerOf(usual.path));
	const completed = new Map<string, WebhookEvent>();
	let ignored: Pick<CallReading, 'id' | 'why'> | undefined;
	for (const campaign of owner ? eachOn(owner, call, left) : []) {
		const fields = fieldsOf(campaign, left, shareFor(owner!, told));
		const id = idPath
			? fields.find((field) => isId(field) && isSame(field.path, idPath))
			: usualIn(fields);
		if (!id) continue;
		const { key: name, why } = when.length > 0 ? judgeTold(fields, told) : judge(fields, id.path);
		const [key, campaignId] = [comparableId(id.value), id.value];
		if (name === undefined) ignored ??= { id, why };
		else if (!completed.has(key))
			completed.set(key, { event: 'campaignCompleted', campaignId, name, why });
		if (completed.size > MOST_CAMPAIGNS) break;
	}
	const hasGivenUp = left.values < 0;
	const calls = Array.isArray(call.body) ? (call.body as unknown[]) : [call.body];
	const reports = calls.filter(isSmsReport);
	const campaigns = hasGivenUp ? [] : [...completed.values()];
	const found = [...campaigns, ...(reports.length > 0 ? [smsEvent(reports)] : [])];
	const visits = MOST_VALUES - left.values;
	return {
		events: found.length > 0 ? found : [{ event: 'other' }],
		...ignored,
		hasGivenUp,
		visits,
	};
}

/** The usual places of an ID, which the first elements of a list show. */
const toFindId: Share = (path) => (path.length < 4 ? 100 : 0);

/**
 * What is read for a campaign, each list around which is its own element: what is told, and without it the fields around its ID and
 * one object further. Of another list only a first text, because what it says of each recipient is not of the campaign.
 */
const shareFor =
	(owner: string[], { idPath, when }: Told): Share =>
	(path, value) => {
		const paths = [idPath, ...when.map((row) => row.path)];
		if (paths.some((one) => one && leadsTo(path, one))) return Infinity;
		if (idPath && when.length > 0) return 0;
		if (Array.isArray(value)) return typeof value[0] === 'object' ? 0 : 1;
		return path.length < owner.length + (idPath ? 2 : 3) ? Infinity : 0;
	};

/** Returns the first ID in its usual place: that of the body, if it has one. */
function usualIn(fields: Field[]): Field | undefined {
	const ids = fields.filter(isUsualId);
	return ids.find(({ path }) => path[0] === 'body') ?? ids[0];
}

/** The one event that the interface names ("Events"). */
const isSmsReport = (value: unknown): value is Json =>
	isObject(value) && value.event === 'smsDeliveryReport';

/** All SMS reports of a call are one event: the same one, when their messages and statuses are. */
function smsEvent(reports: Json[]): WebhookEvent {
	const names = reports.map((report) => {
		const record = [report.conversation, report.data, report].find(isObject)!;
		const [id, status] = [record.id ?? record.message_id, record.status].map(text);
		return id && status && JSON.stringify([id, status.toLowerCase()]);
	});
	const name = names.every(Boolean) ? names.sort().join() : undefined;
	return { event: 'smsDeliveryReport', name };
}
