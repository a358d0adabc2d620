import { mkdirSync } from 'node:fs';
import { startN8n, type Instance, type StartOptions } from '../../../../demo/n8n/instance.mts';
import { unpackPackage } from '../../../../demo/n8n/unpack.mts';
import { packageTarball } from '../../../../demo/setup/paths.mjs';

/** One n8n process of the stack. It keeps its name, folder and address when it is restarted. */
export interface Member {
	name: string;
	instance: Instance;
	/** Its whole log, including that before restarts. */
	log: () => string;
	stop: () => Promise<void>;
	/** Kills it, as a machine that fails does. */
	kill: () => Promise<void>;
	/** Starts it again when it has ended. */
	start: () => Promise<void>;
}

export async function startMember(
	name: string,
	options: Required<Pick<StartOptions, 'folder' | 'role' | 'env'>> & { port?: number },
): Promise<Member> {
	mkdirSync(options.folder, { recursive: true });
	await unpackPackage(packageTarball, options.folder);
	let earlierLogs = '';
	const member: Member = {
		name,
		instance: await startN8n(options),
		log: () => earlierLogs + member.instance.log(),
		stop: async () => await member.instance.stop(),
		kill: async () => {
			// Kills the process group, which includes child processes such as the task runner.
			if (!member.instance.hasEnded()) process.kill(-member.instance.pid, 'SIGKILL');
			await member.instance.ended;
		},
		start: async () => {
			earlierLogs += member.instance.log();
			member.instance = await startN8n({ ...options, port: member.instance.place.port });
		},
	};
	return member;
}
