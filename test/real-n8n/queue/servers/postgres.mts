import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort, HOST } from '../../../../demo/ports.mjs';
import { n8nFolder } from '../../../../demo/setup/paths.mjs';
import { startServer, type Server, type User } from './server.mts';

const USER = 'postgres';

interface Client {
	connect: () => Promise<void>;
	query: (sql: string, values?: unknown[]) => Promise<{ rows: any[] }>;
	end: () => Promise<void>;
}

export interface Postgres extends Server {
	query: <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;
	/** The environment variables with which n8n uses it. */
	env: Record<string, string>;
}

/** Starts a Postgres with its default settings, in a new folder. */
export async function startPostgres(folder: string): Promise<Postgres> {
	mkdirSync(folder, { recursive: true });
	const user = otherUser();
	if (user) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	execFileSync(
		process.env.INITDB_PATH!,
		['-D', data, '-U', USER, '-A', 'trust', '--locale=C', '--encoding=UTF8', '--no-sync'],
		{ cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], ...user },
	);
	const port = await freePort();
	const query = async <Row,>(sql: string, values?: unknown[]) => {
		const client = clientOf(port);
		await client.connect();
		try {
			return (await client.query(sql, values)).rows as Row[];
		} finally {
			await client.end();
		}
	};
	const server = await startServer({
		name: 'postgres',
		program: process.env.POSTGRES_PATH!,
		args: ['-D', data, '-p', String(port), '-c', `listen_addresses=${HOST}`].concat([
			'-c',
			'unix_socket_directories=',
		]),
		folder,
		user,
		stopSignal: 'SIGINT',
		isReady: async () =>
			await query('select 1').then(
				() => true,
				() => false,
			),
	});
	return {
		...server,
		query,
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: USER,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: 'not asked for',
		},
	};
}

/** Postgres refuses to run as root. */
function otherUser(): User | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const id = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

/** The client that n8n itself uses. */
function clientOf(port: number): Client {
	const requireFromN8n = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json'));
	const { Client } = requireFromN8n('pg') as { Client: new (options: object) => Client };
	return new Client({ host: HOST, port, user: USER, database: USER });
}
