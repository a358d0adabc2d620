/** A deliberate defect in the nodes: it shows that the simulation can find such a defect. */
export interface Break {
	name: string;
	/** Texts in the sources, each there exactly once, and their replacements. */
	changes: ReadonlyArray<{ file: string; find: string; replace: string }>;
	/** Only worlds of this scenario are played to find it; without it, worlds of all scenarios. */
	scenario?: string;
}

const broken = (name: string, file: string, find: string, replace: string): Break => ({
	name,
	changes: [{ file: `nodes/Messaging/${file}`, find, replace }],
});

const inScenario = (scenario: string, breaks: Break[]): Break[] =>
	breaks.map((each) => ({ ...each, scenario }));

/** Every deliberate defect. */
export const BREAKS: readonly Break[] = [
	broken(
		'a request that sends is repeated after a 5xx',
		'service/retry.ts',
		'serverFailed: { get: true, post: false },',
		'serverFailed: { get: true, post: true },',
	),
	broken(
		'a request that sends is repeated when no answer came',
		'service/retry.ts',
		'noAnswer: { get: true, post: false },',
		'noAnswer: { get: true, post: true },',
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
		"reason: 'noAnswer',\n\t\toutcome: 'unknown',",
		"reason: 'noAnswer',\n\t\toutcome: 'notSent',",
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
				find: 'withTimeout(\n\t\t\ttimeout,',
				replace: 'withTimeout(\n\t\t\t(void timeout, 3_600_000),',
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
		"// n8n's own time limit restarts",
		"context.logger.debug('A request leaves', { headers: { apiKey } });\n\t\t// n8n's own time limit restarts",
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
		'const sameRecipient = allowsDuplicates ? undefined : firstToRecipient.get(digits);',
		"const sameRecipient = onDuplicateRecipient !== 'error' ? undefined : firstToRecipient.get(digits);",
	),
	broken(
		'a duplicate is not refused',
		'sending/check.ts',
		"sameRecipient !== undefined && onDuplicateRecipient === 'error'",
		"sameRecipient !== undefined && onDuplicateRecipient === 'send'",
	),
	broken(
		'a skipped duplicate does not say what happened to the first',
		'sending/send.ts',
		'explainSkipped(results);',
		'void explainSkipped;',
	),
	broken(
		'an item per campaign counts all recipients',
		'resources/campaign/send.ts',
		'recipients: messages.length,',
		'recipients: messages.length + 1,',
	),
	broken(
		'an item per campaign is paired with its first recipient',
		'sending/results.ts',
		'pairedItem: pairedItems(messages)',
		'pairedItem: pairedItems(messages.slice(0, 1))',
	),
	broken(
		'values of placeholders are not mapped from columns',
		'templates/compose.ts',
		'columnsFor(placeholders, mapping.values)',
		"columnsFor(placeholders, { ...mapping.values, body_1: 'Ana' })",
	),
	broken(
		"dates in Retry-After are compared with n8n's clock",
		'service/answer.ts',
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
		'an unknown message is sent again',
		'sending/requests.ts',
		'if (this.run.options.resendUnknown) toSend.push(message);\n\t\telse',
		'if (this.run.options) toSend.push(message);\n\t\telse',
	),
	broken(
		'two messages to one number have the same identifier',
		'sending/resolveMessages.ts',
		'of.key = hash(',
		'void hash(',
	),
	broken(
		'marks of a crashed execution are ignored',
		'sending/send.ts',
		'const toSend = hasCrashed ? await requests.takeOverCrashed(unsent) : unsent;',
		'const toSend = unsent;',
	),
	broken(
		'marks are the same for every execution',
		'sending/crashMarks.ts',
		'`${this.memory.token} ${run} ${attempt}`',
		'`${run} ${attempt}`',
	),
	broken(
		'a record from before the request counts as ours',
		'resources/campaign/lostCampaign.ts',
		'isWithin(record.createdAt, sentAt + ahead, timeout + ACTS_LATER) &&\n\t\t\t\t\t!accepted.has(plainId(record.campaign_id))',
		'isWithin(record.createdAt, 0, Infinity)',
	),
	broken(
		'answers are assigned to recipients in the wrong order',
		'resources/message/sendTemplate.ts',
		'? responses[index]',
		'? responses[responses.length - 1 - index]',
	),
	broken(
		'outputs are paired with the first item',
		'sending/results.ts',
		'pairedItem: { item: result.message.item } };',
		'pairedItem: { item: 0 } };',
	),
	broken(
		'a dry run sends',
		'sending/send.ts',
		'if (run.options.dryRun) return await',
		'if (run.options.dryRun && !run) return await',
	),
	broken(
		'Batch Size is ignored',
		'sending/deliver.ts',
		'Math.min(batchSize, groups.length)',
		'Math.max(batchSize, groups.length)',
	),
	broken(
		'two messages to one recipient leave at the same time',
		'sending/deliver.ts',
		'previous.after.push(waiting);\n\t\t\twaiting.before++;',
		'void previous;',
	),
	broken(
		'an unchanged status counts as changed',
		'logTrigger/changes.ts',
		'if (before !== status) {',
		'if (before !== undefined) {',
	),
	broken(
		'only the first page of the log is read',
		'logs/pages.ts',
		'if (this.added < this.expected) return false;',
		'if (this.added > 0) return true;',
	),
	// Defects that this package had before: the number is that of the issue.
	broken(
		'values are sent in the order of the text, not of the placeholder numbers (15.1)',
		'templates/placeholders.ts',
		'.sort((a, b) => Number(nameOf(a)) - Number(nameOf(b)))',
		'',
	),
	...inScenario('sending', [
		broken(
			'a campaign whose answer arrived proves that a lost one was accepted (15.4)',
			'resources/campaign/lostCampaign.ts',
			'!accepted.has(plainId(record.campaign_id))',
			'accepted.size >= 0',
		),
		broken(
			'two lost campaigns with one identifier are not told apart (15.4)',
			'resources/campaign/lostCampaign.ts',
			'(ids.size > 1 || isOpenElsewhere(request, identifier))',
			'ids.size > 1',
		),
		broken(
			'a process writes its marks in parallel (15.5)',
			'sending/crashMarks.ts',
			'oneAtATime: new Limiter(1)',
			'oneAtATime: new Limiter(100)',
		),
	]),
	broken(
		'a mark that another process overwrote is not written again (15.5)',
		'sending/crashMarks.ts',
		'if (known.length === own.length) return false;',
		'if (known) return false;',
	),
	broken(
		'after a crash, other identifiers are generated (15.6)',
		'sending/runMemory.ts',
		'seed: seed?.slice(0, 12) ?? randomBytes(6)',
		'seed: randomBytes(6)',
	),
	broken(
		'a 302 counts as refused (15.7)',
		'service/answer.ts',
		'const isOpen = isPost && status !== 307 && status !== 308 && !isOtherHost(reply);',
		'const isOpen = false; void isOtherHost;',
	),
	broken(
		"only n8n's own time limit is used: a dripping answer and a 101 never end (15.8, 15.25)",
		'service/clock.ts',
		"() => abort('ETIMEDOUT'),",
		'() => {},',
	),
	broken(
		'with Retry On Fail, a cancelled node is forgotten (15.19)',
		'n8n/cancellation.ts',
		'context.getNode().retryOnFail === true &&',
		'context.getNode().retryOnFail === undefined &&',
	),
	broken(
		'a number with and without its country code counts as two recipients (15.20)',
		'sending/resolveMessages.ts',
		'const number = numberHash(digits);',
		'const number = numberHash(given);',
	),
	broken(
		'several messages to a number are told apart by their positions (15.21)',
		'sending/earlierAttempt.ts',
		'const SIGNS: Array<(fingerprint: Fingerprint) => string | undefined> = [',
		"const SIGNS: Array<(fingerprint: Fingerprint) => string | undefined> = [\n\t() => 'any',",
	),
	// Guards against sending twice or reporting wrongly, each removed.
	broken(
		'accepted messages are not remembered',
		'sending/requests.ts',
		'this.run.memory.noteAccepted(request, kept);',
		'this.run.memory.noteNotSent(request); void kept;',
	),
	broken(
		'unknown messages are not remembered',
		'sending/requests.ts',
		'this.run.memory.noteUnknown(number, failure);',
		'this.run.memory.noteNotSent(number);',
	),
	broken(
		'a request is remembered only when it is answered',
		'sending/runMemory.ts',
		'stored.requests[request] = leaving;',
		'void Promise.resolve().then(async () => { for (let tick = 0; tick < 2000; tick++) await null; }).then(() => { stored.requests[request] ??= leaving; });',
	),
	broken(
		'the mark is removed before everything is sent',
		'sending/send.ts',
		'if (!results.some(isFailed) && !isRunAgain(context.getNode(), items)) memory.forget();',
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
		'service/answer.ts',
		'return Number(value) * 1000;',
		'return Number(value);',
	),
	broken(
		'Retry-After as a date is ignored',
		'service/answer.ts',
		'Math.max(0, date - (Number.isNaN(theirs) ? now : theirs))',
		'0',
	),
	broken(
		'a 429 delays only the request that got it',
		'service/service.ts',
		"if (answer.reason === 'rateLimited') throttle.delay(wait ?? answer.retryAfter ?? 0);",
		"if (answer.reason === 'rateLimited') await throttle.pause(wait ?? 0);",
	),
	broken(
		'a refused key does not stop the others',
		'sending/requests.ts',
		"if (failure.reason === 'keyRefused') {",
		"if (failure.reason === 'keyRefused' && !failure) {",
	),
	broken(
		'the node waits a day if Retry-After says so',
		'service/service.ts',
		'answer.retryAfter > longestWait',
		'answer.retryAfter > Infinity',
	),
	broken(
		'an error does not count what may have been sent',
		'sending/sendErrors.ts',
		'...(unknown.length > 0 ? [`${formatNumber(unknown.length)} may have been sent`] : []),',
		'',
	),
	broken(
		'an error before sending does not count what an earlier try sent',
		'sending/sendErrors.ts',
		'nodeError.message += ` In an earlier attempt, ${sent}.`;',
		'void sent;',
	),
	broken(
		'after a crash, a recipient that cannot be prepared counts as not sent',
		'sending/send.ts',
		'if (!memory.isEmpty || memory.mayHaveCrashed)',
		'if (!memory.isEmpty)',
	),
	broken(
		'a refusal of Resend Unknown replaces what is known of the first message',
		'sending/requests.ts',
		"earlier && failure.outcome !== 'unknown'",
		"earlier && failure.outcome === 'cancelled'",
	),
	broken(
		'a failed message is shown as accepted',
		'sending/results.ts',
		'if (!isFailed(result)) return {',
		"if (!isFailed(result) || result.outcome === 'unknown') return {",
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
			'a completion is looked up only once',
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
			'the trigger forgets the events that have started',
			'trigger/eventMemory.ts',
			"if (this.hasBegun(key)) return 'duplicate';",
			'',
		),
		broken(
			'two calls with the same event are handled at the same time',
			'trigger/eventMemory.ts',
			'const other = attempts.get(key);',
			'const other = undefined as Attempt | undefined;',
		),
		broken(
			'the memory of the trigger is not saved',
			'trigger/eventMemory.ts',
			'saved.events = packed(newest(shared.begun));',
			'',
		),
		broken(
			'an event counts as started although n8n could not start it',
			'trigger/begin.ts',
			'else if (items) memory?.forget(keys);',
			'else if (items) memory?.remember(keys);',
		),
		broken(
			'the trigger answers Accepted before n8n has stored the execution',
			'trigger/begin.ts',
			'let isInQueue = true;',
			'let isInQueue = true;\n\tanswer.give(reply);',
		),
		broken(
			'an execution that n8n has not begun for a long time counts as begun',
			'trigger/begin.ts',
			'if (memory) answer.give(BUSY);',
			'if (memory && items) memory.remember(keys);\n\t\tif (memory) answer.give(reply);',
		),
		broken(
			'calls behind an execution that does not begin wait for as long',
			'trigger/begin.ts',
			'void unlessAnswered(LONGEST_WAIT, leave);',
			'',
		),
		broken(
			'the trigger answers before the event is saved',
			'trigger/begin.ts',
			'if (hasBegun) await memory?.untilSaved(keys);',
			'if (hasBegun) await undefined;',
		),
		broken(
			'the trigger answers Duplicate before the event is saved',
			'trigger/receive.ts',
			'if (isSaved || reply.status !== 200)',
			'if (isSaved || reply.status)',
		),
		broken(
			'a save counts for events that started after it',
			'trigger/saves.ts',
			'this.end(Math.max(this.done, holds))',
			'this.end(this.newest)',
		),
		broken(
			'a repeated call waits for the first one for as long as that takes',
			'trigger/eventMemory.ts',
			'await waitAtMost(left, attempt.outcome)',
			'await attempt.outcome',
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
			'logTrigger/changes.ts',
			'if (isListed[index] || !isWatched(bounds, key, time, isUndated)) continue;',
			'if (key) continue;',
		),
		broken(
			'the first poll reports all records',
			'logTrigger/logMemory.ts',
			'!isFirst && incompleteLooks === undefined;',
			'isFirst || incompleteLooks === undefined;',
		),
	]),
	...inScenario('polling', [
		broken(
			'two polls of a trigger read at the same time',
			'logTrigger/poll.ts',
			'if (running.has(trigger)) {',
			'if (running.size < 0) {',
		),
		broken(
			'an incomplete first poll counts as complete',
			'logTrigger/logMemory.ts',
			'if (before === undefined || isComplete || before + 1 >= MAX_INCOMPLETE_POLLS) return false;',
			'if (before === undefined || before >= 0) return false;',
		),
		broken(
			'a poll takes as long as the service likes',
			'logTrigger/poll.ts',
			'const MAX_DURATION = 120_000;',
			'const MAX_DURATION = 1_200_000;',
		),
		broken(
			'a time in seconds is read as milliseconds',
			'logs/record.ts',
			'if (value >= 1e8 && value < 1e10) return Math.floor(value * 1000);',
			'if (value >= 1e8 && value < 1e10) return Math.floor(value);',
		),
		broken(
			'one record from a clock that is ahead hides the others',
			'logTrigger/changes.ts',
			'Number.isFinite(this.newest) ? Math.min(this.newest, now) : now;',
			'Number.isFinite(this.newest) ? this.newest : now;',
		),
		broken(
			'an incomplete poll remembers changes without reporting them',
			'logTrigger/poll.ts',
			'return result.changes;',
			'return isComplete ? result.changes : [];',
		),
	]),
	...inScenario('reports', [
		broken(
			'a wait ends while messages are pending',
			'report/campaignReport.ts',
			'summary.pending === 0 &&',
			'summary.pending >= 0 &&',
		),
		broken(
			'a wait ends while messages are missing',
			'report/campaignReport.ts',
			'recipients.missing === 0 &&',
			'recipients.missing >= 0 &&',
		),
		broken(
			'a wait gives up after the first reading',
			'report/waitForCompletion.ts',
			'left <= 0) return result;',
			'left <= 1e9) return result;',
		),
		broken(
			'an incomplete report counts as complete',
			'logs/readLogs.ts',
			'if (result.complete) return { complete: true, leftOut };',
			'if (result.complete || pass === 1) return { complete: true, leftOut };',
		),
		broken(
			'records of an earlier pass count again',
			'logs/foundRecords.ts',
			'if (last === undefined) fresh.push(record);',
			'fresh.push(record);',
		),
		broken(
			'a failed item keeps the report from reading the others',
			'report/reports.ts',
			"typeof error === 'string' && isObject(details);",
			"typeof error === 'object' && isObject(details);",
		),
		broken(
			'recipients are paired with all items',
			'report/recipientJoin.ts',
			'wanted.pairedItem ??= pairing(wanted.items);',
			'wanted.pairedItem ??= this.pairedWithAll;',
		),
		broken(
			'a recipient without a record is left out',
			'report/recipientJoin.ts',
			'else yield this.missingItem(items, this.items[items[0]].json.to, pairing(items));',
			'else if (!items) yield this.missingItem(items, this.items[items[0]].json.to, pairing(items));',
		),
		broken(
			'the last new record of a page is not counted',
			'logs/foundRecords.ts',
			'if (fitting.length > 0) await this.onRecords(fitting);',
			'if (fitting.length > 0) await this.onRecords(fitting.slice(0, Math.max(1, fitting.length - 1)));',
		),
	]),
	...inScenario('reports', [
		broken(
			'a log with gaps is read only once',
			'logs/readLogs.ts',
			'const MOST_PASSES = 3;',
			'const MOST_PASSES = 1;',
		),
		broken(
			'records that move while they are read are not noticed',
			'logs/pages.ts',
			'this.hasGaps ||= repeated;',
			'void repeated;',
		),
		broken(
			'the first empty page ends a log without a count',
			'logs/pages.ts',
			'return withoutNew >= (count === undefined ? 2 : 1);',
			'return withoutNew >= 1;',
		),
		broken(
			'records of other campaigns are counted',
			'logs/foundRecords.ts',
			'if (this.fits(record)) {',
			'if (this.fits(record) || record) {',
		),
	]),
	...inScenario('sending', [
		broken(
			'a test is sent to everyone, too',
			'sending/send.ts',
			'results[position] = leftOutOfTest(message);\n\t\t\tleftOut.push(message);',
			'kept.push(message);',
		),
		broken(
			'each recipient has a test',
			'sending/send.ts',
			'} else if (test) {',
			'} else if (test && position < 0) {',
		),
		{
			name: "a test has its recipient's identifier",
			changes: [
				{
					file: 'nodes/Messaging/sending/testMessage.ts',
					find: '{ from, body, text }: Message,',
					replace: '{ from, body, text, identifier }: Message,',
				},
				{
					file: 'nodes/Messaging/sending/testMessage.ts',
					find: 'to: options.testRecipient!, body, text };',
					replace: 'to: options.testRecipient!, body, text, identifier };',
				},
			],
		},
		broken(
			'after a crash, whoever a test leaves out counts as not sent',
			'sending/results.ts',
			"if (result.fate === 'skipped' && result.json.reason === ONLY_A_TEST) {",
			"if (result.fate === 'skipped' && result.json.reason === '') {",
		),
		broken(
			'after a crash, whoever a test leaves out is forgotten',
			'sending/send.ts',
			'if (leftOut.length > 0) {',
			'if (leftOut.length < 0) {',
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
			'sendAndWait/openQuestion.ts',
			'answered.set(id, closesAt);',
			'',
		),
		broken(
			'answers are taken after the limit',
			'sendAndWait/answerWebhook.ts',
			"return Date.now() >= closesAt ? 'late' : undefined;",
			'return undefined;',
		),
		broken(
			'every button approves',
			'sendAndWait/answerWebhook.ts',
			"const approved = decision === 'approve';",
			'const approved = true;',
		),
		broken(
			'a form with an empty required field is confirmed',
			'sendAndWait/answerWebhook.ts',
			'if (entered.some(({ problem }) => problem)) return',
			"if (entered.some(({ problem }) => problem === '')) return",
		),
		broken(
			'the line breaks of an answer stay as a browser sends them',
			'sendAndWait/answerWebhook.ts',
			"text(submitted.data[ANSWER]).replace(/\\r\\n?/g, '\\n')",
			'text(submitted.data[ANSWER])',
		),
		broken(
			'a number in a form is output as text',
			'sendAndWait/submittedForm.ts',
			': Number(entry)',
			': entry',
		),
		broken(
			'after the limit, the input is output like an answer',
			'sendAndWait/askAndWait.ts',
			'executeData.data = { ...executeData.data, main: [[unanswered]] };',
			'',
		),
		broken(
			'an answer is confirmed, but the workflow does not continue',
			'sendAndWait/answerWebhook.ts',
			'return { ...thanked, workflowData: [[item]] };',
			'return thanked;',
		),
	]),
];
