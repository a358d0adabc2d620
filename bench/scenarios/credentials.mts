import type { SeedCredential } from '../engine/seed.mts';
import type { Protocol, Service } from '../service/service.mts';

const PROTOCOLS: Protocol[] = ['http', 'https'];

const idOf = (type: string, protocol: Protocol) => `bench-${type}-${protocol}`;

/** The reference to a credential, as a workflow holds it. */
export const credentialOf = (type: string, protocol: Protocol) => ({
	[type]: { id: idOf(type, protocol), name: type },
});

/** What lies in n8n's database. */
export const credentialRows = ({ urls }: Service): SeedCredential[] =>
	PROTOCOLS.flatMap((protocol) => {
		const row = (type: string, data: Record<string, string>) => ({
			id: idOf(type, protocol),
			name: type,
			type,
			data,
		});
		return [
			row('messagingApi', { baseUrl: urls[protocol], apiKey: 'key' }),
			row('httpHeaderAuth', { name: 'apiKey', value: 'key' }),
			row('twilioApi', { authType: 'authToken', accountSid: 'AC3f2a', authToken: 'token' }),
			row('whatsAppApi', { accessToken: 'token', businessAccountId: '1' }),
		];
	});
