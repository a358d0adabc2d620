import type { IDataObject } from 'n8n-workflow';
import { optionalText } from '../n8n/values';
import { sendTemplate, sendText } from '../service/endpoints';
import type { SendOperation } from '../sending/sendOperation';

/**
 * docs/development/interface.md, "Send session message".
 *
 * @param ifRefused advice for the person who asks
 */
export const freeText = (
	shown: string,
	message: string,
	ifRefused?: string,
): SendOperation<unknown> => ({
	...oneMessage(shown, { message }, (from, to) => sendText({ from, to, message })),
	ifRefused,
});

/** docs/development/interface.md, "Send template message". */
export const templateMessage = (shown: string, template: IDataObject) =>
	oneMessage(shown, { template }, (from, to) =>
		sendTemplate({ from, messages: [{ to, template }] }),
	);

/**
 * A sending operation for one message, without output items.
 *
 * @param text the question: each message has another link
 */
const oneMessage = (
	text: string,
	body: IDataObject,
	request: (from: string, to: string) => ReturnType<SendOperation<unknown>['request']>,
): SendOperation<unknown> => ({
	compose: ({ read }) => ({ from: optionalText(read('from'), 'From'), body, text }),
	request: (from, [{ to }]) => request(from, to),
	receipts: () => [{}],
});
