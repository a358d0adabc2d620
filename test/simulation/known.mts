/**
 * Defects that the simulation finds and that are not mended yet. What leads to them does not happen in its worlds, so
 * that they do not hide others; `WITH=kill,stop` lets these happen again, and `WITH=all` everything.
 */
const KNOWN: ReadonlyArray<{ defect: string; without: readonly string[] }> = [
	{ defect: 'issue 15, point 1: order of values', without: ['order_ready', 'order_named'] },
	{
		defect: 'issue 15, point 4: a lost campaign is taken for another one',
		without: ['own identifiers'],
	},
	{
		defect: 'issue 15, point 5: marks of executions that begin at once',
		without: ['kill', 'shut down', 'twice at once', 'the first one again'],
	},
	{ defect: 'issue 15, point 7: redirects', without: ['301', '302'] },
	{ defect: 'issue 15, points 8 and 25: timeout', without: ['dripping answer', '101'] },
	{
		defect: 'issue 15, point 19: time-out and Stop',
		without: ['time-out of the workflow', 'stop'],
	},
	{ defect: 'issue 15, point 20: numbers written another way', without: ['full numbers'] },
	{ defect: 'issue 15, point 21: one of the same numbers removed', without: ['one removed'] },
	{
		defect: 'with Resend Unknown, what may have been sent before counts as not sent',
		without: ['resend unknown'],
	},
];

const wanted = new Set((process.env.WITH ?? '').split(',').map((name) => name.trim()));

export const muted: ReadonlySet<string> = new Set(
	KNOWN.flatMap(({ without }) => without).filter((name) => !wanted.has(name) && !wanted.has('all')),
);
