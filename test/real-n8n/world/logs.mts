import { afterEach, beforeEach } from 'node:test';
import { members, type Member } from './member.mts';

/* When a test fails, what each n8n logged meanwhile is printed. */

/** Lines that n8n logs at each start and for every execution; without them the log is short enough to read. */
const ROUTINE =
	/^\s*$|^(Enqueued|Worker (started|finished)) execution|^Execution \d+ .*finished|^(Starting|Finished) migration/;

let before = new Map<Member, number>();

beforeEach(() => {
	before = new Map([...members].map((member) => [member, member.log().length]));
});

afterEach((context) => {
	if (!('passed' in context) || context.passed) return;
	for (const member of members) {
		const lines = member.log().slice(before.get(member)).split('\n');
		const relevant = lines.filter((line) => !ROUTINE.test(line)).join('\n');
		const routine = lines.filter((line) => line && ROUTINE.test(line)).slice(-3);
		console.error(
			`\nThe log of ${member.name} during this test:\n${relevant.slice(-6000)}\n` +
				`Its last routine lines:\n${routine.join('\n')}\n`,
		);
	}
});
