/** A defect that is put into the nodes on purpose, to see that the simulation finds it. */
export interface Break {
	name: string;
	/** Texts in the sources, each there exactly once, and what stands there instead. */
	changes: ReadonlyArray<{ file: string; find: string; replace: string }>;
	/** Worlds of this scenario only are played to find it; all without. */
	scenario?: string;
}

const broken = (name: string, file: string, find: string, replace: string): Break => ({
	name,
	changes: [{ file: `nodes/Messaging/${file}`, find, replace }],
});

const inScenario = (scenario: string, breaks: Break[]): Break[] =>
	breaks.map((each) => ({ ...each, scenario }));

/** Guards of the engine removed one by one. A text that is not there any more is reported by name. */
export const BREAKS: readonly Break[] = [
	broken(
		'a request that sends is repeated after a 5xx',
		'service/retry.ts',
		'serverFailed: {\n\t\tget: true,\n\t\tpost: false,',
		'serverFailed: {\n\t\tget: true,\n\t\tpost: true,',
	),
	broken(
		'a request that sends is repeated when no answer came',
		'service/retry.ts',
		'noAnswer: {\n\t\tget: true,\n\t\tpost: false,',
		'noAnswer: {\n\t\tget: true,\n\t\tpost: true,',
	),
	broken(
		'a 5xx counts as refused',
		'service/answer.ts',
		"'serverFailed',\n\t\t\t'unknown',",
		"'serverFailed',\n\t\t\t'rejected',",
	),
	broken(
		'a broken connection counts as not sent',
		'service/connectionError.ts',
		"reason: 'noAnswer', outcome: 'unknown',",
		"reason: 'noAnswer', outcome: 'notSent',",
	),
	broken(
		'an unreadable answer counts as refused',
		'service/answer.ts',
		"const open = isPost ? 'unknown' : 'rejected';",
		"const open = 'rejected' as const;",
	),
	broken(
		'redirects are followed',
		'host/connect.ts',
		'disableFollowRedirect: true,',
		'disableFollowRedirect: false,',
	),
	broken('the option Timeout is ignored', 'host/connect.ts', '\t\t\ttimeout,\n', ''),
	broken(
		'the key may stand in an error',
		'host/connect.ts',
		'return withoutKey(reply, apiKey);',
		'void withoutKey; return reply;',
	),
	broken(
		'an earlier try is forgotten',
		'sending/requests.ts',
		'const remembered = this.memory.recall(message.key);',
		'const remembered = undefined as ReturnType<Memory["recall"]>;',
	),
	broken(
		'what is unknown is sent again',
		'sending/requests.ts',
		'if (this.options.resendUnknown) toSend.push(message);',
		'if (this.options) toSend.push(message);',
	),
	broken(
		'the same number twice is one message',
		'sending/memory.ts',
		'${digits}#${nth}',
		'${digits}',
	),
	broken(
		'marks of a crash are not looked at',
		'sending/send.ts',
		'const safe = wasCutOff ? requests.leaveOutIfCutOff(toSend) : toSend;',
		'const safe = toSend; void wasCutOff;',
	),
	broken(
		'marks are the same for every execution',
		'sending/cutOff.ts',
		'`${this.token} ${this.known}`',
		'`${this.known}`',
	),
	broken(
		'any record in the logs is ours',
		'resources/campaign/findCampaign.ts',
		'Date.parse(record.createdAt) >= earliest',
		'earliest > 0',
	),
	broken(
		'answers are given to recipients in the wrong order',
		'resources/message/sendTemplate.ts',
		'(answers[index] as IDataObject)',
		'(answers[answers.length - 1 - index] as IDataObject)',
	),
	broken(
		'outputs are paired with the first item',
		'sending/report.ts',
		'pairedItem: { item: result.message.item } },',
		'pairedItem: { item: 0 } },',
	),
	broken(
		'a dry run sends',
		'sending/send.ts',
		'if (options.dryRun)\n',
		'if (options.dryRun && !options)\n',
	),
	broken(
		'Batch Size is ignored',
		'sending/deliver.ts',
		'Math.min(batchSize, batches.length)',
		'Math.max(batchSize, batches.length)',
	),
	broken(
		'two messages to one recipient leave at once',
		'sending/deliver.ts',
		'previous.after.push(waiting);\n\t\t\twaiting.before++;',
		'void previous;',
	),
	broken(
		'cancelling does not stop what waits',
		'service/gate.ts',
		'return this.closedBy !== undefined || this.signal?.aborted === true;',
		'return this.closedBy !== undefined;',
	),
	broken(
		'a status that stays counts as changed',
		'polling/changes.ts',
		'if (previousStatus === String(record.status)) return undefined;',
		'',
	),
	broken(
		'only the first page of the log is read',
		'logs/reading/pages.ts',
		'if (taken < this.expected) return false;',
		'if (taken > 0) return true;',
	),
	...inScenario('trigger', [
		broken(
			'a status of one message counts as a completion',
			'trigger/eventName.ts',
			'if (level.some(isOfOne)) return false;',
			'if (level.some(isOfOne)) return true;',
		),
		broken(
			'a completion is not confirmed',
			'trigger/receive.ts',
			'confirm && event.campaignId\n',
			'!confirm && event.campaignId\n',
		),
		broken(
			'a completion that cannot be confirmed is accepted',
			'trigger/confirm.ts',
			'if (!answer.ok) return trouble(answer.message);',
			"if (!answer.ok) return 'accepted';",
		),
		broken(
			'a completion is asked for once',
			'trigger/receive.ts',
			"if (unknown.length === 0 || fates.includes('notConfirmed')) return fates;",
			'if (unknown.length >= 0) return fates;',
		),
		broken(
			'confirming takes as long as the service likes',
			'trigger/confirm.ts',
			'timeout: Math.max(1, Math.min(TIMEOUT, until - Date.now())),',
			'timeout: 60_000,',
		),
		broken(
			'the trigger forgets what has begun',
			'trigger/seen.ts',
			"if (this.hasBegun(key)) return 'duplicate';",
			'',
		),
		broken(
			'two calls of one event do not know of each other',
			'trigger/seen.ts',
			'const other = underWay.get(key);',
			'const other = undefined as Attempt | undefined;',
		),
		broken(
			'what the trigger remembers is not saved',
			'trigger/receive.ts',
			'if (isLeftToN8n || isTold) seen?.save(keys);',
			'',
		),
		broken(
			'n8n is not reminded that there is something to save',
			'trigger/seen.ts',
			'for (const wait of REMINDERS) {',
			'for (const wait of REMINDERS.slice(0, 0)) {',
		),
		broken(
			'an event counts as begun although n8n could not begin',
			'trigger/receive.ts',
			'return response.statusCode < 500;',
			'return true;',
		),
		broken(
			'Accepted is said before n8n has written anything down',
			'trigger/receive.ts',
			'const isLeftToN8n = status === 200 && !call',
			'const isLeftToN8n = !status && !call',
		),
		broken(
			'executions begin at the same time',
			'trigger/turns.ts',
			'const beginning = new Line(1);',
			'const beginning = new Line(100);',
		),
		broken(
			'a caller who leaves ends the turn of its call',
			'trigger/turns.ts',
			'Promise.allSettled([isRead, isDoneWith(response)])',
			'Promise.allSettled([isRead, Promise.resolve(isDoneWith)])',
		),
		broken(
			'what is answered 503 is saved before it has begun',
			'trigger/receive.ts',
			'if (isLeftToN8n || isTold) seen?.save(keys);',
			'seen?.save(keys);',
		),
		broken(
			'a caller who has left keeps others waiting',
			'trigger/receive.ts',
			"seen?.tell(keys, end === 'gone' ? 'notConfirmed' : 'accepted'),",
			"end !== 'gone' && seen?.tell(keys, 'accepted'),",
		),
		broken(
			'a report counts each record twice',
			'trigger/output.ts',
			'for (const record of records) summary.add(record);',
			'for (const record of records) { summary.add(record); summary.add(record); }',
		),
	]),
];
