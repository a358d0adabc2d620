import { campaign } from './campaign';
import { channel } from './channel';
import { channelTemplate } from './channelTemplate';
import { log } from './log';
import { message } from './message';
import type { Operation, Resource } from './operation';
import { otpTemplate } from './otpTemplate';
import { smsReport } from './smsReport';

/** All resources of the node, in the order of the editor and its list of actions: what most people want comes first. */
export const resources: Resource[] = [
	message,
	campaign,
	log,
	channel,
	channelTemplate,
	otpTemplate,
	smsReport,
];

/** Returns the operation that the user chose; undefined when a workflow names one that does not exist. */
export const findOperation = (resource: string, operation: string): Operation | undefined =>
	resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
