import type { Message } from '../../nodes/Messaging/sending/message';
import type { Batch } from '../../nodes/Messaging/sending/batches';

/** A checked message; what a test does not care about is filled in. */
export const message = (position: number, more: Partial<Message> = {}): Message => {
	const to = more.to ?? `38591000${String(position).padStart(4, '0')}`;
	return {
		position,
		item: position,
		key: `key-${position}`,
		fingerprint: `fingerprint-${position}`,
		from: 'sender',
		to,
		digits: to.replace(/\D/g, ''),
		body: {},
		...more,
	};
};

/** A request to these recipients. */
export const batch = (...messages: Message[]): Batch => ({ from: 'sender', messages });
