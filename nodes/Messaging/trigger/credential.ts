import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL, type MessagingCredential } from '../n8n/connect';
import { pause } from '../service/clock';

/** How long other calls use a credential that was read, in ms: a new secret takes effect after this. */
const KEPT = 1000;

const readings = new Map<string, Promise<ICredentialDataDecryptedObject>>();

/**
 * Returns the trigger's credential, which the calls of one second share: reading it costs n8n as much as the rest of a
 * call, and a thousand reads at once would keep n8n's database from everything else until n8n gives up.
 */
export async function credentialOf(context: IWebhookFunctions): Promise<MessagingCredential> {
	const { id, credentials } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, credentials, context.getMode()]);
	let reading = readings.get(trigger);
	if (!reading) {
		reading = context.getCredentials(CREDENTIAL) as Promise<ICredentialDataDecryptedObject>;
		readings.set(trigger, reading);
		const forget = () => readings.delete(trigger);
		void reading.then(async () => await pause(KEPT).then(forget), forget);
	}
	return await reading;
}

/** The same context, which does not read the credential again. */
export const withCredential = (context: IWebhookFunctions, credential: MessagingCredential) =>
	Object.create(context, { getCredentials: { value: async () => credential } }) as typeof context;
