import type { IDataObject } from 'n8n-workflow';
import { MessagingApi } from '../../credentials/MessagingApi.credentials';
import type { Harness } from './harness';

type Thrown = Error & {
	cause?: { code?: string; response?: { status: number; statusText: string } };
};

/** The result that the editor shows in the credential after "Test connection". */
export type Verdict = { status: 'OK' | 'Error'; message: string };

/**
 * "Test connection" as n8n does it: the request through its routing engine, then the credential's
 * rules, in the words and the order of `credentials-tester.service.js` (n8n 2.41, `runRequestTest`).
 */
export async function testConnection(harness: Harness, data: IDataObject): Promise<Verdict> {
	const { rules = [] } = new MessagingApi().test;
	const error = (message: string): Verdict => ({ status: 'Error', message });
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
