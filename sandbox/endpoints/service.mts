import type { App } from '../http/app.mts';
import { installGate } from '../http/gate.mts';
import { getChannel } from './getChannel.mts';
import { getChannels } from './getChannels.mts';
import { getChannelTemplates } from './getChannelTemplates.mts';
import { getLogs } from './getLogs.mts';
import { getOtpTemplates } from './getOtpTemplates.mts';
import { getSmsReport } from './getSmsReport.mts';
import { sendCampaign } from './sendCampaign.mts';
import { sendTemplate } from './sendTemplate.mts';
import { sendText } from './sendText.mts';

/** The messaging service: its nine endpoints behind one gate. */
export function service(app: App, apiKey: string): void {
	installGate(app, apiKey);
	getOtpTemplates(app);
	getChannels(app);
	sendText(app);
	sendCampaign(app);
	getChannelTemplates(app);
	sendTemplate(app);
	getLogs(app);
	getChannel(app);
	getSmsReport(app);
}
