import { getReport } from './campaign/getReport';
import { send } from './campaign/send';
import { get as getChannel } from './channel/get';
import { getAll as getChannels } from './channel/getAll';
import { getAll as getChannelTemplates } from './channelTemplate/getAll';
import { get as getLog } from './log/get';
import { getAll as getLogs } from './log/getAll';
import { sendAndWait } from './message/sendAndWait';
import { sendTemplate } from './message/sendTemplate';
import { sendText } from './message/sendText';
import type { Operation, Resource } from './operation';
import { get as getOtpTemplate } from './otpTemplate/get';
import { getAll as getOtpTemplates } from './otpTemplate/getAll';
import { get as getSmsReport } from './smsReport/get';

/** All resources with their operations, in the order of the editor and its list of actions: what most people want comes first. */
export const resources: Resource[] = [
	{ value: 'message', name: 'Message', operations: [sendText, sendTemplate, sendAndWait] },
	{ value: 'campaign', name: 'Campaign', operations: [send, getReport] },
	{ value: 'log', name: 'Log', operations: [getLog, getLogs] },
	{ value: 'channel', name: 'Channel', operations: [getChannel, getChannels] },
	{ value: 'channelTemplate', name: 'Channel Template', operations: [getChannelTemplates] },
	{ value: 'otpTemplate', name: 'OTP Template', operations: [getOtpTemplate, getOtpTemplates] },
	{ value: 'smsReport', name: 'SMS Report', operations: [getSmsReport] },
];

/** Returns the operation that the user chose; undefined when a workflow names one that does not exist. */
export const findOperation = (resource: string, operation: string): Operation | undefined =>
	resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
