import type { App } from '../http/app.mts';
import { Refusal } from '../http/refusal.mts';
import { endpoints } from '../interface/endpoints.mts';
import { IdParams } from '../interface/requests.mts';

/** 4.9: the delivery report of an SMS, which has an envelope of its own. */
export function getSmsReport(app: App): void {
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
