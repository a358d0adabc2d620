import type { Member } from './member.mts';
import type { Stack } from './stack.mts';

/** The n8n processes that took this execution on, by their own logs; one entry each time. */
export function takenBy({ main, webhook, workers }: Stack, execution: string): Member[] {
	const words = new RegExp(`started execution ${execution} \\(`, 'gi');
	return [main, webhook, ...workers].flatMap((member) =>
		[...member.log().matchAll(words)].map(() => member),
	);
}

export const pidsOf = (members: Member[]) => members.map(({ instance }) => instance.pid);
