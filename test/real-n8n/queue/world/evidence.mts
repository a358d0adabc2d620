import type { Member } from './member.mts';
import type { Stack } from './stack.mts';

/** The n8n processes whose logs say that they ran this execution, one entry for each run. */
export function takenBy({ main, webhook, workers }: Stack, execution: string): Member[] {
	const words = new RegExp(`started execution ${execution} \\(`, 'gi');
	return [main, webhook, ...workers].flatMap((member) =>
		[...member.log().matchAll(words)].map(() => member),
	);
}

export const pidsOf = (members: Member[]) => members.map(({ instance }) => instance.pid);
