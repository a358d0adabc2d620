import type { MessageGroup } from '../../../nodes/Messaging/sending/requests';
import type { Message } from '../../../nodes/Messaging/sending/sendOperation';

/** A checked message with default values for the fields that the test does not set. */
export const message = (position: number, more: Partial<Message> = {}): Message => {
	const to = more.to ?? `38591000${String(position).padStart(4, '0')}`;
	return {
		position,
		item: position,
		from: 'sender',
		to,
		digits: to.replace(/\D/g, ''),
		isTwin: false,
		body: {},
		...more,
	};
};

/** A request to these recipients. */
export const batch = (...messages: Message[]): MessageGroup => ({ from: 'sender', messages });
