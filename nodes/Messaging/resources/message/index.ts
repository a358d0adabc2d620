import type { Resource } from '../operation';
import { sendAndWait } from './sendAndWait';
import { sendTemplate } from './sendTemplate';
import { sendText } from './sendText';

export const message: Resource = {
	value: 'message',
	name: 'Message',
	operations: [sendText, sendTemplate, sendAndWait],
};
