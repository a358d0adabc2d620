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
		'n8n/connect.ts',
		'disableFollowRedirect: true,',
		'disableFollowRedirect: false,',
	),
	{
		name: 'the option Timeout is ignored',
		changes: [
			{
				file: 'nodes/Messaging/n8n/connect.ts',
				find: '\t\t\turl,\n\t\t\ttimeout,\n',
				replace: '\t\t\turl,\n',
			},
			{
				file: 'nodes/Messaging/n8n/connect.ts',
				find: 'within(\n\t\t\ttimeout,',
				replace: 'within(\n\t\t\t(void timeout, 3_600_000),',
			},
		],
	},
	broken(
		'the key may stand in an error',
		'n8n/connect.ts',
		'return { ...withoutKey(reply, apiKey), url };',
		'return { ...reply, url };',
	),
	broken(
		"the key may stand in n8n's log",
		'n8n/connect.ts',
		"// n8n's own time limit starts",
		"context.logger.debug('A request leaves', { headers: { apiKey } });\n\t\t// n8n's own time limit starts",
	),
	broken(
		'the key may stand in an address',
		'n8n/connect.ts',
		'if (query) options.qs = query;',
		'options.qs = { ...query, key: apiKey };',
	),
	broken(
		'a duplicate is not skipped',
		'sending/check.ts',
		'const sameRecipient = mayRepeat ? undefined : firstToRecipient.get(digits);',
		"const sameRecipient = onDuplicateRecipient !== 'error' ? undefined : firstToRecipient.get(digits);",
	),
	broken(
		'a duplicate is not refused',
		'sending/check.ts',
		"sameRecipient !== undefined && onDuplicateRecipient === 'error'",
		"sameRecipient !== undefined && onDuplicateRecipient === 'send'",
	),
	broken(
		'of a skipped duplicate, nothing says what became of the first',
		'sending/send.ts',
		'sayWhenFirstFailed(results);',
		'void sayWhenFirstFailed;',
	),
	broken(
		'an item per campaign counts all recipients',
		'resources/campaign/send.ts',
		'recipients: messages.length,',
		'recipients: messages.length + 1,',
	),
	broken(
		'an item per campaign is paired with its first recipient',
		'sending/report.ts',
		'pairedItem: [...new Set(entry.map(({ message }) => message.item))].map((item) => ({',
		'pairedItem: [...new Set(entry.slice(0, 1).map(({ message }) => message.item))].map((item) => ({',
	),
	broken(
		'columns of the input are not read for placeholders',
		'templates/compose.ts',
		'columnsFor(placeholders, mapping.values)',
		"columnsFor(placeholders, { ...mapping.values, body_1: 'Ana' })",
	),
	broken(
		"dates in Retry-After are by n8n's clock",
		'service/retryAfter.ts',
		'Number.isNaN(theirs) ? now : theirs',
		'Number.isNaN(theirs) ? now : now',
	),
	broken(
		'an earlier try is forgotten',
		'sending/requests.ts',
		'if (earlier.size === 0) return messages;',
		'if (messages) return messages;',
	),
	broken(
		'what is unknown is sent again',
		'sending/requests.ts',
		'if (this.options.resendUnknown) toSend.push(message);\n\t\telse',
		'if (this.options) toSend.push(message);\n\t\telse',
	),
	broken(
		'the same number twice has one identifier',
		'sending/resolve.ts',
		'of.key = hash(',
		'void hash(',
	),
	broken(
		'marks of a crash are not looked at',
		'sending/send.ts',
		'const safe = wasCutOff ? await requests.leaveOutIfCutOff(toSend) : toSend;',
		'const safe = toSend;',
	),
	broken(
		'marks are the same for every execution',
		'sending/cutOff.ts',
		'`${this.memory.token} ${run} ${attempt}`',
		'`${run} ${attempt}`',
	),
	broken(
		'a record from before the request left is ours',
		'resources/campaign/findCampaign.ts',
		'isWithin(record.createdAt, sentAt + ahead, timeout + ACTS_LATER) &&\n\t\t\t\t\t!accepted.has(plainId(record.campaign_id))',
		'isWithin(record.createdAt, 0, Infinity)',
	),
	broken(
		'answers are given to recipients in the wrong order',
		'resources/message/sendTemplate.ts',
		'? responses[index]',
		'? responses[responses.length - 1 - index]',
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
		'if (options.dryRun) return await',
		'if (options.dryRun && !options) return await',
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
		'a status that stays counts as changed',
		'logTrigger/comparison.ts',
		'if (before !== status) {',
		'if (before !== undefined) {',
	),
	broken(
		'only the first page of the log is read',
		'logs/pages.ts',
		'if (taken < this.expected) return false;',
		'if (taken > 0) return true;',
	),
	// Defects of issue 15, put back.
	broken(
		'values are sent in the order of the text, not of the numbers (15.1)',
		'templates/placeholders.ts',
		'.sort((a, b) => Number(nameOf(a)) - Number(nameOf(b)))',
		'',
	),
	...inScenario('sending', [
		broken(
			'a campaign that was seen accepted is proof for a lost one (15.4)',
			'resources/campaign/findCampaign.ts',
			'!accepted.has(plainId(record.campaign_id))',
			'accepted.size >= 0',
		),
		broken(
			'two lost campaigns with one identifier are not told apart (15.4)',
			'resources/campaign/findCampaign.ts',
			'(ids.size > 1 || isOpenElsewhere(request, identifier))',
			'ids.size > 1',
		),
		broken(
			'marks of one process are written side by side (15.5)',
			'sending/cutOff.ts',
			'oneByOne: atMost(1)',
			'oneByOne: atMost(100)',
		),
	]),
	broken(
		'a mark that another process wrote away is not missed (15.5)',
		'sending/cutOff.ts',
		'if (there.length === own.length) return false;',
		'if (there) return false;',
	),
	broken(
		'after a crash, identifiers are made anew (15.6)',
		'sending/memory.ts',
		'seed: seed?.slice(0, 12) ?? randomBytes(6)',
		'seed: randomBytes(6)',
	),
	broken(
		'a 302 counts as refused (15.7)',
		'service/answer.ts',
		'const isOpen = isPost && status !== 307 && status !== 308 && !isMoved(reply);',
		'const isOpen = false; void isMoved;',
	),
	broken(
		"only n8n's own time limit holds: drips and 101 never end (15.8, 15.25)",
		'service/deadline.ts',
		"() => end('ETIMEDOUT'),",
		'() => {},',
	),
	broken(
		'with Retry On Fail, a cancelled node is forgotten (15.19)',
		'n8n/cancelled.ts',
		'context.getNode().retryOnFail === true &&',
		'context.getNode().retryOnFail === undefined &&',
	),
	broken(
		'a number with and without its country code is two people (15.20)',
		'sending/resolve.ts',
		'const number = numberHash(digits);',
		'const number = numberHash(given);',
	),
	broken(
		'of several messages to a number, the place tells them apart (15.21)',
		'sending/sameMessage.ts',
		'const SIGNS: Array<(marks: Marks) => string | undefined> = [',
		"const SIGNS: Array<(marks: Marks) => string | undefined> = [\n\t() => 'any',",
	),
	// Guards of the engine, removed.
	broken(
		'what was accepted is not noted',
		'sending/requests.ts',
		'this.memory.accepted(request, kept);',
		'this.memory.notSent(request); void kept;',
	),
	broken(
		'what is unknown is not noted',
		'sending/requests.ts',
		'this.memory.unknown(number, answer);',
		'this.memory.notSent(number);',
	),
	broken(
		'a request is noted only when it is answered',
		'sending/memory.ts',
		'stored.requests[request] = leaving;',
		'void Promise.resolve().then(async () => { for (let tick = 0; tick < 2000; tick++) await null; }).then(() => { stored.requests[request] ??= leaving; });',
	),
	broken(
		'the note is dropped though not all was sent',
		'sending/send.ts',
		'if (isDone(results) && !isTriedAgain(context.getNode(), items)) memory.forget();',
		'memory.forget();',
	),
	broken(
		'a 408 counts as refused',
		'service/answer.ts',
		'if (status === 408 || status >= 500) {',
		'if (status >= 500) {',
	),
	broken(
		'Retry-After is read as milliseconds',
		'service/retryAfter.ts',
		'return Number(value) * 1000;',
		'return Number(value);',
	),
	broken(
		'Retry-After as a date is ignored',
		'service/retryAfter.ts',
		'Math.max(0, date - (Number.isNaN(theirs) ? now : theirs))',
		'0',
	),
	broken(
		'a 429 holds back only the request that got it',
		'service/service.ts',
		"if (answer.reason === 'rateLimited') gate.hold(wait ?? answer.retryAfter ?? 0);",
		"if (answer.reason === 'rateLimited') await gate.pause(wait ?? 0);",
	),
	broken(
		'a refused key does not stop the others',
		'sending/requests.ts',
		"if (failure.reason === 'keyRefused') {",
		"if (failure.reason === 'keyRefused' && !failure) {",
	),
	broken(
		'a Retry-After of a day is waited out',
		'service/service.ts',
		'answer.retryAfter > longestWait',
		'answer.retryAfter > Infinity',
	),
	broken(
		'an error does not count what may have been sent',
		'sending/report.ts',
		'...(unknown.length > 0 ? [`${number(unknown.length)} may have been sent`] : []),',
		'',
	),
	broken(
		'an error from before sending does not count what an earlier try sent',
		'sending/report.ts',
		'nodeError.message += ` In an earlier attempt, ${sent}.`;',
		'void sent;',
	),
	broken(
		'after a crash, who could not be prepared counts as not sent',
		'sending/send.ts',
		'if (!memory.isEmpty || memory.mayHaveCrashed)',
		'if (!memory.isEmpty)',
	),
	broken(
		'a refusal of the second message speaks for the first',
		'sending/requests.ts',
		"earlier && failure.outcome !== 'unknown'",
		"earlier && failure.outcome === 'cancelled'",
	),
	broken(
		'a failed message is shown as accepted',
		'sending/report.ts',
		'isFailed(result)\n\t\t\t? asFailedItem(result)',
		"isFailed(result) && result.outcome !== 'unknown'\n\t\t\t? asFailedItem(result)",
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
			'trigger/decide.ts',
			'settings.confirm && event.campaignId\n',
			'!settings.confirm && event.campaignId\n',
		),
		broken(
			'a completion that cannot be confirmed is accepted',
			'trigger/confirm.ts',
			'if (!answer.ok) return trouble(answer.message);',
			"if (!answer.ok) return 'accepted';",
		),
		broken(
			'a completion is asked for once',
			'trigger/decide.ts',
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
			'trigger/eventMemory.ts',
			"if (this.hasBegun(key)) return 'duplicate';",
			'',
		),
		broken(
			'two calls of one event do not know of each other',
			'trigger/eventMemory.ts',
			'const other = attempts.get(key);',
			'const other = undefined as Attempt | undefined;',
		),
		broken(
			'what the trigger remembers is not saved',
			'trigger/eventMemory.ts',
			'saved.events = packed(newest(shared.begun));',
			'',
		),
		broken(
			'an event counts as begun although n8n could not begin',
			'trigger/begin.ts',
			'if (items) memory?.forget(keys);',
			'remember();',
		),
		broken(
			'Accepted is said before n8n has written anything down',
			'trigger/begin.ts',
			'await queue.enter(memory);',
			'await queue.enter(memory);\n\tanswer.give(status, message);',
		),
		broken(
			'an answer is given before its event is saved',
			'trigger/begin.ts',
			'if (memory && !(await isSaved(memory, keys)))',
			'if (memory && !memory)',
		),
		broken(
			'a duplicate is told so before its event is saved',
			'trigger/receive.ts',
			'if (isSaved || status !== 200)',
			'if (isSaved || status)',
		),
		broken(
			'a save holds what begins after it was made',
			'trigger/saves.ts',
			'this.end(Math.max(this.done, holds))',
			'this.end(this.newest)',
		),
		broken(
			'a caller who has left keeps others waiting',
			'trigger/receive.ts',
			".then((hasArrived) => memory?.tell(keys, hasArrived ? 'accepted' : 'notConfirmed'));",
			".then((hasArrived) => hasArrived && memory?.tell(keys, 'accepted'));",
		),
		broken(
			'a report counts each record twice',
			'trigger/output.ts',
			'for (const record of records) summary.add(record);',
			'for (const record of records) { summary.add(record); summary.add(record); }',
		),
	]),
	...inScenario('polling', [
		broken(
			'a record that is missing from one poll is forgotten',
			'logTrigger/comparison.ts',
			'if (isThere[index] || !isWithin(bounds, key, time, isUndated)) continue;',
			'if (key) continue;',
		),
		broken(
			'the first poll puts out all that was there',
			'logTrigger/memory.ts',
			'!isFirst && incompleteLooks === undefined;',
			'isFirst || incompleteLooks === undefined;',
		),
	]),
	...inScenario('polling', [
		broken(
			'two polls of a trigger read at the same time',
			'logTrigger/oneAtATime.ts',
			'if (underWay.has(key)) return undefined;',
			'',
		),
		broken(
			'a first poll that did not get all counts as whole',
			'logTrigger/memory.ts',
			'if (before === undefined || isComplete || before + 1 >= MOST_INCOMPLETE) return false;',
			'if (before === undefined || before >= 0) return false;',
		),
		broken(
			'a poll takes as long as the service likes',
			'logTrigger/poll.ts',
			'const LONGEST_LOOK = 120_000;',
			'const LONGEST_LOOK = 1_200_000;',
		),
		broken(
			'a time in seconds is read as milliseconds',
			'logs/timeOf.ts',
			'if (value >= 1e8 && value < 1e10) return Math.floor(value * 1000);',
			'if (value >= 1e8 && value < 1e10) return Math.floor(value);',
		),
		broken(
			'one record from a clock that is ahead hides the others',
			'logTrigger/comparison.ts',
			'Number.isFinite(this.newest) ? Math.min(this.newest, now) : now;',
			'Number.isFinite(this.newest) ? this.newest : now;',
		),
		broken(
			'what a poll found that did not get all is remembered and not reported',
			'logTrigger/poll.ts',
			"if (alike > 0) say(context, 'warn', sayAlike(alike));\n\treturn changes;",
			"if (alike > 0) say(context, 'warn', sayAlike(alike));\n\treturn isComplete ? changes : [];",
		),
	]),
	...inScenario('reports', [
		broken(
			'a log that was not read whole counts as whole',
			'logs/scanLogs.ts',
			'if (complete) return { complete, leftOut };',
			'if (complete || pass === 1) return { complete: true, leftOut };',
		),
		broken(
			'what came in an earlier reading counts again',
			'logs/found.ts',
			'if (last === undefined) fresh.push(record);',
			'fresh.push(record);',
		),
		broken(
			'a message that failed keeps the report from the others',
			'report/campaigns.ts',
			"typeof error === 'string' && isObject(details);",
			"typeof error === 'object' && isObject(details);",
		),
		broken(
			'recipients are paired with all items',
			'report/recipients.ts',
			'wanted.pairedItem ??= pairing(wanted.items);',
			'wanted.pairedItem ??= this.pairedWithAll;',
		),
		broken(
			'a recipient that the logs do not have is left out',
			'report/recipients.ts',
			'else yield this.missingItem(items, this.items[items[0]].json.to, pairing(items));',
			'else if (!items) yield this.missingItem(items, this.items[items[0]].json.to, pairing(items));',
		),
		broken(
			'messages of a report are counted without those that came last',
			'logs/found.ts',
			'if (kept.length > 0) await this.take(kept);',
			'if (kept.length > 0) await this.take(kept.slice(0, Math.max(1, kept.length - 1)));',
		),
	]),
	...inScenario('reports', [
		broken(
			'a log that came with gaps is read once',
			'logs/scanLogs.ts',
			'const MOST_PASSES = 3;',
			'const MOST_PASSES = 1;',
		),
		broken(
			'records that move while they are read are not noticed',
			'logs/pages.ts',
			'this.torn ||= repeated;',
			'void repeated;',
		),
		broken(
			'an empty page is the end of a log that counts nothing',
			'logs/pages.ts',
			'return barren >= (count === undefined ? 2 : 1);',
			'return barren >= 1;',
		),
		broken(
			'records of other campaigns are counted',
			'logs/found.ts',
			'if (this.fits(record)) {',
			'if (this.fits(record) || record) {',
		),
	]),
	...inScenario('send and wait', [
		broken(
			'in a loop a question does not wait for the earlier limit',
			'sendAndWait/waitLimit.ts',
			'if (left > 0 && left <= TIMER) {',
			'if (left > 0 && left <= 0) {',
		),
	]),
	...inScenario('send and wait', [
		broken(
			'answered questions are not remembered',
			'sendAndWait/answeredQuestions.ts',
			'answered.set(id, closesAt);',
			'',
		),
		broken(
			'answers are taken after the limit',
			'sendAndWait/answer.ts',
			'if (Date.now() >= closesAt) {',
			'if (Date.now() < 0) {',
		),
		broken(
			'every button approves',
			'sendAndWait/answer.ts',
			"data: { approved: decision === 'approve' }",
			'data: { approved: true }',
		),
		broken(
			'when time is up, the input passes for an answer',
			'sendAndWait/ask.ts',
			'executeData.data = { ...executeData.data, main: [[unanswered]] };',
			'',
		),
		broken(
			'a question is remembered as answered, and nothing continues',
			'sendAndWait/answer.ts',
			'return { ...thanked, workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]] };',
			'return thanked;',
		),
	]),
];
