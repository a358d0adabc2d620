import { mkdirSync } from 'node:fs';
import { startN8n, type Instance, type StartOptions } from '../../../demo/n8n/instance.mts';
import { unpackPackage } from '../../../demo/n8n/unpack.mts';
import { packageTarball } from '../../../demo/setup/paths.mjs';

/** One n8n process with the packed package. It keeps its folder and address when it is started again. */
export interface Member {
	name: string;
	instance: Instance;
	/** Its whole log, including that before restarts. */
	log: () => string;
	stop: () => Promise<void>;
	/** Kills it, as a machine does that fails or runs out of memory. */
	kill: () => Promise<void>;
	/** Starts it again when it has ended. */
	start: (env?: Record<string, string>) => Promise<void>;
	/** Stops it for good. */
	end: () => Promise<void>;
}

/** All that have not ended for good. */
export const members = new Set<Member>();

export async function startMember(name: string, options: StartOptions): Promise<Member> {
	mkdirSync(options.folder, { recursive: true });
	await unpackPackage(packageTarball, options.folder);
	let earlierLogs = '';
	const member: Member = {
		name,
		instance: await startN8n(options),
		log: () => earlierLogs + member.instance.log(),
		stop: async () => await member.instance.stop(),
		kill: async () => {
			const { pid, ended, hasEnded } = member.instance;
			// The process group, which includes child processes such as the task runner.
			if (!hasEnded()) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
			await ended;
		},
		start: async (env = options.env) => {
			earlierLogs += member.instance.log();
			member.instance = await startN8n({ ...options, env, port: member.instance.place.port });
		},
		end: async () => {
			members.delete(member);
			await member.stop();
		},
	};
	members.add(member);
	return member;
}
