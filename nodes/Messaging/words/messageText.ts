import { UserError } from 'n8n-workflow';
import { requiredText } from '../n8n/values';
import { isBlank, refuseUnreadable } from './readable';

/**
 * Returns the text of a field *Message*: exactly as it was written, including its spaces.
 *
 * @param raw the field as it is saved
 * @throws UserError when it is empty, or has something of a machine in it
 */
export function messageText(value: unknown, raw: unknown): string {
	const trimmed = requiredText(value, 'Message');
	if (isBlank(trimmed)) throw new UserError("'Message' has only invisible characters.");
	refuseUnreadable({ subject: "'Message'", text: trimmed, raw });
	return typeof value === 'string' ? value : trimmed;
}
