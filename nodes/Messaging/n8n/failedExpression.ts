/** What n8n tells of a failed expression besides its message. */
type Explained = Error & {
	description?: string | null;
	context?: { nodeCause?: string; messageTemplate?: string; type?: string };
};

/** What to do, where n8n's editor has words that its errors do not have. */
const CURES: Record<string, string> = {
	paired_item_no_connection: 'Connect the two; other nodes may stand between them.',
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
	const where = parameter ? ` in '${fieldLabel(parameter)}'` : '';
	return [`The expression${where} failed: ${`${said}${node}`.replace(/\.?$/, '.')}`, ...more].join(
		' ',
	);
}

/** The labels that are not the words of the parameter's name. A test compares them with the fields of all operations. */
const LABELS: Record<string, string> = {
	answer: 'Your Answer',
	approvalType: 'Type of Approval',
	approveLabel: 'Approve Button Label',
	batchInterval: 'Batch Interval (Ms)',
	channelFilters: 'Filters',
	channelId: 'Channel',
	closed: 'No Longer Open',
	deliverAs: 'Send As',
	disapproveLabel: 'Disapprove Button Label',
	fallbackLanguage: 'Language If Missing',
	hint: 'Below the Buttons',
	html: 'HTML',
	id: 'Log ID',
	interval: 'Interval (Seconds)',
	invalid: 'Invalid Answer',
	joinInputItems: 'Join to Input Items',
	late: 'Too Late',
	logFilters: 'Filters',
	longestWait: 'Longest Wait (Minutes)',
	maxDateAndTime: 'Max Date and Time',
	messageButtonLabel: 'Text Before Link',
	otpTemplateId: 'OTP Template',
	resumeAmount: 'Amount',
	resumeUnit: 'Unit',
	save: 'Save as Conversation',
	templateParameters: 'Placeholders',
	timeout: 'Timeout (Ms)',
	until: 'Open Until',
};

/** Returns the label of a parameter as the editor shows it. */
export function fieldLabel(parameter: string): string {
	const [, placeholder] = /^templateParameters\.value\.(.+)$/.exec(parameter) ?? [];
	if (placeholder !== undefined) return `Placeholder ${placeholder}`;
	const name = parameter
		.replace(/\.value$/, '')
		.split('.')
		.at(-1)!;
	const words = name.replace(/([A-Z])/g, ' $1').replace(/ Id$/, ' ID');
	return LABELS[name] ?? words[0].toUpperCase() + words.slice(1);
}
