import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL, type MessagingCredential } from '../n8n/connect';

const readings = new Map<string, Promise<ICredentialDataDecryptedObject>>();

/**
 * Returns the trigger's credential. Calls that come while it is being read share the result: a thousand reads at once
 * would keep n8n's database from everything else until n8n gives up.
 */
export async function credentialOf(context: IWebhookFunctions): Promise<MessagingCredential> {
	const { id, credentials } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, credentials, context.getMode()]);
	let reading = readings.get(trigger);
	if (!reading) {
		reading = context
			.getCredentials(CREDENTIAL)
			.finally(() => readings.delete(trigger)) as Promise<ICredentialDataDecryptedObject>;
		readings.set(trigger, reading);
	}
	return await reading;
}

/** The same context, which does not read the credential again. */
export const withCredential = (
	context: IWebhookFunctions,
	credential: MessagingCredential,
): IWebhookFunctions =>
	Object.create(context, {
		getCredentials: { value: async () => credential },
	}) as IWebhookFunctions;
