import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL, type MessagingCredential } from '../n8n/connect';

const underWay = new Map<string, Promise<ICredentialDataDecryptedObject>>();

/**
 * The trigger's credential. Calls that come while it is being read share it: read for each of a thousand
 * calls at once, it keeps n8n's database from everything else until n8n gives up.
 */
export async function credentialOf(context: IWebhookFunctions): Promise<MessagingCredential> {
	const { id, credentials } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, credentials, context.getMode()]);
	let reading = underWay.get(trigger);
	if (!reading) {
		reading = context
			.getCredentials(CREDENTIAL)
			.finally(() => underWay.delete(trigger)) as Promise<ICredentialDataDecryptedObject>;
		underWay.set(trigger, reading);
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
