/** What n8n tells of a failed expression besides its message. */
type Explained = Error & {
	description?: string | null;
	context?: { nodeCause?: string; messageTemplate?: string; type?: string };
};

/** What to do, where n8n's editor has words that its errors do not have. */
const CURES: Record<string, string> = {
	paired_item_no_connection: 'Connect the two; other nodes may stand between them.',
	paired_item_no_info: 'That node does not say which input item an output item belongs to.',
	paired_item_multiple_matches:
		"Several of its items belong to this one: use .first(), .last() or .all() in place of '.item'.",
};

/** Returns a sentence with all that n8n says of a failed expression: which node has not run, or which path is missing. */
export function failedExpression(error: unknown, parameter?: string): string {
	const { message, description, context = {} } = error as Explained;
	const { nodeCause, messageTemplate, type } = context;
	// "Invalid expression" is in front of what n8n shows in the editor.
	const said = message === 'Invalid expression' && messageTemplate ? messageTemplate : message;
	const node = nodeCause && !said.includes(nodeCause) ? `: '${nodeCause}'` : '';
	const more = [description?.replace(/<[^>]*>/g, ''), CURES[type ?? '']].filter(Boolean);
	const where = parameter ? ` in '${labelOf(parameter)}'` : '';
	return [`The expression${where} failed: ${`${said}${node}`.replace(/\.?$/, '.')}`, ...more].join(
		' ',
	);
}

/** The labels of parameters that are not their names in words. */
const LABELS: Record<string, string> = {
	batchInterval: 'Batch Interval (Ms)',
	channelFilters: 'Filters',
	channelId: 'Channel',
	deliverAs: 'Send As',
	html: 'HTML',
	joinInputItems: 'Join to Input Items',
	logFilters: 'Filters',
	maxRecipients: 'Max Recipients per Request',
	messageButtonLabel: 'Text Before Link',
	otpTemplateId: 'OTP Template',
	save: 'Save as Conversation',
	sendMode: 'Mode',
	templateParameters: 'Placeholders',
	testRecipient: 'My Number',
	timeout: 'Timeout (Ms)',
	waitForCompletion: 'Wait for Completion',
};

/** Returns the label of a parameter as the editor shows it; of a placeholder with its id. */
export function labelOf(parameter: string): string {
	const [, placeholder] = /^templateParameters\.value\.(.+)$/.exec(parameter) ?? [];
	if (placeholder !== undefined) return `Placeholders → ${placeholder}`;
	const name = parameter
		.replace(/\.value$/, '')
		.split('.')
		.at(-1)!;
	return (
		LABELS[name] ??
		name
			.replace(/([A-Z])/g, ' $1')
			.replace(/^./, (first) => first.toUpperCase())
			.replace(/ Id$/, ' ID')
	);
}
