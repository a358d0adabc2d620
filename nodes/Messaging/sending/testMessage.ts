import { UserError } from 'n8n-workflow';
import { fingerprintText, numberHash, parseFingerprint, tag } from './fingerprint';
import type { Message } from './message';
import type { SendOptions } from './options';
import type { Recipient } from './recipients';
import { resolveMessages } from './resolveMessages';

/**
 * Returns a recipient's message as a test: to the number in *Test Recipient*, otherwise as it would be sent.
 *
 * It has a fingerprint that no other message has, not even one to the same number: a later attempt must not believe that a
 * recipient got the real message. It has no identifier of the user's own, because the service would have it twice when
 * the recipient gets the real message.
 *
 * @throws UserError when the number is invalid
 */
export async function testMessage(
	{ from, body, text }: Message,
	recipient: Recipient,
	options: SendOptions,
): Promise<Message> {
	const draft = { from, to: options.testRecipient!, body, text };
	const { messages, problems } = await resolveMessages([recipient], () => draft, options);
	if (problems.length > 0) throw new UserError(`'Test Recipient': ${problems[0].message}`);
	const [message] = messages;
	const mark = `test ${message.digits}`;
	const key = numberHash(mark);
	const { content } = parseFingerprint(message.fingerprint);
	const fingerprint = fingerprintText({ number: key, tail: tag(mark), content });
	return { ...message, key, fingerprint, isTest: true };
}
