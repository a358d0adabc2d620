import type { IDataObject } from 'n8n-workflow';
import { serve, success, type ServiceRequest, type ServiceAnswer } from '../../support/mockService';
import type { Sandbox } from '../../support/sandbox';

/** A log record (docs/development/interface.md, "Log record and delivery report"). */
export const record = (campaign: string, index: number, more: IDataObject = {}): IDataObject => ({
	id: `${campaign}-l${index}`,
	externalId: `ext-${index}`,
	status: 'delivered',
	reason: null,
	from: '12025550100',
	to: `38591100${String(1000 + index)}`,
	units: 1,
	delivered_time: '2026-01-01T10:00:05.000Z',
	createdAt: '2026-01-01T10:00:00.000Z',
	campaign_id: campaign,
	identifier: `order-${index}`,
	...more,
});

/** With this, the text of a report of such records begins, in the time zone of n8n's default settings. */
export const SENT = 'Sent on 1 Jan 2026, 05:00, to ';

export const records = (campaign: string, count: number) =>
	Array.from({ length: count }, (_, index) => record(campaign, index));

/** A page of the logs (docs/development/interface.md, "Get logs"). */
export function pageOf(
	all: IDataObject[],
	{ query }: ServiceRequest,
	more: IDataObject = {},
): ServiceAnswer {
	const size = Number(query['page[size]'] ?? 20);
	const page = Number(query['page[number]'] ?? 1);
	return success(all.slice((page - 1) * size, page * size), {
		count: all.length,
		currentPage: page,
		totalPage: Math.ceil(all.length / size),
		...more,
	});
}

/** Serves the logs endpoint with these records, by the id of their campaign. */
export const serveLogs = (campaigns: Record<string, IDataObject[]>): ServiceRequest[] =>
	serve((asked) => pageOf(campaigns[asked.query.campaign_id] ?? [], asked));

/** An output item of Campaign → Send. */
export const sent = (campaign: string, index: number): IDataObject => ({
	to: `38591100${String(1000 + index)}`,
	identifier: `order-${index}`,
	campaign_id: campaign,
});

/** The parameters of Campaign → Get Report behind Campaign → Send. */
export const GET_REPORT = {
	resource: 'campaign',
	operation: 'getReport',
	campaignId: '={{ $json.campaign_id }}',
};

/** Sends a campaign without the node, as another program would, and returns its id. */
export async function sendCampaign({ url, apiKey }: Sandbox, recipients: number): Promise<string> {
	const messages = Array.from({ length: recipients }, (_, index) => ({
		to: `38591${String(7_000_100 + index * 10)}`,
		template: { name: 'opening_hours' },
		identifier: `order-${index}`,
	}));
	const response = await fetch(`${url}/api/public/chatapp/campaign`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', apiKey },
		body: JSON.stringify({ from: '12025550100', messages }),
	});
	const { data } = (await response.json()) as { data: { campaign_id: string } };
	return data.campaign_id;
}
