import type { IDataObject } from 'n8n-workflow';
import { MessagingApi } from '../../credentials/MessagingApi.credentials';
import type { Harness } from './harness';

type Thrown = Error & {
	cause?: { code?: string; response?: { status: number; statusText: string } };
};

/** The result that the editor shows in the credential after "Test connection". */
export type ConnectionTestResult = { status: 'OK' | 'Error'; message: string };

/**
 * Tests a credential as n8n's "Test connection" does. n8n's routing engine sends the request. Then the credential's rules
 * apply in the order of `runRequestTest` in n8n's `credentials-tester.service.js`, with its messages.
 */
export async function testConnection(
	harness: Harness,
	data: IDataObject,
): Promise<ConnectionTestResult> {
	const { rules = [] } = new MessagingApi().test;
	const error = (message: string): ConnectionTestResult => ({ status: 'Error', message });
	let response: Awaited<ReturnType<Harness['testCredential']>>;
	try {
		response = await harness.testCredential('messagingApi', data as never);
	} catch (caught) {
		const { cause, message } = caught as Thrown;
		if (cause?.response) {
			const { status, statusText } = cause.response;
			const rule = rules.find(
				({ type, properties }) => type === 'responseCode' && properties.value === status,
			);
			if (rule) return error(rule.properties.message);
			if (status < 199 || status > 299) {
				return error(statusText || `Received HTTP status code: ${status}`);
			}
		} else if (cause?.code) {
			return error(cause.code);
		}
		return error(message);
	}
	for (const rule of rules) {
		if (rule.type !== 'responseSuccessBody') continue;
		const { json } = response![0][0];
		const value = (json as IDataObject | undefined)?.[rule.properties.key];
		if (value === rule.properties.value) return error(rule.properties.message);
	}
	return { status: 'OK', message: 'Connection successful!' };
}
