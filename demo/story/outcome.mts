import { outputOf, type Execution } from '../n8n/rest/executions.mts';
import { owner } from '../n8n/owner.mts';
import { nodeNames } from './examples.mts';
import { table } from './table.mts';

export interface Outcome {
	n8nUrl: string;
	campaignId: string;
	sent: Execution;
	completed: Execution;
	/** The text that the first person of the list received. */
	text: string | undefined;
}

const NOT_LOGGED = 'not in the log';

/**
 * The result for the user: who got the message, and links to the executions in the editor. `missing` are the phones of the list
 * that are not in the service's logs.
 */
export function describe({ n8nUrl, campaignId, sent, completed, text }: Outcome) {
	const logged = new Map(
		outputOf(completed, nodeNames.messages).map((record) => [record.to as string, record]),
	);
	const rows = outputOf(sent, nodeNames.people).map(({ name, phone }, index) => {
		const { status, reason } = logged.get(phone) ?? { status: NOT_LOGGED, reason: '' };
		return [String(index + 1).padStart(2), name, phone, status, reason ?? ''];
	});
	// The words of the report itself: another count beside it would contradict it.
	const [report] = outputOf(completed, nodeNames.report);
	const link = ({ workflowId, id }: Execution) =>
		`${n8nUrl}/workflow/${workflowId}/executions/${id}`;

	const shown = [
		table([' #', 'Recipient', 'Phone', 'Status', 'Reason'], rows),
		'',
		`  ${report.text}`,
		'',
		`  First message  ${text ?? 'no text: the provider would refuse the message'}`,
		`  Campaign       ${campaignId}`,
		`  Sent in        ${link(sent)}`,
		`  Completed in   ${link(completed)}`,
		`  Log in with    ${owner.email}  ${owner.password}`,
	].join('\n');
	return { shown, missing: rows.filter((row) => row[3] === NOT_LOGGED).map((row) => row[2]) };
}

/** The number of the first person of the list. */
export const firstPhone = (sent: Execution) => outputOf(sent, nodeNames.people)[0].phone as string;
