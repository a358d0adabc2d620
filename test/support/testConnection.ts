import type { IDataObject, INodeCredentialTestResult } from 'n8n-workflow';
import type { Harness } from './harness';

/** Tests a credential as n8n's "Test connection" does. */
export const testConnection = async (
	harness: Harness,
	data: IDataObject,
): Promise<INodeCredentialTestResult> => await harness.testCredential('messaging', data as never);
