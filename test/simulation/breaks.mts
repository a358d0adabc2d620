/** A defect that is put into the nodes on purpose, to see that the simulation finds it. */
export interface Break {
	name: string;
	/** Texts in the sources, each there exactly once, and what stands there instead. */
	changes: ReadonlyArray<{ file: string; find: string; replace: string }>;
}

const broken = (name: string, file: string, find: string, replace: string): Break => ({
	name,
	changes: [{ file: `nodes/Messaging/${file}`, find, replace }],
});

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
];
