import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import { CREDENTIAL, type MessagingCredential } from '../n8n/connect';
import { baseUrlText, parseBaseUrl } from '../service/baseUrl';

/** Tells one account from another; neither the address nor the key can be read from it. */
export async function accountOf(context: IPollFunctions): Promise<string> {
	const { baseUrl, apiKey } = await context.getCredentials<MessagingCredential>(CREDENTIAL);
	const account = JSON.stringify([baseUrlText(parseBaseUrl(baseUrl)), apiKey?.trim()]);
	return createHash('sha256').update(account).digest('base64url').slice(0, 12);
}
