import type { IDataObject } from 'n8n-workflow';
import { pause } from '../service/clock';
import type { CallOptions, Service } from '../service/service';
import type { LostRequest, SendingOperation } from './operation';

/** ms before each look: the service may log a message a little after it took it. */
export const WAITS = [1000, 3000, 6000];

/**
 * Asks the service, a few times, whether a request without an answer was accepted after all.
 *
 * @returns what to keep of each message, or undefined when that cannot be found out
 */
export async function lookUpLost<Payload>(
	{ lookUp }: SendingOperation<Payload>,
	service: Service,
	lost: LostRequest,
	options: CallOptions,
	waits: number[] = WAITS,
): Promise<IDataObject[] | undefined> {
	if (!lookUp) return undefined;
	for (const wait of waits) {
		await pause(wait, options.signal);
		if (options.signal?.aborted) return undefined;
		const found = await lookUp(service, lost, options);
		if (found) return found;
	}
	return undefined;
}
