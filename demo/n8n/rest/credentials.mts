import type { Session } from './session.mts';

export interface Credential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export async function createCredential(
	session: Session,
	credential: Omit<Credential, 'id'>,
): Promise<Credential> {
	return await session.post('/rest/credentials', credential);
}

/** Tests a credential, like the button *Retry* in its dialog. */
export async function testCredential(
	session: Session,
	id: string,
): Promise<{ status: 'OK' | 'Error'; message: string }> {
	const { name, type, data } = await session.get<Credential>(
		`/rest/credentials/${id}?includeData=true`,
	);
	return await session.post('/rest/credentials/test', { credentials: { id, name, type, data } });
}
