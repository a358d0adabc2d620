import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder } from '../setup/paths.mjs';

const { N8N_OWNER_EMAIL, N8N_OWNER_PASSWORD } = process.env;

/** The only account of a temporary n8n that listens on loopback; that of an n8n that runs already is in the environment. */
export const owner = {
	email: N8N_OWNER_EMAIL ?? 'demo@example.com',
	password: N8N_OWNER_PASSWORD ?? 'Messaging-Demo-1',
	firstName: 'Demo',
	lastName: 'Owner',
};

/** Returns the variables with which n8n creates the account at its start. It accepts the password only as a hash. */
export function ownerEnvironment(): Record<string, string> {
	const requireFromN8n = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json'));
	const { hashSync } = requireFromN8n('bcryptjs') as {
		hashSync: (text: string, rounds: number) => string;
	};
	return {
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: owner.email,
		N8N_INSTANCE_OWNER_FIRST_NAME: owner.firstName,
		N8N_INSTANCE_OWNER_LAST_NAME: owner.lastName,
		N8N_INSTANCE_OWNER_PASSWORD_HASH: hashSync(owner.password, 10),
	};
}
